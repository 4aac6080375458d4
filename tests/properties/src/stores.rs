//! Import of books of other programs.

use std::path::Path;
use std::sync::Arc;

use outflank::book::imported;
use outflank::notation::foreign::Foreign;
use outflank_cli::store::{Edit, Store};

use crate::{has_message, is_played};

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
    let (positions, errors) = match foreign.read(bytes) {
        Ok(read) => read,
        Err(error) => return has_message(error),
    };
    errors.iter().for_each(has_message);
    // In a file system in memory, a store takes a tenth of the time.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    let store = Arc::new(Store::open(&folder.path().join("a.book"), true, 1).unwrap());
    let add = |edit: &mut Edit<'_>| {
        imported(&positions)
            .try_for_each(|(key, games, own)| edit.positions.change(&key, |entry| entry.add(games, own)))
    };
    store.change_deferred(add).unwrap();
    let count = store.snapshot().unwrap().count().unwrap();
    assert!(count <= positions.len() as u64, "{count} positions of {}", positions.len());
    store.propagate(|_| {}).unwrap();
    assert!(!store.is_deferred().unwrap());
    store.check().unwrap();
    for row in store.snapshot().unwrap().entries().unwrap() {
        let board = row.unwrap().0.board();
        assert!((board.player & board.opponent).is_empty(), "two discs on one square: {board:?}");
    }
    is_played(&store.book());
}
