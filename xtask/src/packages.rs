//! Installs the programs of the operating system that the tests need.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::{browser, process};

/// A search for a program, and the Debian packages that contain it.
type Program = (fn() -> Option<PathBuf>, &'static [&'static str]);

const PROGRAMS: [Program; 4] = [
    (browser::chromium, &["chromium"]),
    (browser::driver, &["chromium-driver"]),
    (browser::firefox, &["firefox-esr"]),
    (npm, &["nodejs", "npm"]),
];

/// Oldest major version of Node for the page tests.
const MIN_NODE: u32 = 20;

/// Installs the missing browsers, the driver and Node, if this user may.
///
/// # Errors
/// If this user may not install packages; the message is the command to run.
pub(crate) fn ensure() -> Result<()> {
    let missing: Vec<&str> = PROGRAMS
        .iter()
        .filter(|(find, _)| find().is_none())
        .flat_map(|(_, packages)| *packages)
        .copied()
        .collect();
    if missing.is_empty() {
        return check_node();
    }
    let list = missing.join(" ");
    if process::find("apt-get").is_none() {
        bail!("missing: {list}; install them (CHROME_PATH, CHROMEDRIVER and FIREFOX_PATH name other paths)");
    }
    if !process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0") {
        bail!(
            "missing: {list}; run\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends {list}"
        );
    }
    println!("installing {list}");
    apt(&["update", "-qq"])?;
    apt(&[&["install", "-y", "-qq", "--no-install-recommends"], &missing[..]].concat())?;
    check_node()
}

/// Checks the version of Node. Debian 12 has Node 18, which playwright-core rejects.
fn check_node() -> Result<()> {
    let version = process::output(Command::new("node").arg("--version"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|text| text.parse().ok());
    match major {
        Some(MIN_NODE..) => Ok(()),
        _ => bail!(
            "Node {MIN_NODE} or newer is required, `node` is {}; see https://nodejs.org/en/download",
            version.trim()
        ),
    }
}

fn apt(arguments: &[&str]) -> Result<()> {
    let mut apt = Command::new("apt-get");
    process::run(apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
}

fn npm() -> Option<PathBuf> {
    process::find("node").and(process::find("npm"))
}
