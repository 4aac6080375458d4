//! What the steps need before they can run. Independent installs go side by side.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};

use super::steps::Step;
use crate::{browser, packages, process, tools, wasm, workspace};

/// Something that a step cannot run without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Chromium, its driver, Firefox and Node from the operating system.
    Packages,
    /// The npm packages of the page tests.
    Npm,
    /// The wasm target and the browser test runner.
    Runner,
}

/// The outcome of every preparation that was asked for.
#[derive(Debug)]
pub(crate) struct Setup {
    packages: Result<(), String>,
    npm: Result<(), String>,
    runner: Result<(), String>,
}

impl Setup {
    /// Prepares what the chosen steps need. A fault is kept for the steps that hang on it.
    pub(crate) fn prepare(steps: &[&Step]) -> Self {
        Self::with(&|need| steps.iter().any(|step| step.needs.contains(&need)))
    }

    /// Prepares what it takes to drive the built page in a browser.
    pub(crate) fn for_pages() -> Self {
        Self::with(&|need| need != Need::Runner)
    }

    fn with(wanted: &(dyn Fn(Need) -> bool + Sync)) -> Self {
        thread::scope(|scope| {
            let runner = scope.spawn(|| {
                wanted_step(wanted(Need::Runner), "wasm target and browser test runner", || {
                    wasm::ensure_target()?;
                    tools::build()
                })
            });
            let packages = wanted_step(
                wanted(Need::Packages) || wanted(Need::Npm),
                "browsers, driver and Node",
                packages::ensure,
            );
            let npm = packages.clone().and_then(|()| {
                wanted_step(wanted(Need::Npm), "npm packages of the page tests", npm_packages)
            });
            let runner = runner.join().unwrap_or_else(|_| Err("the preparation died".into()));
            Self { packages, npm, runner }
        })
    }

    /// The browser and its driver.
    pub(crate) fn browser(&self) -> Result<(PathBuf, PathBuf)> {
        ready(&self.packages)?;
        let browser = browser::chromium().context("there is no Chromium")?;
        let driver = browser::driver().context("there is no chromedriver")?;
        Ok((browser, driver))
    }

    /// The other browser, in which the page is tried.
    pub(crate) fn firefox(&self) -> Result<PathBuf> {
        ready(&self.packages)?;
        browser::firefox().context("there is no Firefox")
    }

    /// The npm packages of the page tests.
    pub(crate) fn npm(&self) -> Result<()> {
        ready(&self.npm)
    }

    /// The browser test runner.
    pub(crate) fn runner(&self) -> Result<PathBuf> {
        ready(&self.runner)?;
        Ok(tools::runner())
    }
}

fn ready(outcome: &Result<(), String>) -> Result<()> {
    outcome.as_ref().copied().map_err(|fault| anyhow!("not run: {fault}"))
}

fn wanted_step(wanted: bool, what: &str, work: impl FnOnce() -> Result<()>) -> Result<(), String> {
    if !wanted {
        return Ok(());
    }
    let start = Instant::now();
    let outcome = work().map_err(|error| format!("{error:#}"));
    let seconds = start.elapsed().as_secs_f64();
    match &outcome {
        Ok(()) => println!("set-up: {what} ready ({seconds:.1} s)"),
        Err(fault) => println!("set-up: {what} failed ({seconds:.1} s): {fault}"),
    }
    outcome
}

/// Installs what the lock file names, unless it was installed from this very lock file before.
fn npm_packages() -> Result<()> {
    let folder = workspace::tests();
    let lock = folder.join("package-lock.json");
    let stamp = folder.join("node_modules/.installed-from");
    let wanted = std::fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let npm = process::find("npm").context("npm is missing")?;
    process::run(
        Command::new(npm)
            .current_dir(&folder)
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .stdout(Stdio::null()),
    )?;
    std::fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))
}
