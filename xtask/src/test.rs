//! `cargo xtask test`: every check of the repository, in steps that can be run one by one.

mod cluster;
mod crates;
mod deny;
mod miri;
mod sanitize;
mod setup;
mod steps;
mod tally;
mod targets;

use std::time::Instant;

use anyhow::{Result, bail};

pub(crate) use setup::Setup;
use steps::{Part, STEPS, Step};
use tally::Tally;

/// Runs the named steps, or all that are part of the whole when none is named.
///
/// # Errors
/// When a name is unknown or any check failed; every chosen step is run all the same.
pub(crate) fn run(names: &[String]) -> Result<()> {
    if names.iter().any(|name| name == "list") {
        for step in STEPS {
            let note = if step.part == Part::Named { " (only where it is named)" } else { "" };
            println!("{:8} {}{note}", step.name, step.what);
        }
        return Ok(());
    }
    if let Some(unknown) = names.iter().find(|name| STEPS.iter().all(|step| step.name != *name)) {
        let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        bail!("there is no step `{unknown}`; the steps are {}", known.join(", "));
    }
    let is_chosen = |step: &&Step| match names {
        [] => step.part == Part::Whole,
        names => names.iter().any(|name| name == step.name),
    };
    let chosen = STEPS.iter().filter(is_chosen);
    let chosen: Vec<_> = chosen.collect();

    let start = Instant::now();
    let setup = Setup::prepare(&chosen);
    let mut report = Vec::new();
    let mut total = Tally::default();
    // Told again at the end: in the output of a whole run they stand far from it.
    let mut reasons = Vec::new();
    for step in chosen {
        println!("\n== {}: {}", step.name, step.what);
        let began = Instant::now();
        let tally = (step.run)(&setup).unwrap_or_else(|error| {
            println!("{error:#}");
            reasons.push(format!("{}: {error:#}", step.name));
            Tally::FAILED
        });
        let seconds = began.elapsed().as_secs_f64();
        println!("== {}: {tally} ({seconds:.1} s)", step.name);
        report.push((step.name, seconds, tally));
        total += tally;
    }
    println!();
    for (name, seconds, tally) in report {
        println!("{name:8} {seconds:7.1} s  {tally}");
    }
    println!("{:8} {:7.1} s", "in all", start.elapsed().as_secs_f64());
    println!("{total}");
    for reason in reasons {
        println!("{reason}");
    }
    if total.failed > 0 {
        bail!("{} failed", total.failed);
    }
    Ok(())
}
