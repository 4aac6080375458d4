//! Miri, an interpreter that detects undefined behavior, on the tests of `unsafe` code that threads share.

use anyhow::Result;

use super::counts::CheckCounts;
use crate::nightly;

/// Tests of the transposition table, its memory and the threads. Tests that would take minutes are disabled under Miri.
const TESTS: [&str; 3] = ["search::table", "search::memory", "search::threads"];

/// Runs the tests under Miri. If Miri is not available, prints the reason and counts no checks.
pub(super) fn run() -> Result<CheckCounts> {
    if let Err(reason) = nightly::check_installed().and_then(|()| nightly::ensure(&["miri", "rust-src"])) {
        println!("skipped: {reason}");
        return Ok(CheckCounts::default());
    }
    let miri = ["cargo", "miri", "test", "--locked", "--package", "outflank", "--lib", "--"];
    CheckCounts::of_tests(nightly::command(&miri).args(TESTS))
}
