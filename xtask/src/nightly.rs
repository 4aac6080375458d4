//! The nightly toolchain, required by Miri, the sanitizers and the coverage counters of fuzzing.
//!
//! It is not installed automatically. Tests that need it are skipped without it and print the reason.

use std::process::{Command, Stdio};

use anyhow::{Result, anyhow, ensure};

use crate::{process, workspace};

const TOOLCHAIN: &str = "nightly";

/// Checks that the toolchain is installed and at least as new as the `rust-version` of the packages, and adds missing components.
///
/// # Errors
/// If the toolchain is missing or too old, or a component cannot be added.
pub(crate) fn ensure(components: &[&str]) -> Result<()> {
    ensure!(process::find("rustup").is_some(), "rustup, which runs the nightly toolchain, is not installed");
    let version = process::output(command(&["rustc", "--version"]).stderr(Stdio::null()))
        .map_err(|_| anyhow!("not installed (`rustup toolchain install {TOOLCHAIN}`)"))?;
    let (version, required) = (version.trim(), env!("CARGO_PKG_RUST_VERSION"));
    ensure!(
        minor(version.trim_start_matches("rustc ")) >= minor(required),
        "the {TOOLCHAIN} toolchain is too old: {version}, not {required}"
    );
    let list = ["component", "list", "--installed", "--toolchain", TOOLCHAIN];
    let installed = process::output(Command::new("rustup").args(list))?;
    let is_installed = |name: &&str| installed.lines().any(|line| line.starts_with(*name));
    if components.iter().all(is_installed) {
        return Ok(());
    }
    println!("adding {} to the {TOOLCHAIN} toolchain", components.join(" and "));
    let mut rustup = Command::new("rustup");
    process::run(rustup.args(["component", "add", "--toolchain", TOOLCHAIN]).args(components))
}

/// Returns a command that runs with this toolchain, without the variables that cargo set for this program.
pub(crate) fn command(words: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.current_dir(workspace::root()).args(["run", TOOLCHAIN]).args(words);
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command
}

/// Returns the second number of a version such as `1.95.0`.
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
