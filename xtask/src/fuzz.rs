//! `cargo xtask fuzz`: runs the targets of `tests/properties/fuzz` with `cargo fuzz`.
//!
//! Inputs that reach more code are saved in `data/fuzz/corpus`, outside git and outside the target folder.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::args::Fuzz;
use crate::{process, toolchain, tools, workspace};

const CARGO_FUZZ: &str = "0.13.2";

/// Limits of a run: bytes of an input, seconds and MiB for one input. Most errors show in short inputs, which run faster.
const LIMITS: [&str; 3] = ["-max_len=4096", "-timeout=25", "-rss_limit_mb=2048"];

/// Most bytes of an input that is added to the repository.
const MAX_COMMITTED_BYTES: u32 = 1200;

/// Runs the named targets, or all, for their share of the time.
///
/// # Errors
/// If a tool is missing and cannot be installed, a target does not exist, or a target found an input that breaks it.
pub(crate) fn run(options: &Fuzz) -> Result<()> {
    let known = targets()?;
    if options.targets.iter().any(|name| name == "list") {
        known.iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    if let Some(unknown) = options.targets.iter().find(|name| !known.contains(name)) {
        bail!("unknown target `{unknown}`; the targets are {}", known.join(", "));
    }
    let chosen = if options.targets.is_empty() { &known } else { &options.targets };
    let cargo_fuzz = cargo_fuzz()?;
    let seconds = (60 * options.minutes * options.jobs / chosen.len().max(1) as u32).max(1);
    println!("{} targets, {seconds} s each, {} at a time", chosen.len(), options.jobs);
    let (queue, failed) = (Mutex::new(chosen.iter()), Mutex::new(Vec::new()));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(target) = next() {
            let run = command(&cargo_fuzz, target, options.distill, seconds);
            if let Err(error) = run.and_then(|mut command| process::run(&mut command)) {
                println!("{error:#}");
                failed.lock().unwrap_or_else(PoisonError::into_inner).push(target.as_str());
            }
        }
    };
    thread::scope(|scope| (0..options.jobs).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !failed.is_empty() {
        bail!("failed: {}; see tests/properties/fuzz/README.md", failed.join(", "));
    }
    Ok(())
}

/// Returns the command that runs a target for some seconds. If `distill` is set, the command instead adds the inputs found so far
/// to those in the repository if they reach more code.
fn command(cargo_fuzz: &str, target: &str, distill: bool, seconds: u32) -> Result<Command> {
    let found = workspace::root().join("data/fuzz/corpus").join(target);
    let committed = workspace::root().join("tests/properties/fuzz/corpus").join(target);
    for folder in [&found, &committed] {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let mut command = toolchain::nightly(&[cargo_fuzz, "run", "--fuzz-dir"]);
    command.arg(folder()).arg("--target-dir").arg(workspace::target().join("fuzz")).arg("property");
    command.env("OUTFLANK_PROPERTY", target);
    // libFuzzer writes new inputs to the first folder.
    if distill {
        command
            .args([committed, found])
            .args(["--", "-merge=1"])
            .arg(format!("-max_len={MAX_COMMITTED_BYTES}"));
    } else {
        command.args([found, committed]).arg("--").args(LIMITS).arg(format!("-max_total_time={seconds}"));
    }
    Ok(command)
}

/// Returns the names of the targets: their folders of inputs.
fn targets() -> Result<Vec<String>> {
    let folder = folder().join("corpus");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

fn folder() -> PathBuf {
    workspace::root().join("tests/properties/fuzz")
}

/// Returns the path of cargo-fuzz, and installs it if it is missing.
///
/// # Errors
/// If a toolchain is missing; the message names the command that installs it.
fn cargo_fuzz() -> Result<String> {
    toolchain::ensure_nightly(&[]).context("fuzzing needs a nightly toolchain")?;
    // libFuzzer is written in C++ and compiled with each target.
    if std::env::var_os("CXX").is_none()
        && !["c++", "g++", "clang++"].iter().any(|name| process::find(name).is_some())
    {
        bail!("fuzzing needs a C++ compiler; run\n  sudo apt-get install g++   (or set CXX)");
    }
    let program = tools::pinned("cargo-fuzz", CARGO_FUZZ)?;
    Ok(program.to_str().context("the path of cargo-fuzz is not UTF-8")?.to_owned())
}
