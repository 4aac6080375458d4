//! The transposition table: bounds and best moves of positions that were searched.
//!
//! An entry identifies its whole board, not a hash of it: a position never gets the score of another one. It contains the
//! opponent's discs and the key, which determine the player's discs, since [`Key::of`] can be inverted for given discs of
//! the opponent.
//!
//! Five entries form a bucket of two adjacent cache lines.
//!
//! # Without a lock
//!
//! All threads share the table without a lock. An entry consists of three 64-bit words: the data, and the key and the
//! opponent's discs, each combined with the data by exclusive or (Hyatt and Mann, *A lock-less transposition-table
//! implementation for parallel search*, ICGA Journal 25:1, 2002). Every word is an atomic that is read and written
//! `Relaxed`:
//!
//! - There is no data race on any machine: a word is never half of one write and half of another.
//! - The order of the three words is not guaranteed. A reader may find any mixture of words that were ever stored in their
//!   places, by up to three writers. Such an entry is torn. Each word is read once, so the reader returns the words that it
//!   compared.
//! - A torn entry matches a position only if both key words differ from those of the position in exactly the bits in which
//!   the data differ. A mixture of entries of the same position never matches, because key words of other data differ from
//!   those of the data read. A mixture of entries of different positions matches only if two 64-bit words are equal by
//!   chance. The hash alone makes this as rare as one in 2^64 for each torn entry. In all other cases the torn entry belongs
//!   to no position, and the next entry stored there overwrites it.
//! - A word guarantees nothing about other memory. The content of an entry is true for its board indefinitely, whichever
//!   search stored it. Therefore no order is needed, and a late thread of an earlier search does no harm.
//! - Two threads that write to one bucket at the same time can lose a result, because both choose the same place. They can
//!   also store a position twice. The second entry is then not found until the first one is overwritten. The next search of
//!   the position repairs this.
//! - Generation and salt are read again for each access. A result stored while they change belongs to the old or the new
//!   search, and is true in both.
//!
//! A test goes through all mixtures of words of several writers. Other tests let threads write to one bucket, also under
//! Miri and the thread sanitizer (`cargo xtask test sanitize`).
//!
//! # Two partitions
//!
//! Most probes are for positions near the end of the game that were stored recently. These positions have a separate small
//! partition that stays in the processor's cache. FFO 40 to 49 take 2 % more nodes with it but less time, most of all in
//! wasm, which has neither large pages nor prefetches.
//!
//! ```text
//! data  63         56 55   49 48   42 41 39 38  32 31     16 15      0
//!       | generation | second | first | conf | depth | upper   | lower  |
//! ```

mod board_check;
mod entry;
mod eval_cache;
mod key;
mod local;

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

pub(super) use entry::{Draft, Entry};
pub(super) use key::Key;
pub(super) use local::LocalKey;

use super::memory::TableMemory;
use super::value::Centidiscs;
use crate::board::Square;
use crate::kernel::Kernels;
use board_check::BoardCheck;
use eval_cache::EvalCache;
use key::Partition;
use local::LocalTable;

const ENTRY_WORDS: usize = 3;
/// Words of a bucket: two cache lines. The last word is not used.
const BUCKET_WORDS: usize = 16;
/// Smallest table: one megabyte.
const MIN_BUCKETS: usize = (1 << 20) / (BUCKET_WORDS * 8);

/// Largest size of the late partition. It is also at most a quarter of the table.
const LATE_BUCKETS: usize = (512 << 10) / (BUCKET_WORDS * 8);

/// A size of the transposition table in mebibytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HashSize(pub u32);

pub(super) struct Table {
    /// Empty if not even the smallest table could be allocated.
    words: Option<TableMemory>,
    buckets: usize,
    /// The number of buckets in the late partition, which comes first.
    late: usize,
    /// Counts searches, so that entries of earlier searches are replaced first.
    generation: AtomicU8,
    since_cleared: AtomicU8,
    /// Part of every key. Entries stored under another salt do not match, except with a chance of one in 2^128.
    salt: AtomicU64,
    /// Results of deeper searches serve the drafts of this search, which saves time, but makes values depend on what was searched
    /// before.
    pub(super) serves_deeper: AtomicBool,
    /// This search finds no results of earlier ones: its values are the same whatever was searched before. In whole games, that
    /// costs a tenth of the nodes.
    pub(super) forgets: AtomicBool,
    check: BoardCheck,
}

#[derive(Debug)]
pub(super) struct ThreadTables {
    /// Results of the last squares of the endgame.
    pub(super) results: LocalTable,
    /// Static evaluations.
    pub(super) values: EvalCache,
}

impl ThreadTables {
    pub(super) fn new() -> ThreadTables {
        ThreadTables { results: LocalTable::new(), values: EvalCache::new() }
    }
}

/// The three words of an entry as they are stored.
struct Stored<'t>(&'t [AtomicU64; ENTRY_WORDS]);

impl<'t> Stored<'t> {
    /// Returns the entries of a bucket.
    #[inline(always)]
    fn all(bucket: &'t [AtomicU64]) -> impl Iterator<Item = Stored<'t>> {
        bucket.as_chunks::<ENTRY_WORDS>().0.iter().map(Stored)
    }

    #[inline(always)]
    fn data(&self) -> u64 {
        self.0[0].load(Relaxed)
    }

    /// Returns `true` if the entry has this key, provided that `data` are its data.
    #[inline(always)]
    fn is_of(&self, data: u64, key: Salted) -> bool {
        self.0[1].load(Relaxed) ^ data == key.hash && self.0[2].load(Relaxed) ^ data == key.opponent
    }

    /// Returns the key, provided that `data` are its data.
    fn key(&self, data: u64) -> Salted {
        Salted { hash: self.0[1].load(Relaxed) ^ data, opponent: self.0[2].load(Relaxed) ^ data }
    }

    #[inline(always)]
    fn set(&self, data: u64, key: Salted) {
        self.0[0].store(data, Relaxed);
        self.0[1].store(key.hash ^ data, Relaxed);
        self.0[2].store(key.opponent ^ data, Relaxed);
    }
}

/// The words of a key combined with the salt of the table.
#[derive(Clone, Copy)]
struct Salted {
    hash: u64,
    opponent: u64,
}

impl Salted {
    #[inline(always)]
    fn new(hash: u64, opponent: u64, salt: u64) -> Salted {
        Salted { hash: hash ^ salt, opponent: opponent ^ salt.rotate_left(32) }
    }
}

impl Table {
    /// Returns a table of this size, or of the largest half, quarter and so on that can be allocated.
    pub(super) fn new(size: HashSize) -> Table {
        let mut buckets = (size.0 as usize).saturating_mul(1 << 20) / (BUCKET_WORDS * 8);
        loop {
            buckets = buckets.max(MIN_BUCKETS);
            match TableMemory::new(buckets * BUCKET_WORDS) {
                None if buckets > MIN_BUCKETS => buckets /= 2,
                // If not even one megabyte is available, the search runs without a table.
                None => return Table::of(None, 0),
                words => return Table::of(words, buckets),
            }
        }
    }

    fn of(words: Option<TableMemory>, buckets: usize) -> Table {
        let (generation, since_cleared, salt) = (AtomicU8::new(1), AtomicU8::new(0), AtomicU64::new(0));
        let late = LATE_BUCKETS.min(buckets / 4);
        let (serves_deeper, forgets, check) = Default::default();
        Table { words, buckets, late, generation, since_cleared, salt, serves_deeper, forgets, check }
    }

    /// Touches part `part` (from 0) of the memory, so that the system provides it. Returns `false` if there is no such part.
    pub(super) fn touch(&self, part: usize) -> bool {
        const WORDS_OF_A_PART: usize = (2 << 20) / 8;
        const WORDS_OF_A_PAGE: usize = 4096 / 8;
        let words = self.words.as_ref().and_then(|words| words.chunks(WORDS_OF_A_PART).nth(part));
        for word in words.unwrap_or_default().iter().step_by(WORDS_OF_A_PAGE) {
            word.fetch_or(0, Relaxed);
        }
        words.is_some()
    }

    pub(super) fn size(&self) -> HashSize {
        HashSize(((self.buckets * BUCKET_WORDS * 8) >> 20) as u32)
    }

    /// Copies the entries of another table.
    pub(super) fn take_over(&self, other: &Table) {
        let (generation, since_cleared) = (other.generation.load(Relaxed), other.since_cleared.load(Relaxed));
        self.generation.store(generation, Relaxed);
        self.since_cleared.store(since_cleared, Relaxed);
        self.serves_deeper.store(other.serves_deeper.load(Relaxed), Relaxed);
        self.forgets.store(other.forgets.load(Relaxed), Relaxed);
        let salt = other.salt.load(Relaxed);
        let buckets = other.words.iter().flat_map(|words| words.chunks_exact(BUCKET_WORDS));
        for (place, bucket) in buckets.enumerate() {
            let partition = if place < other.late { Partition::Late } else { Partition::Early };
            for stored in Stored::all(bucket) {
                let data = stored.data();
                if data != 0 && generation.wrapping_sub((data >> 56) as u8) <= since_cleared {
                    // Combining with the salt twice removes it.
                    let Salted { hash, opponent } = stored.key(data);
                    let Salted { hash, opponent } = Salted::new(hash, opponent, salt);
                    let key = Key::from_parts(hash, opponent, partition);
                    self.insert_as(key, Entry::unpack(data), (data >> 56) as u8);
                }
            }
        }
    }

    /// Makes the entries stored from now on newer than all others.
    pub(super) fn new_search(&self) {
        self.next_generation();
        self.since_cleared.store(self.since_cleared.load(Relaxed).saturating_add(1), Relaxed);
    }

    /// Empties the table at once: to overwrite a gigabyte takes longer than a GUI waits for an answer. The existing entries
    /// then count as empty.
    pub(super) fn clear(&self) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.salt.store(self.salt.load(Relaxed).wrapping_add(ODD), Relaxed);
        self.next_generation();
        self.since_cleared.store(0, Relaxed);
    }

    fn next_generation(&self) {
        let generation = self.generation.load(Relaxed);
        if generation == u8::MAX {
            self.renumber();
        }
        self.generation.store(if generation == u8::MAX { 2 } else { generation + 1 }, Relaxed);
    }

    /// Renumbers the generations before they overflow: entries of the last search get the first number, older entries zero.
    /// Entries that were cleared are removed, since they must not match under a later salt.
    fn renumber(&self) {
        const NUMBER: u32 = 56;
        let since_cleared = self.since_cleared.load(Relaxed);
        let buckets = self.words.iter().flat_map(|words| words.chunks_exact(BUCKET_WORDS));
        for stored in buckets.flat_map(Stored::all) {
            let data = stored.data();
            let age = u8::MAX - (data >> NUMBER) as u8;
            let others = data & !(u64::from(u8::MAX) << NUMBER);
            if data == 0 || age > since_cleared {
                stored.0.iter().for_each(|word| word.store(0, Relaxed));
            } else {
                stored.set(others | u64::from(age == 0) << NUMBER, stored.key(data));
            }
        }
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &[AtomicU64] {
        // The high bits of the product spread the key evenly over any number of buckets. Half of the key suffices: a 128-bit
        // product is a function call in WebAssembly.
        let (first, buckets) = match key.partition {
            Partition::Late => (0, self.late),
            Partition::Early => (self.late, self.buckets - self.late),
        };
        let bucket = first + (((key.hash >> 32) * buckets as u64) >> 32) as usize;
        let start = bucket * BUCKET_WORDS;
        self.words.as_ref().and_then(|words| words.get(start..start + BUCKET_WORDS)).unwrap_or(&[])
    }

    #[inline(always)]
    pub(super) fn prefetch<K: Kernels>(&self, key: Key) {
        if let [first, .., last] = self.bucket(key) {
            K::prefetch(first);
            K::prefetch(last);
        }
    }

    #[inline(always)]
    fn salted(&self, key: Key) -> Salted {
        Salted::new(key.hash, key.opponent, self.salt.load(Relaxed))
    }

    /// Returns what the table contains about the position of `key`.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> Option<Entry> {
        let salted = self.salted(key);
        for stored in Stored::all(self.bucket(key)) {
            let data = stored.data();
            // A match is rare, so the following code need not wait for the entry. Whether the entry is empty is hard to
            // predict and is checked later.
            if stored.is_of(data, salted) {
                self.check.found(stored.0, key.board());
                return (data != 0 && self.is_known(data)).then(|| Entry::unpack(data));
            }
        }
        None
    }

    /// Returns `true` if this search may use an entry.
    #[inline(always)]
    fn is_known(&self, data: u64) -> bool {
        !self.forgets.load(Relaxed) || data >> 56 == u64::from(self.generation.load(Relaxed))
    }

    /// Stores a result: a search of the window between both ends returned `value`.
    #[inline(always)]
    pub(super) fn put(
        &self,
        key: Key,
        draft: Draft,
        window: (Centidiscs, Centidiscs),
        value: Centidiscs,
        best: Option<Square>,
    ) {
        let mut entry = Entry { depth: draft.depth, confidence: draft.confidence, ..Entry::UNKNOWN };
        if value > window.0 {
            entry.lower = value.0 as i16;
        }
        if value < window.1 {
            entry.upper = value.0 as i16;
        }
        entry.moves[0] = best;
        self.insert(key, entry);
    }

    /// Stores `new`, combined with the existing bounds of the same depth and confidence.
    pub(super) fn insert(&self, key: Key, new: Entry) {
        self.insert_as(key, new, self.generation.load(Relaxed));
    }

    fn insert_as(&self, key: Key, mut new: Entry, generation: u8) {
        let since_cleared = self.since_cleared.load(Relaxed);
        let salted = self.salted(key);
        let bucket = self.bucket(key);
        let mut worst = usize::MAX;
        let mut worst_rank = u32::MAX;
        for (place, stored) in Stored::all(bucket).enumerate() {
            let data = stored.data();
            if data != 0 && stored.is_of(data, salted) {
                self.check.found(stored.0, key.board());
                let old = if self.is_known(data) { Entry::unpack(data) } else { Entry::UNKNOWN };
                let failed_low = new.lower == Entry::UNKNOWN.lower;
                if old.depth == new.depth && old.confidence == new.confidence {
                    let (lower, upper) = (old.lower.max(new.lower), old.upper.min(new.upper));
                    // If the bounds contradict each other, as those of selective searches may, the new ones are stored.
                    if lower <= upper {
                        (new.lower, new.upper) = (lower, upper);
                    }
                } else if old.depth > new.depth
                    && old.confidence >= new.confidence
                    && data >> 56 == u64::from(generation)
                {
                    // A deeper and more reliable result of this search is worth more than a shallower one.
                    if new.moves[0].is_none() || old.moves[0] == new.moves[0] {
                        return;
                    }
                }
                // A move that failed low is a guess. A move that was good enough once comes before it.
                if new.moves[0].is_none() || (failed_low && old.moves[0].is_some()) {
                    new.moves = old.moves;
                } else if old.moves[0] != new.moves[0] {
                    new.moves[1] = old.moves[0];
                } else {
                    new.moves[1] = old.moves[1];
                }
                worst = place;
                break;
            }
            // Entries of earlier searches are replaced first, then shallow ones.
            let age = generation.wrapping_sub((data >> 56) as u8);
            let rank = if data == 0 || age > since_cleared {
                0
            } else {
                let young = u32::from((data >> 56) as u8 == generation);
                (young << 10 | (data >> 32 & 127) as u32) + 1
            };
            if rank < worst_rank {
                (worst, worst_rank) = (place, rank);
            }
        }
        if let Some(stored) = Stored::all(bucket).nth(worst) {
            stored.set(new.pack(generation), salted);
            self.check.stored(stored.0, key.board());
        }
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("buckets", &self.buckets).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
