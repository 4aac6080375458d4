//! `cargo deny` over all dependencies: their licences, where they come from, and that none is there twice unawares.
//! `deny.toml` says what is allowed.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::tally::Tally;
use crate::{process, toolchain, workspace};

/// The version that is installed where it is missing.
const VERSION: &str = "0.20.2";

/// Runs the checks; advisories only where there is a copy of their database.
pub(crate) fn run() -> Result<Tally> {
    let program = program()?;
    let mut tally =
        Tally::of_check(deny(&program).args(["--locked", "check", "licenses", "bans", "sources"]))?;
    if has_advisories() {
        tally += Tally::of_check(deny(&program).args(["--locked", "--offline", "check", "advisories"]))?;
    } else {
        println!(
            "advisories are not checked: there is no copy of their database here \
             (`{} fetch db` makes one where GitHub can be reached)",
            program.display()
        );
    }
    Ok(tally)
}

fn deny(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root());
    command
}

/// The program, installed where this very version is neither at hand nor was installed before. It takes a minute of two
/// cores, without optimisation, which it does not need.
fn program() -> Result<PathBuf> {
    let folder = workspace::target().join("tools").join(format!("cargo-deny-{VERSION}"));
    let installed = folder.join("bin").join(format!("cargo-deny{EXE_SUFFIX}"));
    if let Some(program) =
        process::find("cargo-deny").into_iter().chain([installed.clone()]).find(|it| is_it(it))
    {
        return Ok(program);
    }
    println!("installing cargo-deny {VERSION} into {}", folder.display());
    let mut cargo = process::cargo();
    cargo.args(["install", "--quiet", "--locked", "--debug", "--root"]).arg(&folder);
    cargo.arg(format!("cargo-deny@{VERSION}"));
    process::run(&mut cargo).context("cargo-deny is missing")?;
    Ok(installed)
}

fn is_it(program: &Path) -> bool {
    let told = process::output(Command::new(program).arg("--version").stderr(Stdio::null()));
    told.is_ok_and(|told| told.trim() == format!("cargo-deny {VERSION}"))
}

/// Whether a copy of the database lies where `cargo deny` keeps it.
fn has_advisories() -> bool {
    let folder = toolchain::cargo_home().map(|cargo| cargo.join("advisory-dbs"));
    folder.is_some_and(|folder| folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()))
}
