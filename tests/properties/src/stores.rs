//! Import of books of other programs.

use std::env;
use std::fs;
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use outflank::board::{Move, Position};
use outflank::book::{Contempt, imported};
use outflank::notation::foreign::Foreign;
use outflank_cli::store::Store;

/// A book of Edax or Egaroucid: no panic, an invalid position is reported and skipped, and the store is valid, backed up and has
/// legal moves only.
pub fn foreign(bytes: &[u8]) {
    let Some(foreign) = Foreign::of(bytes) else { return };
    let magic = match foreign {
        Foreign::Edax => 8,
        Foreign::Egaroucid => 9,
    };
    // Most inputs have no position, and creating a store is slow.
    if bytes.len() < magic + 24 {
        return;
    }
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = format!("outflank-properties-{}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    // In a file system in memory, a store takes a tenth of the time.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_path_buf() } else { env::temp_dir() };
    let path = folder.join(name);
    let store = Store::open(&path, true, 1).unwrap_or_else(|error| panic!("{error}"));
    // A store without a name is removed with the process.
    let _ = fs::remove_file(&path);
    match foreign.read(bytes) {
        Err(error) => assert!(!error.to_string().trim().is_empty()),
        Ok((positions, errors)) => {
            assert!(errors.iter().all(|error| !error.trim().is_empty()));
            store
                .change_deferred(|edit| {
                    imported(&positions).try_for_each(|(key, games, own)| {
                        edit.positions.change(&key, |entry| entry.add(games, own))
                    })
                })
                .unwrap_or_else(|error| panic!("{error}"));
            let count = store
                .snapshot()
                .and_then(|snapshot| snapshot.count())
                .unwrap_or_else(|error| panic!("{error}"));
            assert!(count <= positions.len() as u64, "{count} positions of {}", positions.len());
            store.propagate(|_| {}).unwrap_or_else(|error| panic!("{error}"));
            assert!(!store.is_deferred().unwrap_or_else(|error| panic!("{error}")));
            let _ = store.check().unwrap_or_else(|error| panic!("{error}"));
            let snapshot = store.snapshot().unwrap_or_else(|error| panic!("{error}"));
            for row in snapshot.entries().unwrap_or_else(|error| panic!("{error}")) {
                let (key, _) = row.unwrap_or_else(|error| panic!("{error}"));
                let board = key.board();
                assert!((board.player & board.opponent).is_empty(), "two discs on one square: {board:?}");
            }
            drop(snapshot);
            is_played_by(Arc::new(store));
        }
    }
}

/// Checks that all lines of the book are legal.
fn is_played_by(store: Arc<Store>) {
    for known in store.book().moves(&Position::START, Contempt::default()) {
        let mut here = Position::START;
        for mv in known.line {
            here = here.play(mv).unwrap_or_else(|reason| panic!("{mv}: {reason}"));
            assert!(mv != Move::Pass || here != Position::START);
        }
    }
}
