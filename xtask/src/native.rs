//! The native engine, and `cargo xtask soak` and `cargo xtask differential`, which run parts of the package `outflank-tests`.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX, OS};
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::args::{Differential, Soak};
use crate::{dist, process, setup, toolchain, workspace};

/// The packages that are tested together. `xtask` is tested with the dependencies that it was built with, and its runner has no
/// tests.
pub(crate) const PACKAGES: [&str; 5] = ["--workspace", "--exclude", "xtask", "--exclude", "xtask-runner"];

/// Builds the engine in release and returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    process::run(build_command().arg("--release"))?;
    Ok(built())
}

/// Returns the path of the engine that [`build`] has built.
pub(crate) fn built() -> PathBuf {
    path("release")
}

/// Builds the engine as the tests do, optimized but without link-time optimization, and returns its path.
pub(crate) fn build_for_tests() -> Result<PathBuf> {
    // A build of its package alone, or of no test, would compile its dependencies and the engine again, with other features.
    let targets = ["--bin", "outflank", "--test", "tidy"];
    process::run(process::linting(&["build"]).args(targets).args(PACKAGES))?;
    Ok(path("debug"))
}

/// Returns the target of the engine for other machines: this one, but Linux with the C library musl, which becomes part of the
/// program. The program then runs on every Linux, whatever C library that has.
pub(crate) fn shipped_target() -> Result<String> {
    let host = toolchain::host()?;
    let processors = ["x86_64", "aarch64"];
    let processor = host.strip_suffix("-unknown-linux-gnu").filter(|name| processors.contains(name));
    Ok(processor.map_or(host.clone(), |processor| format!("{processor}-unknown-linux-musl")))
}

/// Builds the engine for other machines, with the page.
pub(crate) fn build_to_ship() -> Result<PathBuf> {
    let target = shipped_target()?;
    // The build script makes the page a part of the program.
    ship(build_command().env("OUTFLANK_DIST", workspace::dist()), &target, vec![])?;
    Ok(path(&format!("{target}/release")))
}

/// Builds the C library for other machines and returns its path. It uses the C library of the program that loads it.
pub(crate) fn build_library_to_ship() -> Result<PathBuf> {
    let target = toolchain::host()?;
    let name = format!("{DLL_PREFIX}outflank_c{DLL_SUFFIX}");
    // By this name a program finds it. Without it, macOS would find it by its path on this machine.
    let flags = match OS {
        "linux" => vec![format!("-Clink-arg=-Wl,-soname,{name}")],
        "macos" => vec![format!("-Clink-arg=-Wl,-install_name,@rpath/{name}")],
        _ => vec![],
    };
    let mut cargo = process::cargo();
    ship(cargo.args(["build", "--locked", "--package", "outflank-c"]), &target, flags)?;
    Ok(workspace::target().join(target).join("release").join(name))
}

/// Runs a build in release for a target, without symbols and paths of this machine.
fn ship(build: &mut Command, target: &str, mut flags: Vec<String>) -> Result<()> {
    toolchain::ensure_target(target)?;
    flags.extend(toolchain::without_private_paths()?);
    if target.ends_with("-windows-msvc") {
        // The dynamic C runtime is not part of Windows.
        flags.push("-Ctarget-feature=+crt-static".to_owned());
    }
    build.args(toolchain::flags(target, &flags));
    process::run(build.args(["--release", "--config", "profile.release.strip='symbols'", "--target", target]))
}

fn build_command() -> Command {
    let mut cargo = process::cargo();
    cargo.args(["build", "--locked", "--package", "outflank-cli", "--bin", "outflank"]);
    cargo
}

fn path(folder: &str) -> PathBuf {
    workspace::target().join(folder).join(format!("outflank{EXE_SUFFIX}"))
}

/// Disturbs sessions of the engine that the tests build, which has assertions (`tests/native/tests/programs/soak.rs`).
pub(crate) fn soak(options: &Soak) -> Result<()> {
    let mut cargo = process::linting(&["test", "--quiet"]);
    cargo.args(["--test", "programs"]).args(PACKAGES);
    let words = format!("{} {} {}", options.minutes, options.seed, options.dialects.join(" "));
    let test = ["--", "--nocapture", "--ignored", "disturbed_sessions_of_every_protocol"];
    process::run(cargo.args(test).env("OUTFLANK_SOAK", words))
}

/// Compares the results of all builds, kernels and thread counts
/// (`tests/native/src/bin/differential`). The program contains the native library and runs the built modules in a browser.
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
