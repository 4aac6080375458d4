//! Books of other programs, which are put into a store.

use std::env;
use std::fs;
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use outflank::board::{Move, Position};
use outflank::book::{Book, Contempt};
use outflank_cli::store::{self, Foreign, Store};

/// A book of Edax or Egaroucid: no panic, what is wrong with a position is said and keeps no other from being read, and the
/// store they are put into is sound, settled, and knows legal moves only.
pub fn foreign(bytes: &[u8]) {
    let foreign = store::foreign(bytes);
    let Some(foreign) = foreign else { return };
    let magic = match foreign {
        Foreign::Edax => 8,
        Foreign::Egaroucid => 9,
    };
    // Most have no position, and making a store takes its time.
    if bytes.len() < magic + 24 {
        return;
    }
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = format!("outflank-properties-{}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    // Where there are files in memory, a store takes a tenth of the time.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_path_buf() } else { env::temp_dir() };
    let path = folder.join(name);
    let store = Store::open(&path, true, 1).unwrap_or_else(|fault| panic!("{fault}"));
    // A store without a name goes with the process, whatever becomes of it.
    let _ = fs::remove_file(&path);
    match foreign.import(bytes, &store, |_, _| {}) {
        Err(fault) => assert!(!fault.to_string().trim().is_empty()),
        Ok((all, faults)) => {
            assert!(faults.iter().all(|fault| !fault.trim().is_empty()));
            let count = store
                .snapshot()
                .and_then(|snapshot| snapshot.count())
                .unwrap_or_else(|fault| panic!("{fault}"));
            assert!(all.is_some_and(|all| count <= all), "{count} positions of {all:?}");
            store.settle(|_| {}).unwrap_or_else(|fault| panic!("{fault}"));
            assert!(!store.is_unsettled().unwrap_or_else(|fault| panic!("{fault}")));
            let _ = store.check().unwrap_or_else(|fault| panic!("{fault}"));
            let snapshot = store.snapshot().unwrap_or_else(|fault| panic!("{fault}"));
            for row in snapshot.entries().unwrap_or_else(|fault| panic!("{fault}")) {
                let (key, _) = row.unwrap_or_else(|fault| panic!("{fault}"));
                let board = key.board();
                assert!((board.player & board.opponent).is_empty(), "two discs on one square: {board:?}");
            }
            drop(snapshot);
            is_played_by(Arc::new(store));
        }
    }
}

/// What the book says of the start is a line of legal moves.
fn is_played_by(store: Arc<Store>) {
    let book = Book::lent(store.shelf());
    for known in book.moves(&Position::START, Contempt::default()) {
        let mut here = Position::START;
        for mv in known.line {
            here = here.play(mv).unwrap_or_else(|reason| panic!("{mv}: {reason}"));
            assert!(mv != Move::Pass || here != Position::START);
        }
    }
}
