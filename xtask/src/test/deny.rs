//! `cargo deny` on all dependencies: licenses, sources, duplicates and advisories. `deny.toml` lists what is allowed.

use std::process::Command;

use anyhow::Result;

use super::counts::CheckCounts;
use crate::{toolchain, tools, workspace};

const VERSION: &str = "0.20.2";

/// Runs the checks. Advisories are checked only if a copy of their database is available.
pub(super) fn run() -> Result<CheckCounts> {
    let program = tools::pinned("cargo-deny", VERSION)?;
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

fn has_advisories() -> bool {
    let folder = toolchain::cargo_home().map(|cargo| cargo.join("advisory-dbs"));
    folder.is_some_and(|folder| folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()))
}
