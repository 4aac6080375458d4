//! Static values of one thread: what the evaluation said of the boards met last.
//!
//! A fifth of the boards of a midgame search are met again before their places are taken, by other orders of the same
//! moves, at the next depth, or by ProbCut's shallow searches. To look costs a tenth of an evaluation. Since a value is found
//! only for its own board, the search is the same with and without.
//!
//! An entry recognises its whole board as those of the [local table](super::LocalTable) do:
//!
//! ```text
//! first   63                           15 14            0
//!         | hash                         | value + 6400  |
//! second  | opponent                                     |
//! ```

use super::board_check::BoardCheck;
use super::local::scattered;
use crate::board::Board;

/// Bits of a hash that are the place of its entry.
const PLACE_BITS: u32 = 15;
/// Number of entries: half a megabyte in all. With twice as many a tenth more are found, and other caches lose them.
const ENTRIES: usize = 1 << PLACE_BITS;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
/// The lowest value in centidiscs is `-OFFSET`, the highest `OFFSET`.
const OFFSET: i32 = 6400;
// A smaller table has no room for the value.
const _: () = assert!(PLACE >= 2 * OFFSET as u64);

/// Static values of one thread.
#[derive(Debug)]
pub(in crate::search) struct EvalCache {
    entries: Box<[[u64; 2]; ENTRIES]>,
    witness: BoardCheck,
}

impl EvalCache {
    pub(super) fn new() -> EvalCache {
        // Of no board: that whose discs are all the opponent's has another hash.
        let entries = vec![[0, u64::MAX]; ENTRIES].into_boxed_slice();
        let entries = entries.try_into().unwrap_or_else(|_| unreachable!("it has ENTRIES entries"));
        EvalCache { entries, witness: BoardCheck::default() }
    }

    /// The static value of `board` in centidiscs, within ±6400: as `evaluate` tells where it is not known.
    #[inline(always)]
    pub(in crate::search) fn value(&mut self, board: Board, evaluate: impl FnOnce() -> i32) -> i32 {
        let hash = scattered(board).rotate_left(PLACE_BITS);
        let entry = &mut self.entries[(hash & PLACE) as usize];
        let [first, opponent] = *entry;
        if (first ^ hash) & !PLACE | (opponent ^ board.opponent.0) == 0 {
            self.witness.found(entry, Some(board));
            return (first & PLACE) as i32 - OFFSET;
        }
        let value = evaluate();
        debug_assert!(value.abs() <= OFFSET);
        *entry = [hash & !PLACE | (value + OFFSET) as u64, board.opponent.0];
        self.witness.stored(entry, Some(board));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::random::Random;

    /// A board with discs on about three squares of four.
    fn board(random: &mut Random) -> Board {
        let (empty, player) = (random.bits() & random.bits(), random.bits());
        Board { player: Bitboard(player & !empty), opponent: Bitboard(!player & !empty) }
    }

    #[test]
    fn a_value_is_found_again_and_for_its_own_board_alone() {
        let mut table = EvalCache::new();
        let mut random = Random::new(5);
        for n in 0..if cfg!(miri) { 200 } else { 100_000 } {
            let board = board(&mut random);
            let value = n % (2 * OFFSET + 1) - OFFSET;
            assert_eq!(table.value(board, || value), value, "evaluated: it is a new one");
            assert_eq!(table.value(board, || unreachable!("it is known")), value);
            // A disc more, less or of the other colour.
            let square = 1 << random.below(64);
            let (player, opponent) = (board.player.0, board.opponent.0);
            let others = [
                (player & !square, opponent & !square),
                (player | square, opponent & !square),
                (player & !square, opponent | square),
                (opponent, player),
            ];
            for (player, opponent) in others {
                let other = Board { player: Bitboard(player), opponent: Bitboard(opponent) };
                if other != board {
                    let mut evaluated = false;
                    table.value(other, || {
                        evaluated = true;
                        0
                    });
                    // Those met twice in this loop are known from the first time.
                    let known = others.iter().filter(|&&same| same == (player, opponent)).count() > 1;
                    assert!(evaluated || known, "{other:?} taken for {board:?}");
                }
            }
        }
    }

    #[test]
    fn an_empty_table_knows_no_board() {
        let boards = [(0, 0), (0, u64::MAX), (u64::MAX, 0), (0, 1), (1, 0)];
        for (player, opponent) in boards {
            let board = Board { player: Bitboard(player), opponent: Bitboard(opponent) };
            assert_eq!(EvalCache::new().value(board, || 77), 77, "{board:?}");
        }
    }
}
