//! `cargo xtask fuzz`: drives the targets of `tests/fuzz` for minutes or hours, one after the other or side by side.
//!
//! What is found out lies in `data/fuzz`, outside git and outside the target folder: inputs that reach more code, findings,
//! and what was run in all, so that hours can be put together from several runs.

mod build;
mod distill;
mod output;
mod totals;
mod turn;

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::args::Fuzz;
use crate::workspace;
use totals::Totals;
use turn::Ran;

/// The longest turn of a target before the next one's: what a run that is broken off loses of the totals.
const LONGEST_TURN: Duration = Duration::from_secs(300);

/// Fuzzes, or makes the inputs in the tree anew.
///
/// # Errors
/// When something is missing that cannot be installed, a target is unknown, or anything was found.
pub(crate) fn run(options: &Fuzz) -> Result<()> {
    let known = targets()?;
    if options.targets.iter().any(|name| name == "list") {
        known.iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    if let Some(unknown) = options.targets.iter().find(|name| !known.contains(name)) {
        bail!("there is no target `{unknown}`; the targets are {}", known.join(", "));
    }
    let chosen = if options.targets.is_empty() { known } else { options.targets.clone() };
    build::ensure()?;
    if options.distill {
        return distill::run(&chosen);
    }
    let found = in_turns(&chosen, options)?;
    if found > 0 {
        bail!("{found} findings: each is an input that breaks a property; see tests/fuzz/README.md");
    }
    Ok(())
}

/// Gives every target its turns, tells what each has come to, and keeps the totals; the number of findings.
fn in_turns(targets: &[String], options: &Fuzz) -> Result<usize> {
    let each =
        Duration::from_secs(u64::from(options.minutes) * 60) * options.jobs / targets.len().max(1) as u32;
    let turns = each.as_secs().div_ceil(LONGEST_TURN.as_secs()).max(1) as u32;
    let turn = (each / turns).max(Duration::from_secs(1));
    println!(
        "{} targets, {} turns of {} s each, {} at a time; Ctrl-C ends it, and what was done before counts",
        targets.len(),
        turns,
        turn.as_secs(),
        options.jobs
    );
    let queue: Vec<&String> = (0..turns).flat_map(|_| targets).collect();
    let next = AtomicUsize::new(0);
    let totals = Mutex::new(Totals::open()?);
    let worked: Vec<Result<()>> = thread::scope(|scope| {
        let work = || {
            while let Some(target) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
                let ran: Ran = turn::run(target, turn)?;
                totals.lock().map_err(|_| anyhow::anyhow!("the totals are lost"))?.add(target, &ran)?;
            }
            Ok(())
        };
        let workers: Vec<_> = (0..options.jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| bail!("a worker died"))).collect()
    });
    let totals = totals.into_inner().map_err(|_| anyhow::anyhow!("the totals are lost"))?;
    println!("\n{totals}");
    worked.into_iter().collect::<Result<()>>()?;
    Ok(totals.findings())
}

/// The names of the targets, one for each file.
fn targets() -> Result<Vec<String>> {
    let folder = folder().join("fuzz_targets");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// The fuzz project.
fn folder() -> PathBuf {
    workspace::root().join("tests/fuzz")
}

/// The inputs of a target that are kept in the tree.
fn kept(target: &str) -> PathBuf {
    folder().join("corpus").join(target)
}

/// What runs have found out: `corpus` and `findings`.
fn data(kind: &str) -> PathBuf {
    workspace::root().join("data/fuzz").join(kind)
}
