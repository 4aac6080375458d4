//! The transposition table: what is known about positions already searched.
//!
//! It is shared by all threads without a lock. An entry is two 64-bit words, the data and the key
//! exclusive-ored with it: a torn pair of words reads as another position's (Hyatt and Mann, *A lock-less
//! transposition-table implementation for parallel search*, ICGA Journal 25:1, 2002). Four entries make a
//! bucket of one cache line.
//!
//! Most probes are for positions near the end of the game, and mostly for such as were stored a moment ago. These have
//! a small part of the table to themselves, which stays in the processor's cache, where any part of the whole would
//! not: FFO 40 to 49 take 2 % more nodes for it, and less time, most of all in wasm, which has neither large pages
//! nor prefetches.
//!
//! ```text
//! data  63      56 55   49 48   42 41 39 38  32 31     16 15      0
//!       | date    | second | first | conf | depth | upper   | lower  |
//! ```

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::HashSize;
use super::memory::Words;
use crate::board::{Board, Kernels, Square};
use crate::score::{Confidence, Score};

const ENTRIES: usize = 4;
const WORDS: usize = 2 * ENTRIES;
/// Smallest table: one megabyte.
const MIN_BUCKETS: usize = (1 << 20) / (WORDS * 8);

/// Positions with up to this number of empty squares are *near* ones.
const NEAR: u32 = 12;
/// Buckets for near positions, half a megabyte of them, but at most a quarter of the table.
const NEAR_BUCKETS: usize = (512 << 10) / (WORDS * 8);

/// A hash of a board, the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    bits: u64,
    near: bool,
}

/// What the table knows about a position; scores are the mover's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The value is at least this.
    pub(super) lower: i16,
    /// The value is at most this.
    pub(super) upper: i16,
    /// Plies it was searched; all empties when to the end of the game.
    pub(super) depth: u8,
    /// Place of the confidence in [`Confidence::LEVELS`].
    pub(super) level: u8,
    /// The best move and the one before it.
    pub(super) moves: [Option<Square>; 2],
}

/// How well a result is founded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    /// Plies searched; all empties when to the end of the game.
    pub(super) depth: u8,
    /// Place of the confidence in [`Confidence::LEVELS`].
    pub(super) level: u8,
}

/// The transposition table.
pub(super) struct Table {
    /// Nothing where not even the smallest table could be allocated.
    words: Option<Words>,
    buckets: usize,
    /// Of these the first, for near positions.
    near: usize,
    /// Counts searches, so that old entries give way first.
    date: AtomicU8,
    /// Searches since everything was forgotten.
    since_cleared: AtomicU8,
    /// Part of every key: what was stored under another salt is not found any more.
    salt: AtomicU64,
}

impl Key {
    /// Its bits.
    #[inline(always)]
    pub(super) fn bits(self) -> u64 {
        self.bits
    }

    #[inline(always)]
    pub(super) fn of(board: Board) -> Key {
        // Two rounds of multiplication and folding over the two words.
        let mixed = board.player.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ board.opponent.0.rotate_left(32).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let folded = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        Key { bits: folded ^ folded >> 29, near: board.empties() <= NEAR }
    }
}

impl Entry {
    /// Nothing but a place for a best move.
    pub(super) const UNKNOWN: Entry = Entry {
        lower: Score::MIN.centidiscs() as i16,
        upper: Score::MAX.centidiscs() as i16,
        depth: 0,
        level: 0,
        moves: [None, None],
    };

    /// Whether the bounds hold for a search to `depth` at confidence number `level`.
    #[inline(always)]
    pub(super) fn serves(&self, depth: u8, level: u8) -> bool {
        self.depth >= depth && self.level >= level
    }

    fn pack(&self, date: u8) -> u64 {
        let square = |square: Option<Square>| square.map_or(64, |s| s.index() as u64);
        u64::from(self.lower as u16)
            | u64::from(self.upper as u16) << 16
            | u64::from(self.depth) << 32
            | u64::from(self.level) << 39
            | square(self.moves[0]) << 42
            | square(self.moves[1]) << 49
            | u64::from(date) << 56
    }

    #[inline(always)]
    fn unpack(data: u64) -> Entry {
        let square = |shift: u32| Square::new((data >> shift & 127) as u8);
        Entry {
            lower: data as u16 as i16,
            upper: (data >> 16) as u16 as i16,
            depth: (data >> 32 & 127) as u8,
            level: (data >> 39 & 7) as u8,
            moves: [square(42), square(49)],
        }
    }
}

impl Table {
    /// A table of that size, or of half of it, a quarter … whatever can be allocated.
    pub(super) fn new(size: HashSize) -> Table {
        let mut buckets = (size.0 as usize).saturating_mul(1 << 20) / (WORDS * 8);
        loop {
            buckets = buckets.max(MIN_BUCKETS);
            match Words::new(buckets * WORDS) {
                None if buckets > MIN_BUCKETS => buckets /= 2,
                // Without even a megabyte, a table of nothing still lets the search go on.
                None => return Table::of(None, 0),
                words => return Table::of(words, buckets),
            }
        }
    }

    fn of(words: Option<Words>, buckets: usize) -> Table {
        let (date, since_cleared, salt) = (AtomicU8::new(1), AtomicU8::new(0), AtomicU64::new(0));
        let near = NEAR_BUCKETS.min(buckets / 4);
        Table { words, buckets, near, date, since_cleared, salt }
    }

    /// Uses the memory of part number `part` (from 0) for the first time, which is when the system provides it;
    /// false where there is no such part.
    pub(super) fn touch(&self, part: usize) -> bool {
        const WORDS_OF_A_PART: usize = (2 << 20) / 8;
        const WORDS_OF_A_PAGE: usize = 4096 / 8;
        let words = self.words.as_ref().and_then(|words| words.chunks(WORDS_OF_A_PART).nth(part));
        for word in words.unwrap_or_default().iter().step_by(WORDS_OF_A_PAGE) {
            word.fetch_or(0, Relaxed);
        }
        words.is_some()
    }

    /// The size it has.
    pub(super) fn size(&self) -> HashSize {
        HashSize(((self.buckets * WORDS * 8) >> 20) as u32)
    }

    /// Takes over what another table knows: its signatures tell the keys.
    pub(super) fn take_over(&self, other: &Table) {
        let (date, since_cleared) = (other.date.load(Relaxed), other.since_cleared.load(Relaxed));
        self.date.store(date, Relaxed);
        self.since_cleared.store(since_cleared, Relaxed);
        let salt = other.salt.load(Relaxed);
        for (place, pair) in other.words.iter().flat_map(|words| words.chunks_exact(2)).enumerate() {
            let data = pair[1].load(Relaxed);
            if data != 0 && date.wrapping_sub((data >> 56) as u8) <= since_cleared {
                let (bits, near) = (pair[0].load(Relaxed) ^ data ^ salt, place / ENTRIES < other.near);
                self.insert(Key { bits, near }, Entry::unpack(data));
            }
        }
    }

    /// Makes what is stored from now on younger than everything before.
    pub(super) fn new_search(&self) {
        self.next_date();
        self.since_cleared.store(self.since_cleared.load(Relaxed).saturating_add(1), Relaxed);
    }

    /// Forgets everything, at once: to write zeros all over a gigabyte takes longer than a GUI waits for an answer.
    /// From then on the entries that are there count as empty places.
    pub(super) fn clear(&self) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.salt.store(self.salt.load(Relaxed).wrapping_add(ODD), Relaxed);
        self.next_date();
        self.since_cleared.store(0, Relaxed);
    }

    fn next_date(&self) {
        let date = self.date.load(Relaxed).wrapping_add(1);
        self.date.store(date.max(1), Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &[AtomicU64] {
        // The high bits of the product spread the key evenly over any number of buckets. Half of the key will do: a
        // product of 128 bits is a call in WebAssembly.
        let (first, buckets) = if key.near { (0, self.near) } else { (self.near, self.buckets - self.near) };
        let bucket = first + (((key.bits >> 32) * buckets as u64) >> 32) as usize;
        let start = bucket * WORDS;
        self.words.as_ref().and_then(|words| words.get(start..start + WORDS)).unwrap_or(&[])
    }

    /// Asks the processor to load the bucket of `key`.
    #[inline(always)]
    pub(super) fn prefetch<K: Kernels>(&self, key: Key) {
        if let Some(word) = self.bucket(key).first() {
            K::prefetch(word);
        }
    }

    /// What is known about the position of `key`.
    #[inline(always)]
    pub(super) fn get(&self, key: Key) -> Option<Entry> {
        let signature = key.bits ^ self.salt.load(Relaxed);
        for pair in self.bucket(key).chunks_exact(2) {
            let data = pair[1].load(Relaxed);
            // Rarely so: what follows need not wait until the entry has come from memory. Whether it is an empty one,
            // which is hard to foresee, is asked afterwards.
            if pair[0].load(Relaxed) ^ data == signature {
                return (data != 0).then(|| Entry::unpack(data));
            }
        }
        None
    }

    /// Stores a result: the value found was `score` in a search of the window `alpha` to `beta`.
    #[inline(always)]
    pub(super) fn put(&self, key: Key, draft: Draft, window: (i32, i32), score: i32, best: Option<Square>) {
        let mut entry = Entry { depth: draft.depth, level: draft.level, ..Entry::UNKNOWN };
        if score > window.0 {
            entry.lower = score as i16;
        }
        if score < window.1 {
            entry.upper = score as i16;
        }
        entry.moves[0] = best;
        self.insert(key, entry);
    }

    /// Stores `new`, joined with what is known at the same depth and confidence.
    pub(super) fn insert(&self, key: Key, mut new: Entry) {
        let date = self.date.load(Relaxed);
        let since_cleared = self.since_cleared.load(Relaxed);
        let signature = key.bits ^ self.salt.load(Relaxed);
        let bucket = self.bucket(key);
        let mut worst = usize::MAX;
        let mut worst_rank = u32::MAX;
        for (place, pair) in bucket.chunks_exact(2).enumerate() {
            let data = pair[1].load(Relaxed);
            if data != 0 && pair[0].load(Relaxed) ^ data == signature {
                let old = Entry::unpack(data);
                let failed_low = new.lower == Entry::UNKNOWN.lower;
                if old.depth == new.depth && old.level == new.level {
                    let (lower, upper) = (old.lower.max(new.lower), old.upper.min(new.upper));
                    // Where the two contradict each other (a selective search may), the new one stands.
                    if lower <= upper {
                        (new.lower, new.upper) = (lower, upper);
                    }
                } else if old.depth > new.depth && old.level >= new.level && data >> 56 == u64::from(date) {
                    // A deeper and surer result of this search is worth more than a shallower one.
                    if new.moves[0].is_none() || old.moves[0] == new.moves[0] {
                        return;
                    }
                }
                // A move that failed low is a guess: one that once was good enough stays before it.
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
            // Old entries go first, then shallow ones.
            let age = date.wrapping_sub((data >> 56) as u8);
            let rank = if data == 0 || age > since_cleared {
                0
            } else {
                let young = u32::from((data >> 56) as u8 == date);
                (young << 10 | (data >> 32 & 127) as u32) + 1
            };
            if rank < worst_rank {
                (worst, worst_rank) = (place, rank);
            }
        }
        if let [first, second] = bucket.chunks_exact(2).nth(worst).unwrap_or(&[]) {
            let data = new.pack(date);
            second.store(data, Relaxed);
            first.store(signature ^ data, Relaxed);
        }
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("buckets", &self.buckets).finish_non_exhaustive()
    }
}

/// The level of `confidence` as the table stores it.
pub(super) fn level(confidence: Confidence) -> u8 {
    confidence.level() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let table = Table::new(HashSize(1));
        assert_eq!(table.size(), HashSize(1));
        let key = Key::of(Board::START);
        assert_eq!(table.get(key), None);
        let f5 = Square::new(37);
        table.put(key, Draft { depth: 12, level: 5 }, (-100, 100), 20, f5);
        let entry = table.get(key).expect("stored");
        assert_eq!((entry.lower, entry.upper, entry.depth, entry.level), (20, 20, 12, 5));
        assert_eq!(entry.moves, [f5, None]);
        assert!(entry.serves(12, 5) && !entry.serves(13, 5));
        table.clear();
        assert_eq!(table.get(key), None);
    }

    #[test]
    fn a_larger_table_takes_over_what_is_known() {
        let small = Table::new(HashSize(1));
        let keys: Vec<Key> = (1..=2000_u64)
            .map(|n| Key { bits: n.wrapping_mul(0x9e37_79b9_7f4a_7c15), near: n % 3 == 0 })
            .collect();
        let put = |key: &Key, score| small.put(*key, Draft { depth: 9, level: 3 }, (-100, 100), score, None);
        keys[1000..].iter().for_each(|key| put(key, 5));
        small.clear();
        small.new_search();
        keys[..1000].iter().for_each(|key| put(key, 7));
        let large = Table::new(HashSize(3));
        large.take_over(&small);
        for (n, &key) in keys.iter().enumerate() {
            assert_eq!(large.get(key), small.get(key), "{n}");
            assert_eq!(large.get(key).is_some(), n < 1000, "{n}: what was forgotten stays so");
        }
    }

    #[test]
    fn near_positions_leave_the_others_alone() {
        for size in [1, 4] {
            let table = Table::new(HashSize(size));
            let key = |n: u64, near| Key { bits: n.wrapping_mul(0x9e37_79b9_7f4a_7c15), near };
            let draft = Draft { depth: 12, level: 5 };
            (1..=1000).for_each(|n| table.put(key(n, false), draft, (-100, 100), 2, None));
            (1..=200_000).for_each(|n| table.put(key(n, true), draft, (-100, 100), 4, None));
            let lower = |key| table.get(key).map(|entry| entry.lower);
            assert!((1..=1000).all(|n| lower(key(n, false)) == Some(2)));
            assert!(lower(key(200_000, true)) == Some(4) && lower(key(1, true)).is_none());
        }
    }

    #[test]
    fn a_cleared_table_is_as_good_as_a_new_one() {
        let (new, cleared) = (Table::of(Words::new(WORDS), 1), Table::of(Words::new(WORDS), 1));
        let key = |n: u64| Key { bits: n + 1, near: false };
        for n in 0..9 {
            cleared.put(key(n), Draft { depth: 50, level: 5 }, (0, 1), 0, None);
        }
        cleared.clear();
        assert!((0..9).all(|n| cleared.get(key(n)).is_none()));
        for table in [&new, &cleared] {
            // The first stands for a value fed before the first search.
            for n in 0..6 {
                table.put(key(n), Draft { depth: 20 - n as u8, level: 5 }, (0, 1), 0, None);
                table.new_search();
            }
        }
        for n in 0..9 {
            assert_eq!(new.get(key(n)), cleared.get(key(n)), "{n}");
        }
        assert!(new.get(key(5)).is_some() && new.touch(0) && !new.touch(1));
    }

    #[test]
    fn bounds_of_equal_depth_are_joined() {
        let table = Table::new(HashSize(1));
        let key = Key::of(Board::START);
        table.put(key, Draft { depth: 8, level: 5 }, (0, 1), 300, None);
        table.put(key, Draft { depth: 8, level: 5 }, (499, 500), 400, None);
        let entry = table.get(key).expect("stored");
        assert_eq!((entry.lower, entry.upper), (300, 400));
    }

    #[test]
    fn negative_scores_and_all_squares_survive() {
        for square in Square::all() {
            let entry =
                Entry { lower: -6400, upper: -1, depth: 60, level: 5, moves: [Some(square), Some(square)] };
            assert_eq!(Entry::unpack(entry.pack(255)), entry);
        }
    }

    #[test]
    fn a_full_bucket_forgets_the_old_and_shallow_first() {
        let table = Table::of(Words::new(WORDS), 1);
        let key = |n: u64| Key { bits: n + 1, near: false };
        for n in 0..4 {
            table.put(key(n), Draft { depth: 10 + n as u8, level: 5 }, (0, 1), 0, None);
        }
        table.put(key(9), Draft { depth: 3, level: 5 }, (0, 1), 0, None);
        assert!(table.get(key(0)).is_none() && table.get(key(9)).is_some());
        table.new_search();
        table.put(key(10), Draft { depth: 2, level: 5 }, (0, 1), 0, None);
        table.put(key(11), Draft { depth: 2, level: 5 }, (0, 1), 0, None);
        assert!(table.get(key(10)).is_some() && table.get(key(3)).is_some());
    }
}
