//! `cargo xtask test`: all checks of the repository, in steps that can be run separately.

mod counts;
mod sanitize;
mod steps;
mod systems;

use std::thread;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::{setup, toolchain, tools, wasm};
use steps::{EXTRA, STEPS, Step};

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
            setup::npm().ok();
        });
    }
    let mut summary = String::new();
    let (mut passed, mut failed) = (0, Vec::new());
    for step in chosen {
        println!("\n== {}: {}", step.name, step.description);
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
    }
    print!("\n{summary}{:8} {:7.1} s  {passed} passed\n", "total", start.elapsed().as_secs_f64());
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}
