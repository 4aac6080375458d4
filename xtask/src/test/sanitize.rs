//! What the threads of a search share, under everything that finds faults in it: a model checker, Miri, and the sanitizers
//! of threads and addresses.
//!
//! Not part of the whole run: for the sanitizer of threads the standard library is built anew.

use anyhow::Result;

use super::tally::Tally;
use super::{miri, steps};
use crate::{nightly, process, toolchain, workspace};

/// A sanitizer and the tests that are run with it.
struct Sanitizer {
    name: &'static str,
    /// How much of what is linked has to be built with it.
    reach: Reach,
    runs: &'static [Run],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// The standard library, too: a lock that the sanitizer of threads cannot look into would seem none.
    Everything,
    /// The packages alone.
    Packages,
}

/// Tests of one target of the engine.
struct Run {
    target: &'static [&'static str],
    tests: &'static [&'static str],
}

/// It counts what is told in a time of the clock, which is too short for so slow a build.
const SKIPPED: [&str; 2] = ["--skip", "a_long_search_gives_signs_of_life"];

/// Threads are sanitized where there are several; addresses wherever something is `unsafe`, which is kernels, tables and
/// their memory. The server of `serve` has nothing `unsafe`.
const SANITIZERS: [Sanitizer; 2] = [
    Sanitizer {
        name: "thread",
        reach: Reach::Everything,
        runs: &[
            Run { target: &["--lib"], tests: &["search::table", "search::memory", "search::threads"] },
            Run { target: &["--test", "driver"], tests: &SKIPPED },
            Run { target: &["--test", "endgame"], tests: &["two_threads_find"] },
        ],
    },
    Sanitizer {
        name: "address",
        reach: Reach::Packages,
        runs: &[
            Run { target: &["--lib"], tests: &[] },
            Run { target: &["--test", "properties"], tests: &[] },
            Run { target: &["--test", "driver"], tests: &SKIPPED },
            Run {
                target: &["--test", "endgame"],
                tests: &["two_threads_find", "keys_of_few", "all_moves_of"],
            },
        ],
    },
];

/// Runs all of it. What needs a nightly toolchain is skipped where there is none.
pub(crate) fn run() -> Result<Tally> {
    let mut tally = model()?;
    println!("\nMiri");
    tally += miri::run()?;
    if let Err(reason) = is_at_hand() {
        println!("the sanitizers are skipped: {reason}");
        return Ok(tally);
    }
    for sanitizer in &SANITIZERS {
        println!("\nthe {} sanitizer", sanitizer.name);
        for run in sanitizer.runs {
            tally += sanitized(sanitizer, run)?;
        }
    }
    Ok(tally)
}

/// Pool and split points in every order, by loom.
fn model() -> Result<Tally> {
    println!("loom");
    let mut cargo = process::cargo();
    cargo.args(["test", "--locked", "--package", "outflank", "--lib"]);
    cargo.arg("--target-dir").arg(workspace::root().join("target/loom"));
    // Dropping what a failed model holds may block for ever: each test is told of before that.
    cargo.args(["search::threads::model", "--", "--nocapture", "--test-threads=1"]);
    cargo.env("RUSTFLAGS", "--cfg loom");
    steps::at_least_one(Tally::of_tests(&mut cargo)?)
}

fn is_at_hand() -> Result<(), String> {
    if !cfg!(any(target_os = "linux", target_os = "macos")) {
        return Err("they are for Linux and macOS".to_owned());
    }
    nightly::is_at_hand()?;
    nightly::ensure(&["rust-src"])
}

/// The tests of `run` with a sanitizer in them.
fn sanitized(sanitizer: &Sanitizer, run: &Run) -> Result<Tally> {
    let name = sanitizer.name;
    let host = toolchain::host()?;
    let mut cargo = nightly::command(&["cargo", "test", "--locked", "--package", "outflank"]);
    if sanitizer.reach == Reach::Everything {
        cargo.arg("-Zbuild-std");
    }
    // A target of its own keeps the flags from macros and tools of the build.
    cargo.args(["--target", &host]).args(run.target);
    cargo.arg("--target-dir").arg(workspace::root().join("target/sanitize").join(name));
    cargo.arg("--").args(run.tests);
    let flags = format!("-Zsanitizer={name} -Cdebuginfo=line-tables-only");
    cargo.env("RUSTFLAGS", flags).env("CARGO_INCREMENTAL", "0");
    steps::at_least_one(Tally::of_tests(&mut cargo)?)
}
