//! A small table of one thread for the last squares of the endgame, where the shared one would be too slow: it fits
//! the second-level cache, and every new result takes its place.
//!
//! An entry recognises its whole board in the room of two words. It needs no bits of the hash that are its place in
//! the table. Nor does it need the opponent's discs on the four central squares: only boards with discs on all four
//! are kept, so that the opponent has those that the player has not. The result stands in the room of both:
//!
//! ```text
//! first   63                           14 13     7 6      0
//!         | hash                         | lower  | upper |
//! second  63         37 36 35 34    29 28 27 26           0
//!         | opponent   | move| opponent | move| opponent  |
//! ```

use super::key::Key;
use super::witness::Witness;
use crate::board::{Bitboard, Board, Square};
use crate::kernel::Kernels;
use crate::search::value::Discs;

/// Bits of a hash that are the place of its entry.
const PLACE_BITS: u32 = 14;
/// Number of entries: a quarter of a megabyte in all.
const ENTRIES: usize = 1 << PLACE_BITS;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
/// Bits of a score as it is stored: half of it and 32, which is 0 to 64.
const SCORE_BITS: u32 = PLACE_BITS / 2;
const SCORE: u64 = (1 << SCORE_BITS) - 1;
/// d4, e4, d5 and e5.
const CENTRE: u64 = 0x0000_0018_1800_0000;

/// Results of one thread.
#[derive(Debug)]
pub(in crate::search) struct LocalTable {
    entries: Box<[Stored; ENTRIES]>,
    witness: Witness,
}

/// An entry as it stands in the table.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Stored([u64; 2]);

/// What is known about a position, exact to the end of the game; scores are discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct LocalEntry {
    lower: u64,
    upper: u64,
    /// Squares of which one is the best move.
    best: Bitboard,
}

impl LocalEntry {
    /// The widest bounds and no move.
    const UNKNOWN: LocalEntry = LocalEntry { lower: 0, upper: 64, best: Bitboard(0) };

    /// The value is at least this.
    #[inline(always)]
    pub(in crate::search) fn lower(self) -> Discs {
        Discs(2 * self.lower as i32 - 64)
    }

    /// The value is at most this.
    #[inline(always)]
    pub(in crate::search) fn upper(self) -> Discs {
        Discs(2 * self.upper as i32 - 64)
    }

    /// The best of `moves`, if it is known: one of at most four.
    #[inline(always)]
    pub(in crate::search) fn best_of(self, moves: Bitboard) -> Option<Square> {
        (moves & self.best).into_iter().next()
    }
}

impl LocalTable {
    pub(in crate::search) fn new() -> LocalTable {
        // Of whatever board this may be the entry, it says nothing.
        let empty = Stored([LocalEntry::UNKNOWN.upper, 0]);
        let entries = vec![empty; ENTRIES].into_boxed_slice();
        let entries = entries.try_into().unwrap_or_else(|_| unreachable!("it has ENTRIES entries"));
        LocalTable { entries, witness: Witness::default() }
    }

    /// Asks the processor to load the entry of `key`.
    #[inline(always)]
    pub(in crate::search) fn prefetch<K: Kernels>(&self, key: Key) {
        K::prefetch(&self.entries[(key.hash & PLACE) as usize]);
    }

    /// What is known about `board`, whose key is `key`.
    #[inline(always)]
    pub(in crate::search) fn get(&self, key: Key, board: Board) -> LocalEntry {
        let entry = &self.entries[(key.hash & PLACE) as usize];
        let Stored([first, second]) = *entry;
        let others =
            (first ^ key.hash) & !PLACE | (second ^ key.opponent) & !CENTRE | board.empty().0 & CENTRE;
        if others != 0 {
            return LocalEntry::UNKNOWN;
        }
        self.witness.found(entry, Some(board));
        // The place of the move in a pair of rows: the same in all four.
        let place = second >> 27 & 3 | second >> 33 & 12;
        let best = Bitboard(0x0001_0001_0001_0001 << place);
        LocalEntry { lower: first >> SCORE_BITS & SCORE, upper: first & SCORE, best }
    }

    /// Stores what a null-window search above `alpha` found about `board`: its value is `value` or, fail-soft, beyond
    /// it, and `best` its best move. `known` is what was known before.
    #[inline(always)]
    pub(in crate::search) fn put(
        &mut self,
        key: Key,
        board: Board,
        known: LocalEntry,
        alpha: Discs,
        value: Discs,
        best: Option<Square>,
    ) {
        if board.empty().0 & CENTRE != 0 {
            return;
        }
        let stored = (value.0 + 64) as u64 >> 1;
        let (lower, upper) = if value > alpha { (stored, known.upper) } else { (known.lower, stored) };
        let place = best.map_or(0, |square| square.index() as u64 & 15);
        let first = key.hash & !PLACE | lower << SCORE_BITS | upper;
        let second = key.opponent & !CENTRE | (place & 3) << 27 | (place & 12) << 33;
        let entry = &mut self.entries[(key.hash & PLACE) as usize];
        *entry = Stored([first, second]);
        self.witness.stored(entry, Some(board));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_for_this_board_alone() {
        let mut table = LocalTable::new();
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            state ^ state >> 29
        };
        for n in 0..if cfg!(miri) { 200 } else { 20_000 } {
            let (empty, black) = (random() & random() & random() & !CENTRE, random());
            let board = Board { player: Bitboard(black & !empty), opponent: Bitboard(!black & !empty) };
            let key = Key::of(board);
            let square = Square::masked(random() as u32);
            let score = 2 * (n % 65) - 64;
            assert_eq!(table.get(key, board), LocalEntry::UNKNOWN);
            table.put(key, board, LocalEntry::UNKNOWN, Discs(score - 1), Discs(score), Some(square));
            let known = table.get(key, board);
            assert_eq!((known.lower(), known.upper()), (Discs(score), Discs(64)));
            assert_eq!(known.best_of(Bitboard(1 << square.index())), Some(square));
            table.put(key, board, known, Discs(score), Discs(score), Some(square));
            let known = table.get(key, board);
            assert_eq!((known.lower(), known.upper()), (Discs(score), Discs(score)));
            // Boards that differ in a square are told apart even in the same place.
            for toggled in Bitboard(!0) {
                let toggled = Bitboard(1 << toggled.index());
                for other in [
                    Board { player: board.player ^ toggled, opponent: board.opponent & !toggled },
                    Board { player: board.player & !toggled, opponent: board.opponent ^ toggled },
                ] {
                    let own = Key::of(other);
                    let here = Key { hash: own.hash & !PLACE | key.hash & PLACE, ..own };
                    assert_eq!(table.get(here, other), LocalEntry::UNKNOWN, "{other:?}");
                }
            }
        }
    }

    #[test]
    fn a_board_without_a_disc_in_the_centre_is_not_kept() {
        let mut table = LocalTable::new();
        let board = Board { player: Bitboard(!CENTRE), opponent: Bitboard(CENTRE & CENTRE << 1) };
        let key = Key::of(board);
        table.put(key, board, LocalEntry::UNKNOWN, Discs(0), Discs(2), None);
        assert_eq!(table.get(key, board), LocalEntry::UNKNOWN);
    }
}
