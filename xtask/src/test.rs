//! `cargo xtask test`: all checks of the repository, in steps that can be run separately.

mod counts;
mod sanitize;
mod steps;
mod systems;

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Child;
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::{process, setup, toolchain, tools, wasm, workspace};
use steps::{AHEAD, EXTRA, STEPS, Step};

/// Steps of a whole run that use the cores while the others wait, with the lowest priority, in two programs.
const BESIDE: [&[&str]; 2] = [&[AHEAD, "deny", "targets"], &["crates", "miri", "tables"]];

fn is_beside(step: &Step) -> bool {
    BESIDE.iter().any(|names| names.contains(&step.name))
}

/// Starts the steps `BESIDE` with their output in files. Empty if this system has no lowest priority.
fn start_beside() -> Result<Vec<(Child, PathBuf)>> {
    let mut started = Vec::new();
    for names in BESIDE {
        let log = workspace::target().join(format!("beside-{}.txt", names[0]));
        let words = [&["test"], names].concat();
        let child = process::start_low(workspace::program()?, &words, &File::create(&log)?)?;
        started.extend(child.map(|child| (child, log)));
    }
    Ok(started)
}

/// Waits for a program of `BESIDE` and prints its output. Returns its summary, and the number of passed checks if none failed.
fn end_beside((child, log): &mut (Child, PathBuf)) -> Result<(String, Option<u64>)> {
    // `wait` would close the standard input, which ends the program.
    let input = child.stdin.take();
    let status = child.wait()?;
    drop(input);
    let text = fs::read_to_string(log)?;
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
        [] => !EXTRA.contains(&step.name),
        names => names.iter().any(|name| name == step.name),
    };
    let chosen: Vec<_> = STEPS.iter().filter(is_chosen).collect();

    let start = Instant::now();
    if names.is_empty() {
        // Installing takes less time in parallel. A failure is reported by the steps that need it.
        thread::scope(|scope| {
            scope.spawn(|| toolchain::ensure_target(wasm::TARGET).and_then(|()| tools::build()).ok());
            scope.spawn(steps::add_components);
            setup::all().ok();
        });
    }
    let mut summary = String::new();
    let (mut passed, mut failed) = (0, Vec::new());
    let mut beside = Vec::new();
    // The steps `BESIDE` are the last ones of a system that cannot run them at the same time.
    let (rest, first): (Vec<_>, _) = chosen.into_iter().partition(|step| names.is_empty() && is_beside(step));
    for step in first.into_iter().chain(rest) {
        // Not earlier: native tests measure time.
        if names.is_empty() && step.name == "doc" {
            beside = start_beside()?;
        }
        if !beside.is_empty() && is_beside(step) {
            continue;
        }
        println!("\n== {}: {}", step.name, step.description);
        let (began, before) = (Instant::now(), process::processor_seconds());
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
        let used = process::processor_seconds().zip(before).map(|(after, before)| after - before);
        let used = used.map_or_else(String::new, |used| format!(", {used:.0} s of processor time"));
        println!("== {}: {outcome} ({seconds:.1} s{used})", step.name);
        summary += &format!("{:8} {seconds:7.1} s  {outcome}{used}\n", step.name);
    }
    for program in &mut beside {
        let (lines, counted) = end_beside(program)?;
        summary += &lines;
        passed += counted.unwrap_or_default();
        failed.extend(counted.is_none().then_some("a step with the lowest priority"));
    }
    print!("\n{summary}{:8} {:7.1} s  {passed} passed\n", "total", start.elapsed().as_secs_f64());
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}
