//! Installs the programs and packages that the tests of the page need, and finds them. Every function returns at once if they
//! are installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

/// A program: the variable that names its path, its names in `PATH`, and its Debian packages.
struct Program(&'static str, &'static [&'static str], &'static [&'static str]);

const CHROMIUM: Program =
    Program("CHROME_PATH", &["chromium", "chromium-browser", "google-chrome"], &["chromium"]);
/// Chromium without its user interface, which takes half of the time of a short test.
const SHELL: Program = Program("CHROME_PATH", &["chromium-headless-shell"], &["chromium-headless-shell"]);
const DRIVER: Program = Program("CHROMEDRIVER", &["chromedriver"], &["chromium-driver"]);
const FIREFOX: Program = Program("FIREFOX_PATH", &["firefox-esr", "firefox"], &["firefox-esr"]);
const NODE: Program = Program("", &["node"], &["nodejs"]);
const NPM: Program = Program("", &["npm"], &["npm"]);

const ARM_LINKER: Program =
    Program("", &["aarch64-linux-gnu-gcc"], &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"]);
const QEMU: Program = Program("", &["qemu-aarch64"], &["qemu-user"]);
const MINGW: Program = Program("", &["x86_64-w64-mingw32-gcc"], &["gcc-mingw-w64-x86-64-win32"]);
const WINE: Program = Program("", &["wine"], &["wine", "wine64"]);

/// Oldest major version of Node for the page tests.
const MIN_NODE: u32 = 20;

impl Program {
    fn find(&self) -> Option<PathBuf> {
        let named = env::var_os(self.0).map(PathBuf::from).filter(|path| path.is_file());
        named.or_else(|| self.1.iter().find_map(|name| process::find(name)))
    }

    /// Returns the path of the program, and installs it if it is missing.
    fn installed(&self) -> Result<PathBuf> {
        install(std::slice::from_ref(self))?;
        self.find().with_context(|| format!("{} is missing", self.1[0]))
    }
}

/// Returns the paths of Chromium and its driver.
pub(crate) fn chromium() -> Result<(PathBuf, PathBuf)> {
    Ok((CHROMIUM.installed()?, DRIVER.installed()?))
}

pub(crate) fn firefox() -> Result<PathBuf> {
    FIREFOX.installed()
}

/// Installs what links and runs programs for 64-bit ARM.
pub(crate) fn arm() -> Result<()> {
    install(&[ARM_LINKER, QEMU])
}

/// Installs what links and runs programs for Windows.
pub(crate) fn windows() -> Result<()> {
    install(&[MINGW, WINE])
}

/// Installs the programs of the quick tests together, which takes less time than one after the other.
pub(crate) fn for_tests() -> Result<()> {
    install(&[CHROMIUM, SHELL, NODE, NPM])?;
    npm()
}

/// Returns a command that runs Node in the root of the repository.
pub(crate) fn node() -> Result<Command> {
    let mut command = Command::new(NODE.installed()?);
    check_node()?;
    command.current_dir(workspace::root());
    Ok(command)
}

/// Installs the npm packages of the lock file, unless they were installed from the same lock file before.
pub(crate) fn npm() -> Result<()> {
    let mut npm = Command::new(NPM.installed()?);
    let folder = workspace::tests();
    npm.current_dir(&folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    unless_installed(&folder.join("package-lock.json"), &folder.join("node_modules"), || {
        process::run(npm.stdout(Stdio::null()))
    })
}

/// Runs `install`, unless it installed packages into `folder` from the same list before.
pub(crate) fn unless_installed(
    list: &Path,
    folder: &Path,
    install: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let stamp = folder.join(".installed-from");
    let required = fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == required) {
        return Ok(());
    }
    install()?;
    fs::write(&stamp, required).with_context(|| format!("cannot write {}", stamp.display()))
}

/// Installs the npm packages and Chromium, and sets the variables that the scripts of the browser tests read. Uses the whole
/// Chromium if its system has no package without the user interface.
pub(crate) fn prepare_browser(command: &mut Command) -> Result<()> {
    npm()?;
    let browser = SHELL.installed().or_else(|_| CHROMIUM.installed())?;
    command.env("CHROME_PATH", browser);
    Ok(())
}

/// Installs the missing ones of these programs, if this user may.
///
/// # Errors
/// If this user may not install packages; the message is the command to run.
fn install(programs: &[Program]) -> Result<()> {
    let missing = programs.iter().filter(|program| program.find().is_none());
    let missing: Vec<&str> = missing.flat_map(|program| program.2).copied().collect();
    if missing.is_empty() {
        return Ok(());
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
    apt(&[&["install", "-y", "-qq", "--no-install-recommends"], &missing[..]].concat())
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
