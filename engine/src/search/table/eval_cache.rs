//! Evaluation cache: the most recent static evaluations of one thread.
//!
//! A fifth of the boards of a midgame search are met again before their entry is overwritten: by other orders of the same
//! moves, at the next depth, or by shallow searches of ProbCut. A lookup costs a tenth of an evaluation. A value is found
//! only for its own board, so the search is the same with and without the cache.
//!
//! An entry identifies its whole board like those of the [local table](super::LocalTable):
//!
//! ```text
//! first   63                           15 14            0
//!         | hash                         | value + 6400  |
//! second  | opponent                                     |
//! ```

use super::board_check::BoardCheck;
use super::local::scattered;
use crate::board::Board;
use crate::kernel::Kernels;

/// Bits of a hash that are the index of its entry.
const PLACE_BITS: u32 = 15;
/// Number of entries: half a megabyte. Twice as many find a tenth more, and displace other data from the caches.
const ENTRIES: usize = 1 << PLACE_BITS;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
/// Values are stored in centidiscs plus this. They are from `-OFFSET` to `OFFSET`.
const OFFSET: i32 = 6400;
// A smaller table has no room for the value.
const _: () = assert!(PLACE >= 2 * OFFSET as u64);

/// Static evaluations of one thread.
#[derive(Debug)]
pub(in crate::search) struct EvalCache {
    entries: Box<[[u64; 2]; ENTRIES]>,
    check: BoardCheck,
}

impl EvalCache {
    pub(super) fn new() -> EvalCache {
        // Zeros need not be written. They are the entry of boards without opposing discs, where the game is over.
        let entries = vec![[0; 2]; ENTRIES].into_boxed_slice();
        let entries = entries.try_into().unwrap_or_else(|_| unreachable!("it has ENTRIES entries"));
        EvalCache { entries, check: BoardCheck::default() }
    }

    /// Prefetches the entry of `board`.
    #[inline(always)]
    pub(in crate::search) fn prefetch<K: Kernels>(&self, board: Board) {
        K::prefetch(&self.entries[place(hash(board))]);
    }

    /// Returns the static evaluation of `board` in centidiscs, within ±6400. Calls `evaluate` if it is not cached.
    #[inline(always)]
    pub(in crate::search) fn value(&mut self, board: Board, evaluate: impl FnOnce() -> i32) -> i32 {
        let hash = hash(board);
        let entry = &mut self.entries[place(hash)];
        let [first, opponent] = *entry;
        if (first ^ hash) & !PLACE | (opponent ^ board.opponent.0) == 0 {
            self.check.found(entry, Some(board));
            return (first & PLACE) as i32 - OFFSET;
        }
        let value = evaluate();
        debug_assert!(value.abs() <= OFFSET);
        *entry = [hash & !PLACE | (value + OFFSET) as u64, board.opponent.0];
        self.check.stored(entry, Some(board));
        value
    }
}

#[inline(always)]
fn hash(board: Board) -> u64 {
    scattered(board).rotate_left(PLACE_BITS)
}

#[inline(always)]
fn place(hash: u64) -> usize {
    (hash & PLACE) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;

    #[test]
    fn empty_cache_matches_no_board() {
        let boards = [(0, u64::MAX), (0, 1), (1, 2), (u64::MAX - 1, 1)];
        for (player, opponent) in boards {
            let board = Board { player: Bitboard(player), opponent: Bitboard(opponent) };
            assert_eq!(EvalCache::new().value(board, || 77), 77, "{board:?}");
        }
    }
}
