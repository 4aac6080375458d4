//! A small table of one thread for the lower storeys, where the large one would be too slow: it fits the
//! second-level cache, and every new result takes its place.

use super::super::table::Key;
use crate::board::{Kernels, Square};

/// Number of entries, a power of two: a quarter of a megabyte in all.
const ENTRIES: usize = 1 << 15;
/// Bits of an entry below those of its key.
const RESULT_BITS: u32 = 21;

/// Results of one thread. An entry is the upper 43 bits of the key, and 21 of the result (another 15 of the key are the
/// entry's place).
#[derive(Debug)]
pub(in crate::search) struct Local {
    entries: Box<[u64; ENTRIES]>,
}

/// What is known about a position, exact to the end of the game; scores are discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalEntry(u64);

impl LocalEntry {
    const EMPTY: LocalEntry = LocalEntry(64 << 7 | 64);

    /// The value is at least this.
    #[inline(always)]
    pub(super) fn lower(self) -> i32 {
        2 * (self.0 >> 14 & 127) as i32 - 64
    }

    /// The value is at most this.
    #[inline(always)]
    pub(super) fn upper(self) -> i32 {
        2 * (self.0 >> 7 & 127) as i32 - 64
    }

    /// The best move.
    #[inline(always)]
    pub(super) fn best(self) -> Option<Square> {
        Square::new((self.0 & 127) as u8)
    }
}

impl Local {
    pub(in crate::search) fn new() -> Local {
        let entries = vec![LocalEntry::EMPTY.0; ENTRIES].into_boxed_slice();
        Local { entries: entries.try_into().unwrap_or_else(|_| unreachable!("it has ENTRIES entries")) }
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
        if (entry ^ key.bits()) >> RESULT_BITS == 0 { LocalEntry(entry) } else { LocalEntry::EMPTY }
    }

    /// Stores what a null-window search above `alpha` found, `known` being what was known before.
    #[inline(always)]
    pub(super) fn put(&mut self, key: Key, known: LocalEntry, alpha: i32, score: i32, best: Option<Square>) {
        let half = (score + 64) as u64 >> 1;
        let bounds =
            if score > alpha { known.0 & 127 << 7 | half << 14 } else { known.0 & 127 << 14 | half << 7 };
        self.entries[key.bits() as usize % ENTRIES] = key.bits() >> RESULT_BITS << RESULT_BITS
            | bounds
            | best.map_or(64, |square| square.index() as u64);
    }
}
