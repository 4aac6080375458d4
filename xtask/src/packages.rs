//! Programs of the operating system that the tests need.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::{browser, process};

/// A program and the Debian packages that bring it.
struct Need {
    present: fn() -> Option<PathBuf>,
    packages: &'static [&'static str],
}

const NEEDS: [Need; 4] = [
    Need { present: browser::chromium, packages: &["chromium"] },
    Need { present: browser::driver, packages: &["chromium-driver"] },
    Need { present: browser::firefox, packages: &["firefox-esr"] },
    Need { present: npm, packages: &["nodejs", "npm"] },
];

/// The oldest major version of Node that the page tests run in.
const OLDEST_NODE: u32 = 20;

/// Installs the browsers, the driver and Node if they are missing and this user may.
///
/// # Errors
/// Where we may not, the error is the command line to run.
pub(crate) fn ensure() -> Result<()> {
    let missing = missing();
    if missing.is_empty() {
        return recent_node();
    }
    let install = format!("apt-get install -y --no-install-recommends {}", missing.join(" "));
    if process::find("apt-get").is_none() {
        bail!(
            "missing: {}; install them (CHROME_PATH, CHROMEDRIVER and FIREFOX_PATH name programs elsewhere)",
            missing.join(", ")
        );
    }
    if !is_root() {
        bail!("missing: {}; run\n  sudo apt-get update && sudo {install}", missing.join(", "));
    }
    println!("installing {}", missing.join(", "));
    apt(&["update", "-qq"])?;
    let mut arguments = vec!["install", "-y", "-qq", "--no-install-recommends"];
    arguments.extend(missing);
    apt(&arguments)?;
    recent_node()
}

/// Debian 12's own Node is 18, which playwright-core refuses.
fn recent_node() -> Result<()> {
    let version = process::output(Command::new("node").arg("--version"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|text| text.parse().ok());
    match major {
        Some(OLDEST_NODE..) => Ok(()),
        _ => bail!(
            "Node {OLDEST_NODE} or newer is needed, and `node` is {}; see https://nodejs.org/en/download",
            version.trim()
        ),
    }
}

fn missing() -> Vec<&'static str> {
    NEEDS.iter().filter(|need| (need.present)().is_none()).flat_map(|need| need.packages).copied().collect()
}

fn apt(arguments: &[&str]) -> Result<()> {
    process::run(
        Command::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null()),
    )
}

fn npm() -> Option<PathBuf> {
    process::find("node").and(process::find("npm"))
}

fn is_root() -> bool {
    process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
