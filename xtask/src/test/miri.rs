//! Miri, an interpreter that finds undefined behaviour, over the tests of what is `unsafe` and shared by threads.

use anyhow::Result;

use super::tally::Tally;
use crate::nightly;

/// The tests it runs: the transposition table, its memory, and where threads meet. Those that would take minutes are left
/// out there.
const TESTS: [&str; 3] = ["search::table", "search::memory", "search::threads"];

/// Runs the tests under Miri; where it is not to be had, says why and counts nothing.
pub(crate) fn run() -> Result<Tally> {
    if let Err(reason) = nightly::is_at_hand().and_then(|()| nightly::ensure(&["miri", "rust-src"])) {
        println!("skipped: {reason}");
        return Ok(Tally::default());
    }
    let miri = ["cargo", "miri", "test", "--locked", "--package", "outflank", "--lib", "--"];
    super::steps::at_least_one(Tally::of_tests(nightly::command(&miri).args(TESTS))?)
}
