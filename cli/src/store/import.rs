//! Books of other programs.

use outflank::book::imported;
use outflank::notation::foreign::Foreign;

use super::edit::digest;
use super::error::StoreError;
use super::store::Store;

/// Number of positions between two reports of progress.
const BATCH: usize = 4096;

/// Adds all positions of a book in one transaction. The caller backs the values up. Returns the number of positions and the
/// errors of skipped positions, or `None` if the file was added before. `report` receives the number of positions done and the
/// number of all.
pub fn import(
    program: Foreign,
    bytes: &[u8],
    store: &Store,
    mut report: impl FnMut(u64, u64),
) -> Result<(Option<u64>, Vec<String>), StoreError> {
    let (positions, errors) = program.read(bytes)?;
    let all = positions.len() as u64;
    let new = store.change_deferred(|edit| {
        if !edit.add_source(&digest(bytes.iter().copied()))? {
            return Ok(false);
        }
        for (done, (key, games, own)) in imported(&positions).enumerate() {
            edit.positions.change(&key, |entry| entry.add(games, own))?;
            if done % BATCH == 0 {
                report(done as u64, all);
            }
        }
        Ok(true)
    })?;
    Ok((new.then_some(all), errors))
}
