//! A small table of one thread for the lower storeys, where the large one would be too slow: it fits the
//! second-level cache, and every new result takes its place.

use super::super::table::Key;
use crate::board::{Kernels, Square};

/// Number of entries, a power of two: a quarter of a megabyte in all.
const ENTRIES: usize = 1 << 14;

/// Results of one thread.
#[derive(Debug)]
pub(in crate::search) struct Local {
    entries: Box<[LocalEntry]>,
}

/// What is known about a position, exact to the end of the game; scores are discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalEntry {
    key: u64,
    /// The value is at least this.
    pub(super) lower: i8,
    /// The value is at most this.
    pub(super) upper: i8,
    /// The best move, 64 for none.
    best: u8,
}

impl LocalEntry {
    const EMPTY: LocalEntry = LocalEntry { key: 0, lower: -64, upper: 64, best: 64 };

    pub(super) fn best(&self) -> Option<Square> {
        Square::new(self.best)
    }
}

impl Local {
    pub(in crate::search) fn new() -> Local {
        Local { entries: vec![LocalEntry::EMPTY; ENTRIES].into_boxed_slice() }
    }

    /// Asks the processor to load the entry of `key`.
    #[inline(always)]
    pub(super) fn prefetch<K: Kernels>(&self, key: Key) {
        K::prefetch(&self.entries[key.bits() as usize % ENTRIES]);
    }

    /// What is known about the position of `key`; nothing is the widest bounds.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> LocalEntry {
        let entry = self.entries[key.bits() as usize % ENTRIES];
        if entry.key == key.bits() { entry } else { LocalEntry::EMPTY }
    }

    /// Stores what a null-window search above `alpha` found.
    #[inline(always)]
    pub(super) fn put(&mut self, key: Key, alpha: i32, score: i32, best: Option<Square>) {
        let entry = &mut self.entries[key.bits() as usize % ENTRIES];
        if entry.key != key.bits() {
            *entry = LocalEntry { key: key.bits(), ..LocalEntry::EMPTY };
        }
        if score > alpha {
            entry.lower = score as i8;
        } else {
            entry.upper = score as i8;
        }
        entry.best = best.map_or(64, |square| square.index() as u8);
    }
}
