//! The programs that are measured: the native program, and the worker's modules in a browser.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{process, setup};

pub(crate) struct BenchTargets {
    engine: Option<PathBuf>,
    browser: PathBuf,
    xtask: PathBuf,
}

impl BenchTargets {
    /// Prepares the browser. `engine` is the native program, if it is measured.
    pub(crate) fn new(engine: Option<PathBuf>) -> Result<Self> {
        setup::npm()?;
        let (browser, _) = setup::chromium()?;
        println!();
        Ok(Self { engine, browser, xtask: crate::workspace::program()?.to_owned() })
    }

    /// Runs the native program, which prints a JSON value.
    pub(crate) fn native(&self, arguments: &[&str]) -> Result<Value> {
        let engine = self.engine.as_ref().context("the native program was not built")?;
        json(Command::new(engine).args(arguments))
    }

    /// Runs a job (see `tests/bench/run.js`) in a worker of a new browser.
    pub(crate) fn wasm(&self, job: &Value) -> Result<Value> {
        self.script("tests/bench/run.js", &[&job.to_string()])
    }

    /// Runs a script of the browser tests, which prints a JSON value.
    pub(crate) fn script(&self, script: &str, arguments: &[&str]) -> Result<Value> {
        let mut command = setup::node()?;
        command.arg(script).args(arguments);
        json(command.env("CHROME_PATH", &self.browser).env("OUTFLANK_XTASK", &self.xtask))
    }
}

fn json(command: &mut Command) -> Result<Value> {
    let text = process::output(command)?;
    serde_json::from_str(&text)
        .with_context(|| format!("`{}` printed `{}`, not JSON", process::line(command), text.trim()))
}
