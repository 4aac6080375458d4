//! The state that search threads share, under a model checker (loom) and the thread and address sanitizers.

use anyhow::{Result, ensure};

use crate::{process, toolchain, workspace};

/// Tests that run with a sanitizer: the target, and filters of its tests.
type Tests = (&'static [&'static str], &'static [&'static str]);

const DRIVER: Tests = (&["--test", "driver"], &[]);

/// Code that threads share, for the thread sanitizer.
const THREADS: [Tests; 3] = [
    (&["--lib"], &["search::table", "search::memory", "search::threads"]),
    DRIVER,
    (&["--test", "endgame"], &["two_threads_find"]),
];

/// Code with `unsafe`, for the address sanitizer.
const UNSAFE: [Tests; 4] = [
    (&["--lib"], &[]),
    (&["--test", "properties"], &[]),
    DRIVER,
    (&["--test", "endgame"], &["two_threads_find"]),
];

/// Runs loom and the sanitizers, which need a nightly toolchain and are skipped without it.
pub(super) fn run() -> Result<()> {
    model()?;
    if let Err(reason) = check_available() {
        println!("the sanitizers are skipped: {reason:#}");
        return Ok(());
    }
    println!("\nthread sanitizer");
    for selected in THREADS {
        // The sanitizer does not recognize locks in a standard library that was built without it.
        sanitized("thread", &["-Zbuild-std"], selected)?;
    }
    println!("\naddress sanitizer");
    for selected in UNSAFE {
        sanitized("address", &[], selected)?;
    }
    Ok(())
}

/// Runs the thread pool and the split points in every order of their threads, with loom.
fn model() -> Result<()> {
    println!("loom");
    let mut cargo = process::cargo();
    cargo.args(["test", "--locked", "--package", "outflank", "--lib"]);
    cargo.arg("--target-dir").arg(workspace::root().join("target/loom"));
    // Dropping the state of a failed model may block, so each test prints its name when it starts.
    cargo.args(["search::threads::model", "--", "--nocapture", "--test-threads=1"]);
    process::run(cargo.env("RUSTFLAGS", "--cfg loom"))
}

fn check_available() -> Result<()> {
    ensure!(cfg!(any(target_os = "linux", target_os = "macos")), "they run on Linux and macOS only");
    toolchain::ensure_nightly(&["rust-src"])
}

fn sanitized(sanitizer: &str, options: &[&str], (target, filters): Tests) -> Result<()> {
    let host = toolchain::host()?;
    let mut cargo = toolchain::nightly(&["cargo", "test", "--locked", "--package", "outflank"]);
    // With an explicit target, the flags do not apply to macros and build scripts.
    cargo.args(options).args(["--target", &host]).args(target);
    cargo.arg("--target-dir").arg(workspace::root().join("target/sanitize").join(sanitizer));
    cargo.arg("--").args(filters);
    let flags = format!("-Zsanitizer={sanitizer} -Cdebuginfo=line-tables-only");
    process::run(cargo.env("RUSTFLAGS", flags).env("CARGO_INCREMENTAL", "0"))
}
