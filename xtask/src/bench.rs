//! `cargo xtask bench`: measures the same work in the native program and in a headless browser.

mod endgame;
mod runs;
mod search;
mod targets;

use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::args::Bench;
use crate::{dist, native, process, workspace};
use targets::BenchTargets;

/// Builds the page and the native program, then measures.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    dist::build()?;
    match bench {
        Bench::Search => search::run(&BenchTargets::new(Some(native::build()?))?),
        Bench::Endgame { file, hash } => {
            endgame::run(&BenchTargets::new(Some(native::build()?))?, file.as_deref(), *hash)
        }
        Bench::Page => page(&BenchTargets::new(None)?),
        Bench::Opponents => opponents(),
    }
}

/// Measures the page in a new browser and prints every budget.
///
/// # Errors
/// If a value exceeds its budget. Values that the browser does not report are ignored.
fn page(targets: &BenchTargets) -> Result<()> {
    let rows = targets.script("tests/bench/page.js", &[])?;
    let mut exceeded = 0;
    for row in rows.as_array().context("page.js prints no list")? {
        let what = row["what"].as_str().context("a row has no `what`")?;
        let unit = row["unit"].as_str().unwrap_or_default();
        let budget = row["budget"].as_f64().with_context(|| format!("no budget for {what}"))?;
        let value = row["value"].as_f64();
        let verdict = match value {
            None => "not reported",
            Some(value) if value <= budget => "pass",
            Some(_) => "FAIL",
        };
        exceeded += usize::from(verdict == "FAIL");
        let value = value.map_or("?".to_owned(), |value| format!("{value:.2}"));
        println!("{what:50} {value:>9} {unit:3} of {budget:>7}  {verdict}");
    }
    ensure!(exceeded == 0, "{exceeded} budgets exceeded");
    Ok(())
}

/// Fits the temperatures of the page's opponents with the native engine.
fn opponents() -> Result<()> {
    let node = process::find("node").context("node is missing")?;
    let script = workspace::tests().join("bench/opponents.js");
    process::run(Command::new(node).arg(script).arg("--write").arg("--engine").arg(native::build()?))
}
