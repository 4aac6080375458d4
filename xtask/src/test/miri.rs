//! Miri, an interpreter that finds undefined behaviour, over the tests of what is `unsafe` and shared by threads.

use std::process::{Command, Stdio};

use anyhow::Result;

use super::tally::Tally;
use crate::{process, workspace};

/// The toolchain that has it.
const TOOLCHAIN: &str = "nightly";

/// The tests it runs: the transposition table and its memory. Those that would take minutes are left out there.
const TESTS: [&str; 2] = ["search::table", "search::memory"];

/// Runs the tests under Miri; where it is not to be had, says why and counts nothing.
pub(crate) fn run() -> Result<Tally> {
    if let Err(reason) = is_at_hand() {
        println!("skipped: {reason}");
        return Ok(Tally::default());
    }
    let tally = Tally::of_tests(
        nightly(&["cargo", "miri", "test", "--locked", "--package", "outflank", "--lib", "--"]).args(TESTS),
    )?;
    super::steps::at_least_one(tally)
}

/// Whether Miri is there, or can be added; else why not.
fn is_at_hand() -> Result<(), String> {
    if process::find("rustup").is_none() {
        return Err("there is no rustup to run a nightly toolchain with".to_owned());
    }
    let version = process::output(nightly(&["rustc", "--version"]).stderr(Stdio::null()))
        .map_err(|_| format!("there is no {TOOLCHAIN} toolchain (`rustup toolchain install {TOOLCHAIN}`)"))?;
    let wanted = env!("CARGO_PKG_RUST_VERSION");
    if minor(version.trim().trim_start_matches("rustc ")) < minor(wanted) {
        return Err(format!("the {TOOLCHAIN} toolchain is too old: {}, not {wanted}", version.trim()));
    }
    let is_there = || process::output(nightly(&["cargo", "miri", "--version"]).stderr(Stdio::null())).is_ok();
    if !is_there() {
        println!("adding Miri to the {TOOLCHAIN} toolchain");
        let mut rustup = Command::new("rustup");
        rustup.args(["component", "add", "--toolchain", TOOLCHAIN, "miri", "rust-src"]);
        process::run(&mut rustup).map_err(|error| format!("there is no Miri: {error:#}"))?;
    }
    if is_there() { Ok(()) } else { Err(format!("the {TOOLCHAIN} toolchain has no Miri")) }
}

/// A command of the nightly toolchain. What cargo told us of its own is not for it.
fn nightly(words: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.current_dir(workspace::root()).args(["run", TOOLCHAIN]).args(words);
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command
}

/// The second number of a version such as `1.95.0`.
fn minor(version: &str) -> Option<u32> {
    version.split('.').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(minor("1.97.0-nightly (e50aa6fba 2026-05-19)"), Some(97));
        assert!(minor("1.100.0") > minor("1.95"));
        assert!(minor("nonsense") < minor("1.95"));
    }
}
