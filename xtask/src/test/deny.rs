//! `cargo deny` on all dependencies: licenses, sources, duplicates and advisories. `deny.toml` lists what is allowed.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::counts::CheckCounts;
use crate::{process, toolchain, workspace};

/// The version that is installed if it is missing.
const VERSION: &str = "0.20.2";

/// Runs the checks. Advisories are checked only if a copy of their database is available.
pub(super) fn run() -> Result<CheckCounts> {
    let program = program()?;
    let deny = |arguments: &[&str]| {
        CheckCounts::of_check(Command::new(&program).current_dir(workspace::root()).args(arguments))
    };
    let mut counts = deny(&["--locked", "check", "licenses", "bans", "sources"])?;
    if has_advisories() {
        counts += deny(&["--locked", "--offline", "check", "advisories"])?;
    } else {
        println!(
            "advisories are not checked: their database is not on this machine \
             (`{} fetch db` downloads it from GitHub)",
            program.display()
        );
    }
    Ok(counts)
}

/// Returns the path of the pinned version, and installs it without optimization if it is missing, in about a minute.
fn program() -> Result<PathBuf> {
    let folder = workspace::target().join("tools").join(format!("cargo-deny-{VERSION}"));
    let installed = folder.join("bin").join(format!("cargo-deny{EXE_SUFFIX}"));
    let found = process::find("cargo-deny").into_iter().chain([installed.clone()]).find(|it| is_pinned(it));
    if let Some(program) = found {
        return Ok(program);
    }
    println!("installing cargo-deny {VERSION} into {}", folder.display());
    let mut cargo = process::cargo();
    cargo.args(["install", "--quiet", "--locked", "--debug", "--root"]).arg(&folder);
    cargo.arg(format!("cargo-deny@{VERSION}"));
    process::run(&mut cargo).context("cargo-deny is missing")?;
    Ok(installed)
}

fn is_pinned(program: &Path) -> bool {
    let version = process::output(Command::new(program).arg("--version").stderr(Stdio::null()));
    version.is_ok_and(|version| version.trim() == format!("cargo-deny {VERSION}"))
}

fn has_advisories() -> bool {
    let folder = toolchain::cargo_home().map(|cargo| cargo.join("advisory-dbs"));
    folder.is_some_and(|folder| folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()))
}
