//! The nightly toolchain, which alone has Miri, the sanitizers and the counters that fuzzing needs. It is never installed
//! here: where it is not at hand, the tests that need it are skipped, and say so.

use std::process::{Command, Stdio};

use crate::{process, workspace};

/// Its name.
pub(crate) const TOOLCHAIN: &str = "nightly";

/// Whether it is there and not older than the compiler that the packages ask for; else why not.
pub(crate) fn is_at_hand() -> Result<(), String> {
    if process::find("rustup").is_none() {
        return Err("there is no rustup to run a nightly toolchain with".to_owned());
    }
    let version = process::output(command(&["rustc", "--version"]).stderr(Stdio::null()))
        .map_err(|_| format!("there is no {TOOLCHAIN} toolchain (`rustup toolchain install {TOOLCHAIN}`)"))?;
    let wanted = env!("CARGO_PKG_RUST_VERSION");
    if minor(version.trim().trim_start_matches("rustc ")) < minor(wanted) {
        return Err(format!("the {TOOLCHAIN} toolchain is too old: {}, not {wanted}", version.trim()));
    }
    Ok(())
}

/// Adds components where they are missing; else why that cannot be done.
pub(crate) fn ensure(components: &[&str]) -> Result<(), String> {
    let list = ["component", "list", "--installed", "--toolchain", TOOLCHAIN];
    let installed =
        process::output(Command::new("rustup").args(list)).map_err(|error| format!("{error:#}"))?;
    let is_there = |name: &&str| installed.lines().any(|line| line.starts_with(*name));
    if components.iter().all(is_there) {
        return Ok(());
    }
    println!("adding {} to the {TOOLCHAIN} toolchain", components.join(" and "));
    let mut rustup = Command::new("rustup");
    rustup.args(["component", "add", "--toolchain", TOOLCHAIN]).args(components);
    process::run(&mut rustup).map_err(|error| format!("{error:#}"))
}

/// A command of it. What cargo told us of its own is not for it.
pub(crate) fn command(words: &[&str]) -> Command {
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
