//! `cargo xtask test`: all checks of the repository, in steps that can be run separately.

mod counts;
mod sanitize;
mod steps;
mod systems;

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::{setup, toolchain, tools, wasm, workspace};
use steps::{AHEAD, EXTRA, STEPS, Step};

/// Steps of a whole run that run beside the page tests, which leave parts of the cores idle.
const BESIDE: [&str; 4] = ["crates", "deny", "miri", AHEAD];

/// Starts the steps `BESIDE` with the lowest priority. Their output goes to a file.
fn start_beside() -> Result<(Child, PathBuf)> {
    let log = workspace::target().join("beside.txt");
    let file = File::create(&log)?;
    let mut nice = Command::new("nice");
    nice.args(["-n", "19"]).arg(workspace::program()?).arg("test").args(BESIDE);
    let child = nice.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).spawn();
    Ok((child.context("cannot run `nice`")?, log))
}

/// Waits for the steps `BESIDE` and prints their output. Returns their summary, and the number of passed checks if none failed.
fn end_beside((mut child, log): (Child, PathBuf)) -> Result<(String, Option<u64>)> {
    let status = child.wait()?;
    let text = fs::read_to_string(&log)?;
    print!("\n{text}");
    // The summary ends with the line of the total.
    let (summary, total) =
        text.rsplit("\n\n").find_map(|part| part.split_once("total ")).unwrap_or((&text, ""));
    let passed = total.split(" s ").nth(1).and_then(|words| words.split_whitespace().next()?.parse().ok());
    Ok((summary.to_owned(), passed.filter(|_| status.success())))
}

/// Runs the named steps. Without names, runs every step that is part of the whole run.
///
/// # Errors
/// If a name is unknown, or if a check failed. A failed step does not stop the steps after it.
pub(crate) fn run(names: &[String]) -> Result<()> {
    if names.iter().any(|name| name == "list") {
        for step in STEPS {
            let note = if EXTRA.contains(&step.name) { " (only if named)" } else { "" };
            println!("{:8} {}{note}", step.name, step.description);
        }
        return Ok(());
    }
    if let Some(unknown) = names.iter().find(|name| STEPS.iter().all(|step| step.name != *name)) {
        let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        bail!("unknown step `{unknown}`; the steps are {}", known.join(", "));
    }
    let is_chosen = |step: &&Step| match names {
        [] => !EXTRA.contains(&step.name) && !BESIDE.contains(&step.name),
        names => names.iter().any(|name| name == step.name),
    };
    let chosen: Vec<_> = STEPS.iter().filter(is_chosen).collect();

    let start = Instant::now();
    if names.is_empty() {
        // Installing takes less time in parallel. A failure is reported by the steps that need it.
        thread::scope(|scope| {
            scope.spawn(|| toolchain::ensure_target(wasm::TARGET).and_then(|()| tools::build()).ok());
            setup::npm().ok();
        });
    }
    let mut summary = String::new();
    let (mut passed, mut failed) = (0, Vec::new());
    for step in chosen {
        println!("\n== {}: {}", step.name, step.description);
        let beside = (names.is_empty() && step.name == "page").then(start_beside).transpose()?;
        let began = Instant::now();
        let outcome = match (step.run)() {
            Ok(count) => {
                passed += count;
                format!("{count} passed")
            }
            Err(error) => {
                failed.push(step.name);
                format!("failed: {error:#}")
            }
        };
        let seconds = began.elapsed().as_secs_f64();
        println!("== {}: {outcome} ({seconds:.1} s)", step.name);
        summary += &format!("{:8} {seconds:7.1} s  {outcome}\n", step.name);
        if let Some((lines, counted)) = beside.map(end_beside).transpose()? {
            summary += &lines;
            passed += counted.unwrap_or_default();
            failed.extend(counted.is_none().then_some("a step beside `page`"));
        }
    }
    print!("\n{summary}{:8} {:7.1} s  {passed} passed\n", "total", start.elapsed().as_secs_f64());
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}
