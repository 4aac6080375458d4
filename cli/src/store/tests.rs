//! Stored books: single changes compared with a bulk change, and damaged files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outflank::board::{Board, Move, Position, Symmetry};
use outflank::book::{Contempt, Entry, Key, OwnValue};
use outflank::game::Game;
use outflank::notation::{book as text, ggf, squares, transcript};
use outflank::random::Random;
use outflank::score::Score;
use tempfile::TempDir;

use super::store::VERSION;
use super::{Edit, Store, StoreError};

#[path = "../../../engine/tests/properties/random.rs"]
mod random;

/// An empty store, its path and its folder.
fn store() -> (Arc<Store>, PathBuf, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    (open(&path), path, folder)
}

fn open(path: &Path) -> Arc<Store> {
    Arc::new(Store::open(path, true, 16).unwrap())
}

fn all(store: &Store) -> Vec<(Key, Entry)> {
    store.snapshot().unwrap().entries().unwrap().map(Result::unwrap).collect()
}

fn entry(store: &Store, board: Board) -> Option<Entry> {
    store.snapshot().unwrap().get(&Key::of(board).0).unwrap()
}

/// Returns a game of random moves, each one of the first two of a position, so that games have positions in common.
fn game(random: &mut Random, plies: usize) -> Game {
    let symmetry = Symmetry::all().nth(random.below(8) as usize).unwrap();
    random::random_game(random, plies, 2).transformed(symmetry)
}

/// Returns lines of a text: games with values, whole games, positions with own values and with values of their moves.
fn lines(random: &mut Random, count: usize) -> String {
    let value = |random: &mut Random| match random.below(4) {
        0 => "+0".to_owned(),
        1 => format!("{:+}", random.below(9) as i32 - 4),
        _ => format!("{:+.2}", f64::from(random.below(900) as i32 - 450) / 100.0),
    };
    let mut lines = String::new();
    for _ in 0..count {
        match random.below(9) {
            0 => lines += &ggf::write(&game(random, 99)),
            1..4 => {
                let plies = random.below(9) as usize;
                let position = game(random, plies).position();
                let own = if random.below(2) == 0 { format!(" {};", value(random)) } else { String::new() };
                lines += &format!("{};{own}", squares::write(&position));
                // None, some or all of its moves have values.
                let share = random.below(3);
                for square in position.moves() {
                    if random.below(2) < share {
                        lines += &format!(" {square}:{};", value(random));
                    }
                }
            }
            _ => {
                let plies = 1 + random.below(9) as usize;
                lines += &format!("{} {}", transcript::write(&game(random, plies)), value(random));
            }
        }
        lines.push('\n');
    }
    lines
}

#[test]
fn single_changes_are_equal_to_a_bulk_change() {
    let mut random = Random::new(12);
    let ((one, _, _folder), (other, _, _other)) = (store(), store());
    let both = |change: &dyn Fn(&mut Edit<'_>) -> Result<bool, StoreError>| {
        let result = one.change(|edit| change(edit)).unwrap();
        assert_eq!(other.change_deferred(|edit| change(edit)).unwrap(), result);
    };
    for _ in 0..12 {
        let plies = random.below(70) as usize;
        let line = game(&mut random, plies);
        let taken = 4 + random.below(60) as usize;
        both(&|edit| edit.add_new_game(&line, taken));
        // A symmetric game is the same game.
        for symmetry in Symmetry::all() {
            assert!(!one.change(|edit| edit.add_new_game(&line.transformed(symmetry), taken)).unwrap());
        }
        let key = Key::of(line.position().after_forced_pass().board()).0;
        let own = OwnValue {
            score: Score::from_centidiscs(random.below(400) as i32 - 200),
            exact: false,
            best: None,
            depth: random.below(20) as u8,
        };
        both(&|edit| edit.positions.change(&key, |entry| entry.give(own)).map(|()| true));
        for entry in text::read(&lines(&mut random, 3)).unwrap() {
            both(&|edit| edit.positions.add_line(&entry).map(|()| true));
        }
    }
    assert!(other.is_deferred().unwrap() && !one.is_deferred().unwrap());
    other.propagate(|_| ()).unwrap();
    assert!(!other.is_deferred().unwrap());
    assert_eq!(all(&one), all(&other));
    assert!(all(&one).len() > 90);
    assert_eq!((one.check().unwrap().1, other.check().unwrap().1), (0, 0));
    assert_eq!(one.games().unwrap(), other.games().unwrap());
}

/// Games without a search, of which one is won by 64 after nine moves.
#[test]
fn unsearched_games_claim_no_values() {
    let (store, _, _folder) = store();
    let mut random = Random::new(15);
    let mut lines: Vec<Game> = (0..50).map(|_| game(&mut random, 99)).collect();
    let wiped_out = transcript::read("e6f4e3f6g5d6e7f5c5").unwrap();
    lines.extend((4..8).map(|plies| wiped_out.prefix(plies)).filter_map(|mut game| {
        let last = game.position().moves().into_iter().last()?;
        game.play(Move::Place(last)).ok().map(|()| game)
    }));
    lines.push(wiped_out);
    for line in &lines {
        store.change(|edit| edit.add_new_game(line, 20)).unwrap();
    }
    let book = store.book();
    assert!(entry(&store, Board::START).is_some());
    assert_eq!(book.moves(&Position::START, Contempt(0)), []);
    assert_eq!(store.check().unwrap().1, 0);
    // A value that skips a move without a value is an error.
    let key = Key::of(Board::START).0;
    let value = entry(&store, lines.last().unwrap().position().board()).unwrap().value;
    store.change_deferred(|edit| edit.positions.change(&key, |entry| entry.value = value)).unwrap();
    assert_eq!(store.check().unwrap().1, 1);
}

#[test]
fn deferred_changes_of_another_program_stay_deferred() {
    let (one, path, _folder) = store();
    let other = open(&path);
    let mut random = Random::new(16);
    for _ in 0..5 {
        one.change_deferred(|edit| edit.add_new_game(&game(&mut random, 99), 60)).unwrap();
    }
    let mut late = Some(game(&mut random, 99));
    one.propagate(|_| {
        if let Some(late) = late.take() {
            other.change_deferred(|edit| edit.add_new_game(&late, 60)).unwrap();
        }
    })
    .unwrap();
    assert!(one.is_deferred().unwrap());
    other.propagate(|_| ()).unwrap();
    assert!(!one.is_deferred().unwrap());
    assert_eq!(one.check().unwrap().1, 0);
}

/// Random bytes of a file are damaged. Every call must return.
#[test]
fn damaged_store_returns_errors() {
    let (store, path, _folder) = store();
    let mut random = Random::new(17);
    for _ in 0..20 {
        store.change(|edit| edit.add_new_game(&game(&mut random, 99), 20)).unwrap();
    }
    drop(store);
    let whole = fs::read(&path).unwrap();
    let used = whole.iter().rposition(|&byte| byte != 0).unwrap() as u32;
    let mut failed = 0;
    for _ in 0..60 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random.below(200) {
            // Most of them are in the head of the file.
            let end = if random.below(3) == 0 { 4096 } else { used };
            bytes[9 + random.below(end - 9) as usize] = random.bits() as u8;
        }
        fs::write(&path, bytes).unwrap();
        let mut all = || -> Result<(), StoreError> {
            let store = Arc::new(Store::open(&path, false, 16)?);
            store.book().moves(&Position::START, Contempt(0));
            let read = store.snapshot().and_then(|known| known.entries()?.try_for_each(|row| row.map(drop)));
            let checked = store.check();
            let learnt = store.change(|edit| edit.add_new_game(&game(&mut random, 99), 20));
            let settled = store.propagate(|_| ());
            read.and(checked).map(drop).and(learnt).map(drop).and(settled)
        };
        if let Err(error) = all() {
            failed += 1;
            assert!(error.to_string().contains("a.book: "), "{error}");
        }
    }
    assert!(failed > 45, "{failed}");
}

#[test]
fn values_of_an_earlier_version_are_backed_up_again() {
    let (store, path, _folder) = store();
    let mut random = Random::new(18);
    for _ in 0..20 {
        store.change(|edit| edit.add_new_game(&game(&mut random, 99), 12)).unwrap();
    }
    let before = all(&store);
    let key = Key::of(Board::START).0;
    // A search that skipped the moves without values.
    let own = OwnValue { score: Score::ZERO, exact: false, best: None, depth: 9 };
    store.change(|edit| edit.positions.change(&key, |entry| entry.give(own))).unwrap();
    store.change(|edit| Ok(edit.state.insert(VERSION.0, 1).map(drop)?)).unwrap();
    let store = open(&path);
    assert!(store.is_outdated().unwrap() && store.is_deferred().unwrap());
    store.propagate(|_| ()).unwrap();
    assert!(!store.is_outdated().unwrap() && !store.is_deferred().unwrap());
    assert_eq!(before, all(&store));
}

#[test]
fn failed_change_has_no_effect_and_changes_are_shared() {
    let (store, path, _folder) = store();
    let mut random = Random::new(13);
    let line = game(&mut random, 20);
    store.change(|edit| edit.add_new_game(&line, 60)).unwrap();
    let before = all(&store);
    let failed: Result<(), _> = store.change(|edit| {
        edit.add_new_game(&game(&mut random, 30), 60)?;
        Err(StoreError::new("no more"))
    });
    assert!(failed.unwrap_err().to_string().ends_with("no more"));
    assert_eq!(all(&store), before);
    // A snapshot does not change. Another handle sees the change.
    let (old, other) = (store.snapshot().unwrap(), open(&path));
    other.change(|edit| edit.add_new_game(&game(&mut random, 25), 60)).unwrap();
    assert_eq!(old.count().unwrap(), before.len() as u64);
    assert!(store.snapshot().unwrap().count().unwrap() > before.len() as u64);

    drop((store, old, other));
    fs::write(&path, "").unwrap();
    let error = Store::open(&path, false, 16).map(drop).unwrap_err();
    assert!(error.to_string().ends_with("a.book: the file is empty"), "{error}");
}
