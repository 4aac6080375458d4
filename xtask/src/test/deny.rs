//! `cargo deny` on all dependencies: licenses, sources, duplicates and advisories. `deny.toml` lists what is allowed.

use std::process::Command;

use anyhow::Result;

use super::counts::check;
use crate::{toolchain, tools, workspace};

const VERSION: &str = "0.20.2";

/// Runs the checks. Advisories are checked only if a copy of their database is available.
pub(super) fn run() -> Result<u64> {
    let program = tools::pinned("cargo-deny", VERSION)?;
    let deny =
        |arguments: &[&str]| check(Command::new(&program).current_dir(workspace::root()).args(arguments));
    let mut passed = deny(&["--locked", "check", "licenses", "bans", "sources"])?;
    if has_advisories() {
        passed += deny(&["--locked", "--offline", "check", "advisories"])?;
    } else {
        println!(
            "advisories are not checked: their database is not on this machine \
             (`{} fetch db` downloads it from GitHub)",
            program.display()
        );
    }
    Ok(passed)
}

fn has_advisories() -> bool {
    let folder = toolchain::cargo_home().map(|cargo| cargo.join("advisory-dbs"));
    folder.is_some_and(|folder| folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()))
}
