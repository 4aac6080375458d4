//! Builds the native engine.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use anyhow::Result;

use crate::{process, toolchain, workspace};

/// Builds the engine in release and returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    build_as("release", &["--release"])
}

/// Builds the engine as the tests do, optimized but without link-time optimization, which takes less time.
pub(crate) fn build_for_tests() -> Result<PathBuf> {
    build_as("debug", &[])
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
    Ok(workspace::target().join(folder).join(format!("outflank{EXE_SUFFIX}")))
}
