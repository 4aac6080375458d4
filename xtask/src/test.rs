//! `cargo xtask test`: all checks of the repository, in steps that can be run separately.

mod in_browser;
mod sanitize;
mod steps;
mod systems;

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::{process, setup, workspace};
use steps::{Lane, MODULES, STEPS, Set, Step};

/// The sets of steps by the words that select them.
const SETS: [(&str, &[Set]); 3] =
    [("quick", &[Set::Quick]), ("release", &[Set::Release]), ("all", &[Set::Quick, Set::Release])];

/// Names the file to which the process of a step writes its processor time.
const RESULT: &str = "OUTFLANK_STEP_RESULT";

/// Runs the named steps and sets of steps, by default the quick ones.
///
/// # Errors
/// If a name is unknown, or if a check failed. A failed step does not stop the steps after it.
pub(crate) fn run(names: &[String]) -> Result<()> {
    if names.iter().any(|name| name == "list") {
        list();
        return Ok(());
    }
    let quick = ["quick".to_owned()];
    let names = if names.is_empty() { &quick } else { names };
    let mut chosen = Vec::new();
    for name in names {
        let set = SETS.iter().find(|(word, _)| word == name).map(|(_, sets)| *sets);
        let before = chosen.len();
        chosen.extend(
            STEPS.iter().filter(|step| step.name == name || set.is_some_and(|sets| sets.contains(&step.set))),
        );
        if chosen.len() == before {
            let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
            bail!("unknown step `{name}`; the steps are {}", known.join(", "));
        }
    }
    match chosen[..] {
        [step] => alone(step),
        _ => together(&chosen),
    }
}

/// Prints the steps with the command that runs them and their budgets.
fn list() {
    for (word, set) in [("cargo xtask test", Set::Quick), ("cargo xtask test release", Set::Release)] {
        let steps = STEPS.iter().filter(|step| step.set == set);
        println!("{word}: {} s of processor time", steps.clone().map(|step| step.budget).sum::<u32>());
        for step in steps {
            println!("  {:9} {:>4} s  {}", step.name, step.budget, step.description);
        }
    }
}

/// Runs a step in this process.
fn alone(step: &'static Step) -> Result<()> {
    process::adopt_orphans();
    let start = Instant::now();
    let outcome = (step.run)();
    let processor = process::processor_seconds();
    let row = Row { step, wall: start.elapsed().as_secs_f64(), outcome: outcome.map(|()| processor) };
    if let (Some(path), Ok(processor)) = (std::env::var_os(RESULT), &row.outcome) {
        fs::write(path, serde_json::to_string(processor)?)?;
    } else {
        println!("\n{row}");
    }
    row.outcome.map(drop)
}

/// Runs steps in processes of their own, those of different lanes at the same time.
fn together(steps: &[&'static Step]) -> Result<()> {
    let start = Instant::now();
    // A build of the whole workspace replaces the file of this program while other steps start. The copy of a run that was
    // killed may still be in use: a file in use can be replaced, but not be written.
    let program = workspace::target().join("tools/xtask");
    let new = program.with_extension("new");
    fs::create_dir_all(workspace::target().join("tools"))?;
    fs::copy(workspace::program()?, &new).context("cannot copy this program")?;
    fs::rename(&new, &program).context("cannot replace the copy of this program")?;
    // Compilers start while programs are installed. A failure is reported by the steps that need them.
    let installed = OnceLock::new();
    let install = || _ = installed.get_or_init(|| setup::for_tests().ok());
    let lane = |lane: Lane| -> Vec<Row> {
        let steps = steps.iter().filter(|step| step.lane == lane);
        let run = |step: &&'static Step| {
            if lane == Lane::Page && step.name != MODULES {
                install();
            }
            apart(step, &program)
        };
        steps.map(run).collect()
    };
    let rows = thread::scope(|scope| {
        if steps.iter().any(|step| step.lane == Lane::Page) {
            scope.spawn(install);
        }
        let native = scope.spawn(|| lane(Lane::Native));
        let page = lane(Lane::Page);
        native.join().unwrap_or_default().into_iter().chain(page).collect::<Vec<_>>()
    });
    println!();
    rows.iter().for_each(|row| println!("{row}"));
    let processor: f64 = rows.iter().filter_map(|row| *row.outcome.as_ref().ok()?).sum();
    let failed: Vec<_> = rows.iter().filter(|row| row.outcome.is_err()).map(|row| row.step.name).collect();
    let wall = start.elapsed().as_secs_f64();
    println!("{:9} {wall:7.1} s {processor:7.1} s of processor time", "total");
    ensure!(rows.len() == steps.len(), "not all steps ran");
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

/// The result of a step.
struct Row {
    step: &'static Step,
    wall: f64,
    /// Processor seconds, which only some systems count.
    outcome: Result<Option<f64>>,
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:9} {:7.1} s ", self.step.name, self.wall)?;
        match &self.outcome {
            Ok(Some(processor)) => {
                write!(f, "{processor:7.1} s of processor time")?;
                if *processor > 1.2 * f64::from(self.step.budget) {
                    write!(f, "; above the budget of {} s", self.step.budget)?;
                }
                Ok(())
            }
            Ok(None) => f.write_str("passed"),
            Err(error) => write!(f, "failed: {error:#}"),
        }
    }
}

/// Runs a step in a process of its own and prints its output with its name before each line.
fn apart(step: &'static Step, program: &Path) -> Row {
    let start = Instant::now();
    println!("{:9} | {}", step.name, step.description);
    let outcome = child(step, program);
    let row = Row { step, wall: start.elapsed().as_secs_f64(), outcome };
    println!("{:9} | {row}", step.name);
    row
}

fn child(step: &Step, program: &Path) -> Result<Option<f64>> {
    let result = workspace::target().join(format!("tools/{}.result", step.name));
    // A process that fails leaves no result.
    fs::remove_file(&result).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })?;
    let (reader, writer) = io::pipe()?;
    let mut command = Command::new(program);
    command.args(["test", step.name]).env(RESULT, &result).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The pipe ends when its last writer is closed.
    drop(command);
    let mut last = String::new();
    for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
        last = String::from_utf8_lossy(&line).into_owned();
        println!("{:9} | {last}", step.name);
    }
    let status = child.wait()?;
    ensure!(status.success(), "{}", last.trim_start_matches("error: "));
    Ok(serde_json::from_str(&fs::read_to_string(result)?)?)
}
