//! What fuzzing needs: a nightly compiler, one for C++, and cargo-fuzz, pinned. And the targets themselves.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{nightly, process, toolchain, workspace};

/// The version of cargo-fuzz.
const CARGO_FUZZ: &str = "0.13.2";

/// Builds the targets; installs cargo-fuzz where it is missing.
///
/// # Errors
/// Name what is missing and what to run.
pub(super) fn ensure() -> Result<()> {
    if let Err(reason) = nightly::is_at_hand() {
        bail!("fuzzing needs a nightly toolchain: {reason}");
    }
    // libFuzzer is written in C++ and built with its target.
    if std::env::var_os("CXX").is_none()
        && !["c++", "g++", "clang++"].iter().any(|name| process::find(name).is_some())
    {
        bail!("fuzzing needs a compiler for C++; run\n  sudo apt-get install g++   (or set CXX)");
    }
    let cargo_fuzz = cargo_fuzz()?;
    println!("building the targets, which takes some minutes the first time");
    let cargo_fuzz = cargo_fuzz.to_str().context("the path of cargo-fuzz is no text")?;
    let mut build = nightly::command(&[cargo_fuzz, "build"]);
    build.arg("--fuzz-dir").arg(super::folder()).arg("--target-dir").arg(target_dir());
    process::run(&mut build)
}

/// The program of a target.
pub(super) fn program(target: &str) -> Result<PathBuf> {
    let folder = target_dir().join(toolchain::host()?).join("release");
    Ok(folder.join(format!("{target}{EXE_SUFFIX}")))
}

fn target_dir() -> PathBuf {
    workspace::target().join("fuzz")
}

/// The pinned cargo-fuzz, in a folder of its own.
fn cargo_fuzz() -> Result<PathBuf> {
    let folder = workspace::target().join("fuzz-tools");
    let program = folder.join("bin").join(format!("cargo-fuzz{EXE_SUFFIX}"));
    if version(&program).is_some_and(|version| version == CARGO_FUZZ) {
        return Ok(program);
    }
    println!("installing cargo-fuzz {CARGO_FUZZ} into {}", folder.display());
    let mut install = process::cargo();
    install.args([
        "install",
        "cargo-fuzz",
        "--locked",
        "--force",
        "--version",
        &format!("={CARGO_FUZZ}"),
        "--root",
    ]);
    process::run(install.arg(&folder))?;
    Ok(program)
}

fn version(program: &Path) -> Option<String> {
    let told = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&told.stdout).trim().strip_prefix("cargo-fuzz ")?.to_owned())
}
