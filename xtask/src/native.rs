//! The native engine, and `cargo xtask soak` and `cargo xtask differential`, which run parts of the package `outflank-tests`.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use crate::args::{Differential, Soak};
use crate::{dist, process, setup, toolchain, workspace};

/// Builds the engine in release and returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    build_as("release", &["--release"])
}

/// `true` if this run has built the engine together with the tests.
static IS_BUILT_FOR_TESTS: AtomicBool = AtomicBool::new(false);

/// Builds the engine as the tests do, optimized but without link-time optimization, which takes less time. Does nothing if it was
/// built together with the tests.
pub(crate) fn build_for_tests() -> Result<PathBuf> {
    if IS_BUILT_FOR_TESTS.load(Ordering::Relaxed) {
        return Ok(path("debug"));
    }
    build_as("debug", &[])
}

/// Records that the engine was built together with the tests, and returns its path.
pub(crate) fn set_built_for_tests() -> PathBuf {
    IS_BUILT_FOR_TESTS.store(true, Ordering::Relaxed);
    path("debug")
}

/// Builds the engine for other machines, without symbols and paths of this one.
pub(crate) fn build_to_ship() -> Result<PathBuf> {
    let target = toolchain::host()?;
    let mut flags = toolchain::without_private_paths()?;
    if target.ends_with("-windows-msvc") {
        // The dynamic C runtime is not part of Windows.
        flags.push("-Ctarget-feature=+crt-static".to_owned());
    }
    let mut arguments = toolchain::flags(&target, &flags);
    arguments.extend(["--release", "--config", "profile.release.strip='symbols'"].map(str::to_owned));
    build_as("release", &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn build_as(folder: &str, profile: &[&str]) -> Result<PathBuf> {
    let engine = ["build", "--locked", "--package", "outflank-cli", "--bin", "outflank"];
    process::run(process::cargo().args(engine).args(profile))?;
    Ok(path(folder))
}

fn path(folder: &str) -> PathBuf {
    workspace::target().join(folder).join(format!("outflank{EXE_SUFFIX}"))
}

/// Plays long games with the engine that the tests build, which has assertions (`tests/tests/soak`).
pub(crate) fn soak(options: &Soak) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["test", "--quiet", "--locked", "--package", "outflank-tests", "--test", "soak"]);
    let words = format!("{} {} {}", options.minutes, options.seed, options.dialects.join(" "));
    process::run(cargo.args(["--", "--nocapture"]).env("OUTFLANK_SOAK", words))
}

/// Compares the results of all builds, kernels and thread counts with those of plain solvers
/// (`tests/src/bin/differential`). The program contains the native library and runs the built modules in a browser.
///
/// # Errors
/// If a result differs or a program fails.
pub(crate) fn differential(options: &Differential) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["run", "--release", "--locked", "--package", "outflank-tests"]);
    cargo.args(["--bin", "outflank-differential", "--"]);
    cargo.args([options.minutes.to_string(), options.seed.to_string()]);
    if options.native {
        cargo.arg("native");
    } else {
        dist::build()?;
        setup::prepare_browser(cargo.arg("browser"))?;
    }
    process::run(&mut cargo)
}
