use super::Partition::{Early, Late};
use super::*;
use crate::board::{Bitboard, Board};
use crate::score::Confidence;

fn key(n: u64, partition: Partition) -> Key {
    Key::from_parts((n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15), n, partition)
}

/// Stores the result of a search without selective cuts.
fn put(table: &Table, key: Key, depth: u8, window: [i32; 2], value: i32) {
    let draft = Draft::exactly(depth, Confidence::EXACT);
    table.put(key, draft, (Centidiscs(window[0]), Centidiscs(window[1])), Centidiscs(value), None);
}

#[test]
fn stored_entry_is_found() {
    let table = Table::new(HashSize(1));
    assert_eq!(table.size(), HashSize(1));
    let key = Key::of(Board::START);
    assert_eq!(table.get(key), None);
    let f5 = Square::new(37);
    let draft = |depth| Draft::exactly(depth, Confidence::EXACT);
    table.put(key, draft(12), (Centidiscs(-100), Centidiscs(100)), Centidiscs(20), f5);
    let entry = table.get(key).expect("stored");
    assert_eq!((entry.lower, entry.upper, entry.depth, entry.confidence), (20, 20, 12, Confidence::EXACT));
    assert_eq!(entry.moves, [f5, None]);
    assert_eq!([11, 12, 13].map(|depth| entry.serves(draft(depth))), [false, true, false]);
    let or_deeper = |depth| Draft { or_deeper: true, ..draft(depth) };
    assert_eq!([11, 12, 13].map(|depth| entry.serves(or_deeper(depth))), [true, true, false]);
    table.clear();
    assert_eq!(table.get(key), None);
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn larger_table_copies_the_entries() {
    let small = Table::new(HashSize(1));
    let keys: Vec<Key> = (1..=2000_u64).map(|n| key(n, if n % 3 == 0 { Late } else { Early })).collect();
    keys[1000..].iter().for_each(|&key| put(&small, key, 9, [-100, 100], 5));
    small.clear();
    small.new_search();
    keys[..1000].iter().for_each(|&key| put(&small, key, 9, [-100, 100], 7));
    let large = Table::new(HashSize(3));
    large.take_over(&small);
    for (n, &key) in keys.iter().enumerate() {
        assert_eq!(large.get(key), small.get(key), "{n}");
        assert_eq!(large.get(key).is_some(), n < 1000, "{n}: what was forgotten stays so");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn late_positions_leave_the_others_alone() {
    for size in [1, 4] {
        let table = Table::new(HashSize(size));
        (1..=1000).for_each(|n| put(&table, key(n, Early), 12, [-100, 100], 2));
        (1..=200_000).for_each(|n| put(&table, key(n, Late), 12, [-100, 100], 4));
        let lower = |key| table.get(key).map(|entry| entry.lower);
        assert!((1..=1000).all(|n| lower(key(n, Early)) == Some(2)));
        assert!(lower(key(200_000, Late)) == Some(4) && lower(key(1, Late)).is_none());
    }
}

#[test]
fn bounds_of_equal_depth_are_joined() {
    let table = Table::new(HashSize(1));
    let key = Key::of(Board::START);
    put(&table, key, 8, [0, 1], 300);
    put(&table, key, 8, [499, 500], 400);
    let entry = table.get(key).expect("stored");
    assert_eq!((entry.lower, entry.upper), (300, 400));
}

#[test]
fn full_bucket_replaces_old_and_shallow_entries() {
    let table = Table::of(TableMemory::new(BUCKET_WORDS), 1);
    let key = |n| key(n, Early);
    let put = |n, depth| put(&table, key(n), depth, [0, 1], 0);
    for n in 0..5 {
        put(n, 10 + n as u8);
    }
    put(9, 3);
    assert!(table.get(key(0)).is_none() && table.get(key(9)).is_some());
    table.new_search();
    put(10, 2);
    put(11, 2);
    assert!(table.get(key(10)).is_some() && table.get(key(3)).is_some());
}

/// Whatever mixture of words an entry consists of, it returns what one writer stored, or nothing.
#[test]
fn torn_entry_matches_no_position() {
    let exact = |score: i16, depth| Entry { lower: score, upper: score, depth, ..Entry::UNKNOWN };
    let start = Key::of(Board::START);
    // A neighbor, and a board that shares the opponent's discs.
    let near = Key::of(Board { opponent: Board::START.opponent | Bitboard(1), ..Board::START });
    let third = Key::of(Board { player: Board::START.player | Bitboard(1), ..Board::START });
    let writers = [
        (start, exact(-200, 7)),
        (start, exact(-200, 8)),
        (start, exact(300, 8)),
        (near, exact(-200, 7)),
        (near, exact(400, 9)),
        (third, exact(500, 7)),
    ];
    let salted = |key: Key| Salted::new(key.hash, key.opponent, 0);
    let words = writers.map(|(key, entry)| {
        let words = [const { AtomicU64::new(0) }; ENTRY_WORDS];
        Stored(&words).set(entry.pack(1), salted(key));
        words.map(AtomicU64::into_inner)
    });
    // Includes an empty place.
    let words = [&words[..], &[[0; ENTRY_WORDS]]].concat();
    let mut found_entries = 0;
    let table = Table::of(TableMemory::new(BUCKET_WORDS), 1);
    let bucket = table.words.as_deref().expect("memory");
    for [data, ..] in words.iter().copied() {
        for [_, hash, _] in words.iter().copied() {
            for [_, _, opponent] in words.iter().copied() {
                let mixed = [data, hash, opponent];
                bucket.iter().zip(mixed).for_each(|(word, mixed)| word.store(mixed, Relaxed));
                for key in [start, near, third] {
                    let Some(found) = table.get(key) else { continue };
                    found_entries += 1;
                    assert!(words.contains(&mixed), "words of several writers: {mixed:?}");
                    assert!(writers.contains(&(key, found)), "{found:?} was never stored");
                }
            }
        }
    }
    // Six entries. Two have the same data, so each of them may get the data from either.
    assert_eq!(found_entries, 8);
}

/// Threads that store and look up a few positions in one bucket find what was stored for each of them, or nothing.
#[test]
fn racing_threads_find_only_stored_entries() {
    const THREADS: u64 = 3;
    const POSITIONS: u64 = 8;
    let rounds = if cfg!(miri) { 40 } else { 40_000 };
    let table = Table::of(TableMemory::new(BUCKET_WORDS), 1);
    // Another depth and confidence in every iteration: words that do not belong together.
    let round = |thread: u64, round: u64| {
        let mixed = (round * THREADS + thread).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let (n, score) = (mixed % POSITIONS, Centidiscs(100 * (mixed % POSITIONS) as i32 - 300));
        let confidence = Confidence::from_level((mixed >> 16) as u8 % 6);
        let draft = Draft::exactly((mixed >> 8 & 31) as u8, confidence);
        table.put(key(n, Early), draft, (Centidiscs(-6400), Centidiscs(6400)), score, Square::new(n as u8));
        let asked = (mixed >> 24) % POSITIONS;
        table.get(key(asked, Early)).map(|entry| {
            let score = 100 * asked as i16 - 300;
            assert_eq!((entry.lower, entry.upper), (score, score), "position {asked}: {entry:?}");
            assert_eq!(entry.moves[0], Square::new(asked as u8), "position {asked}: {entry:?}");
        })
    };
    let found: usize = std::thread::scope(|scope| {
        let work = |thread| (0..rounds).filter_map(|n| round(thread, n)).count();
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().map(|thread| thread.join().expect("it found only what was stored")).sum()
    });
    assert!(found > 0, "nothing was found at all");
}
