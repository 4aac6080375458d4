//! Installs what the tests of the page need. Every function returns at once if it was installed before.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::{browser, packages, process, workspace};

/// Returns the paths of Chromium and its driver.
pub(crate) fn chromium() -> Result<(PathBuf, PathBuf)> {
    packages::ensure()?;
    let browser = browser::chromium().context("Chromium is missing")?;
    Ok((browser, browser::driver().context("chromedriver is missing")?))
}

/// Returns the path of Firefox.
pub(crate) fn firefox() -> Result<PathBuf> {
    packages::ensure()?;
    browser::firefox().context("Firefox is missing")
}

/// Installs the npm packages of the lock file, unless they were installed from the same lock file before.
pub(crate) fn npm() -> Result<()> {
    packages::ensure()?;
    let folder = workspace::tests();
    let lock = folder.join("package-lock.json");
    let stamp = folder.join("node_modules/.installed-from");
    let required = fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == required) {
        return Ok(());
    }
    let mut npm = Command::new(process::find("npm").context("npm is missing")?);
    npm.current_dir(&folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    process::run(npm.stdout(Stdio::null()))?;
    fs::write(&stamp, required).with_context(|| format!("cannot write {}", stamp.display()))
}
