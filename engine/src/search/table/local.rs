//! A small table of one thread for the last squares of the endgame, where the shared table would be too slow. It fits into
//! the second-level cache, and every new result overwrites the entry in its place.
//!
//! An entry identifies its whole board in two words. The hash and the opponent's discs determine the player's discs, and the
//! bits of the hash that are the index of the entry are not stored. The result takes their place:
//!
//! ```text
//! first   63                           14 13     7 6      0
//!         | hash                         | lower  | upper |
//! second  | opponent                                      |
//! ```

use super::board_check::BoardCheck;
use crate::board::Board;
use crate::kernel::Kernels;
use crate::search::value::Discs;

/// Bits of a hash that are the index of its entry.
const PLACE_BITS: u32 = 14;
/// Number of entries: a quarter of a megabyte.
const ENTRIES: usize = 1 << PLACE_BITS;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
/// Bits of a stored score: half the score plus 32, from 0 to 64.
const SCORE_BITS: u32 = PLACE_BITS / 2;
const SCORE: u64 = (1 << SCORE_BITS) - 1;
// A smaller table has no room for both bounds.
const _: () = assert!(SCORE >= 64);

/// Results of one thread.
#[derive(Debug)]
pub(in crate::search) struct LocalTable {
    entries: Box<[Stored; ENTRIES]>,
    check: BoardCheck,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Stored([u64; 2]);

/// Returns a number that determines the player's discs if the opponent's are known. Its highest bits depend on all squares.
///
/// Cheaper than the [`Key`](super::Key) of the shared table, which must spread boards over much more memory.
#[inline(always)]
pub(super) fn scattered(board: Board) -> u64 {
    let player = board.player.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let opponent = board.opponent.0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    player.wrapping_add(opponent)
}

/// The key of a [`LocalTable`]. The highest bits of the mixed number are the index.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct LocalKey {
    hash: u64,
    opponent: u64,
}

impl LocalKey {
    #[inline(always)]
    pub(in crate::search) fn of(board: Board) -> LocalKey {
        LocalKey { hash: scattered(board).rotate_left(PLACE_BITS), opponent: board.opponent.0 }
    }

    #[inline(always)]
    fn place(self) -> usize {
        (self.hash & PLACE) as usize
    }
}

/// The bounds of a position, exact to the end of the game, in discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct LocalEntry {
    lower: u64,
    upper: u64,
}

impl LocalEntry {
    const UNKNOWN: LocalEntry = LocalEntry { lower: 0, upper: 64 };

    #[inline(always)]
    pub(in crate::search) fn lower(self) -> Discs {
        Discs(2 * self.lower as i32 - 64)
    }

    #[inline(always)]
    pub(in crate::search) fn upper(self) -> Discs {
        Discs(2 * self.upper as i32 - 64)
    }
}

impl LocalTable {
    pub(in crate::search) fn new() -> LocalTable {
        // An entry that contains no bounds of any board.
        let empty = Stored([LocalEntry::UNKNOWN.upper, 0]);
        let entries = vec![empty; ENTRIES].into_boxed_slice();
        let entries = entries.try_into().unwrap_or_else(|_| unreachable!("it has ENTRIES entries"));
        LocalTable { entries, check: BoardCheck::default() }
    }

    #[inline(always)]
    pub(in crate::search) fn prefetch<K: Kernels>(&self, key: LocalKey) {
        K::prefetch(&self.entries[key.place()]);
    }

    /// Returns the bounds of `board`, whose key is `key`.
    #[inline(always)]
    pub(in crate::search) fn get(&self, key: LocalKey, board: Board) -> LocalEntry {
        let entry = &self.entries[key.place()];
        let Stored([first, opponent]) = *entry;
        if (first ^ key.hash) & !PLACE | (opponent ^ key.opponent) != 0 {
            return LocalEntry::UNKNOWN;
        }
        self.check.found(entry, Some(board));
        LocalEntry { lower: first >> SCORE_BITS & SCORE, upper: first & SCORE }
    }

    /// Stores the result of a null-window search of `board` above `alpha`: its value is `value`, or beyond it (fail-soft).
    /// `known` are the bounds from before.
    #[inline(always)]
    pub(in crate::search) fn put(
        &mut self,
        key: LocalKey,
        board: Board,
        known: LocalEntry,
        alpha: Discs,
        value: Discs,
    ) {
        let stored = (value.0 + 64) as u64 >> 1;
        let (lower, upper) = if value > alpha { (stored, known.upper) } else { (known.lower, stored) };
        let entry = &mut self.entries[key.place()];
        *entry = Stored([key.hash & !PLACE | lower << SCORE_BITS | upper, key.opponent]);
        self.check.stored(entry, Some(board));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::samples::random_boards;

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes and touches no memory")]
    fn positions_of_one_search_are_spread_evenly() {
        // Everything below one board, five plies deep: few squares differ.
        let mut found = std::collections::HashSet::new();
        let mut front: Vec<Board> = random_boards(3).filter(|board| board.empties() == 9).take(40).collect();
        for _ in 0..5 {
            front = front
                .iter()
                .flat_map(|&board| {
                    board.moves().into_iter().map(move |mv| board.after_move(mv, board.flips(mv)))
                })
                .collect();
            found.extend(front.iter().map(|board| (board.player.0, board.opponent.0)));
        }
        let boards = found.len() as f64;
        let places: std::collections::HashSet<usize> = found
            .iter()
            .map(|&(player, opponent)| {
                LocalKey::of(Board { player: Bitboard(player), opponent: Bitboard(opponent) }).place()
            })
            .collect();
        // As many as chance would fill.
        let expected = ENTRIES as f64 * (1.0 - (-boards / ENTRIES as f64).exp());
        assert!(boards > 5000.0, "{boards}");
        assert!(places.len() as f64 > 0.97 * expected, "{} of {expected} for {boards}", places.len());
    }
}
