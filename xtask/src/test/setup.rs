//! Installs what the steps need. Independent installations run in parallel.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};

use super::steps::Step;
use crate::{browser, packages, process, tools, wasm, workspace};

/// A requirement of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Chromium, its driver, Firefox and Node from the operating system.
    Packages,
    /// The npm packages of the page tests.
    Npm,
    /// The wasm target and the browser test runner.
    Runner,
}

/// The outcome of every requested preparation. A failure is reported by the steps that need it.
#[derive(Debug)]
pub(crate) struct Setup {
    packages: Result<(), String>,
    npm: Result<(), String>,
    runner: Result<(), String>,
}

impl Setup {
    /// Prepares what the steps need.
    pub(crate) fn prepare(steps: &[&Step]) -> Self {
        Self::with(&|need| steps.iter().any(|step| step.needs.contains(&need)))
    }

    /// Prepares what it takes to drive the built page in a browser.
    pub(crate) fn for_pages() -> Self {
        Self::with(&|need| need != Need::Runner)
    }

    fn with(requested: &(dyn Fn(Need) -> bool + Sync)) -> Self {
        thread::scope(|scope| {
            let runner = scope.spawn(|| {
                prepare(requested(Need::Runner), "wasm target and browser test runner", || {
                    wasm::ensure_target()?;
                    tools::build()
                })
            });
            let packages = requested(Need::Packages) || requested(Need::Npm);
            let packages = prepare(packages, "browsers, driver and Node", packages::ensure);
            let npm = packages
                .clone()
                .and_then(|()| prepare(requested(Need::Npm), "npm packages of the page tests", npm_packages));
            let runner = runner.join().unwrap_or_else(|_| Err("the preparation panicked".into()));
            Self { packages, npm, runner }
        })
    }

    /// Returns the paths of the browser and its driver.
    pub(crate) fn browser(&self) -> Result<(PathBuf, PathBuf)> {
        ready(&self.packages)?;
        let browser = browser::chromium().context("Chromium is missing")?;
        let driver = browser::driver().context("chromedriver is missing")?;
        Ok((browser, driver))
    }

    /// Returns the path of Firefox.
    pub(crate) fn firefox(&self) -> Result<PathBuf> {
        ready(&self.packages)?;
        browser::firefox().context("Firefox is missing")
    }

    /// Checks that the npm packages of the page tests are installed.
    pub(crate) fn npm(&self) -> Result<()> {
        ready(&self.npm)
    }

    /// Returns the path of the browser test runner.
    pub(crate) fn runner(&self) -> Result<PathBuf> {
        ready(&self.runner)?;
        Ok(tools::runner())
    }
}

fn ready(outcome: &Result<(), String>) -> Result<()> {
    outcome.as_ref().copied().map_err(|error| anyhow!("not run: {error}"))
}

fn prepare(is_requested: bool, what: &str, work: impl FnOnce() -> Result<()>) -> Result<(), String> {
    if !is_requested {
        return Ok(());
    }
    let start = Instant::now();
    let outcome = work().map_err(|error| format!("{error:#}"));
    let seconds = start.elapsed().as_secs_f64();
    match &outcome {
        Ok(()) => println!("set-up: {what} ready ({seconds:.1} s)"),
        Err(error) => println!("set-up: {what} failed ({seconds:.1} s): {error}"),
    }
    outcome
}

/// Installs the packages of the lock file, unless they were installed from the same lock file before.
fn npm_packages() -> Result<()> {
    let folder = workspace::tests();
    let lock = folder.join("package-lock.json");
    let stamp = folder.join("node_modules/.installed-from");
    let required = fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == required) {
        return Ok(());
    }
    let npm = process::find("npm").context("npm is missing")?;
    process::run(
        Command::new(npm)
            .current_dir(&folder)
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .stdout(Stdio::null()),
    )?;
    fs::write(&stamp, required).with_context(|| format!("cannot write {}", stamp.display()))
}
