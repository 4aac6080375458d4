//! Books of other programs.

use outflank::book::imported;
use outflank::notation::foreign::ForeignEntry;

use super::error::StoreError;
use super::store::Store;

/// Number of positions between two reports of progress.
const BATCH: usize = 4096;

/// Adds all positions of a book in one transaction. The caller backs the values up. Returns the number of positions, or `None` if
/// a file with this digest was added before. `report` receives the number of positions done.
pub fn import(
    positions: &[ForeignEntry],
    digest: &[u8; 16],
    store: &Store,
    mut report: impl FnMut(u64),
) -> Result<Option<u64>, StoreError> {
    let new = store.change_deferred(|edit| {
        if !edit.add_source(digest)? {
            return Ok(false);
        }
        for (done, (key, games, own)) in imported(positions).enumerate() {
            edit.positions.change(&key, |entry| entry.add(games, own))?;
            if done % BATCH == 0 {
                report(done as u64);
            }
        }
        Ok(true)
    })?;
    Ok(new.then_some(positions.len() as u64))
}
