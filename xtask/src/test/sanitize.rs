//! The state that search threads share, under a model checker (loom), Miri and the thread and address sanitizers.
//!
//! Not part of the whole run, because the thread sanitizer needs a build of the standard library.

use anyhow::Result;

use super::counts::CheckCounts;
use super::miri;
use crate::{nightly, process, toolchain, workspace};

/// A sanitizer and the tests that run with it.
struct Sanitizer {
    name: &'static str,
    /// Build the standard library with the sanitizer too: the thread sanitizer does not recognize locks it cannot see into.
    rebuilds_std: bool,
    runs: &'static [Run],
}

/// Tests of one target of the engine.
struct Run {
    target: &'static [&'static str],
    tests: &'static [&'static str],
}

/// Skips a test that counts events per time, because a sanitized build is too slow for it.
const SKIPPED: [&str; 2] = ["--skip", "a_long_search_gives_signs_of_life"];

/// The thread sanitizer covers code that threads share, the address sanitizer all code with `unsafe`.
const SANITIZERS: [Sanitizer; 2] = [
    Sanitizer {
        name: "thread",
        rebuilds_std: true,
        runs: &[
            Run { target: &["--lib"], tests: &["search::table", "search::memory", "search::threads"] },
            Run { target: &["--test", "driver"], tests: &SKIPPED },
            Run { target: &["--test", "endgame"], tests: &["two_threads_find"] },
        ],
    },
    Sanitizer {
        name: "address",
        rebuilds_std: false,
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

/// Runs loom, Miri and the sanitizers. Parts that need a nightly toolchain are skipped without it.
pub(crate) fn run() -> Result<CheckCounts> {
    let mut counts = model()?;
    println!("\nMiri");
    counts += miri::run()?;
    if let Err(reason) = check_available() {
        println!("the sanitizers are skipped: {reason}");
        return Ok(counts);
    }
    for sanitizer in &SANITIZERS {
        println!("\n{} sanitizer", sanitizer.name);
        for run in sanitizer.runs {
            counts += sanitized(sanitizer, run)?;
        }
    }
    Ok(counts)
}

/// Runs the thread pool and the split points in every order of their threads, with loom.
fn model() -> Result<CheckCounts> {
    println!("loom");
    let mut cargo = process::cargo();
    cargo.args(["test", "--locked", "--package", "outflank", "--lib"]);
    cargo.arg("--target-dir").arg(workspace::root().join("target/loom"));
    // Dropping the state of a failed model may block, so each test prints its name when it starts.
    cargo.args(["search::threads::model", "--", "--nocapture", "--test-threads=1"]);
    CheckCounts::of_tests(cargo.env("RUSTFLAGS", "--cfg loom"))
}

fn check_available() -> Result<(), String> {
    if !cfg!(any(target_os = "linux", target_os = "macos")) {
        return Err("they run on Linux and macOS only".to_owned());
    }
    nightly::check_installed()?;
    nightly::ensure(&["rust-src"])
}

fn sanitized(sanitizer: &Sanitizer, run: &Run) -> Result<CheckCounts> {
    let name = sanitizer.name;
    let host = toolchain::host()?;
    let mut cargo = nightly::command(&["cargo", "test", "--locked", "--package", "outflank"]);
    if sanitizer.rebuilds_std {
        cargo.arg("-Zbuild-std");
    }
    // With an explicit target, the flags do not apply to macros and build scripts.
    cargo.args(["--target", &host]).args(run.target);
    cargo.arg("--target-dir").arg(workspace::root().join("target/sanitize").join(name));
    cargo.arg("--").args(run.tests);
    let flags = format!("-Zsanitizer={name} -Cdebuginfo=line-tables-only");
    CheckCounts::of_tests(cargo.env("RUSTFLAGS", flags).env("CARGO_INCREMENTAL", "0"))
}
