//! Exact solving, native and in the browser, with one and two threads.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::runs::{ROUNDS, Run, keep_fastest, wasm_runs};
use super::targets::BenchTargets;
use crate::workspace;

/// The default suite, next to the repository.
const SUITE: &str = "../shared/suites/fforum-40-49.obf";

struct Solver {
    name: &'static str,
    threads: u32,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Native,
    /// The module for one worker.
    Wasm,
    /// The module for shared memory.
    Shared,
}

const SOLVERS: [Solver; 5] = [
    Solver { name: "native 1", threads: 1, place: Place::Native },
    Solver { name: "native 2", threads: 2, place: Place::Native },
    Solver { name: "wasm", threads: 1, place: Place::Wasm },
    Solver { name: "shared 1", threads: 1, place: Place::Shared },
    Solver { name: "shared 2", threads: 2, place: Place::Shared },
];

/// Solves the positions with all solvers in turn, several times, and prints scores, nodes, times and ratios.
///
/// # Errors
/// If two scores of a position differ, or its nodes with one thread.
pub(crate) fn run(targets: &BenchTargets, file: Option<&Path>, hash: u32) -> Result<()> {
    let file = file.map_or_else(|| workspace::root().join(SUITE), PathBuf::from);
    let text = fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}; select another suite with --file", file.display()))?;
    let positions = text.lines().filter_map(|line| line.split(';').next()).map(str::trim);
    let positions: Vec<&str> = positions.filter(|position| !position.is_empty()).collect();
    let file = file.to_str().context("the path of the suite is not UTF-8")?;

    println!("{} positions of {file}, {hash} MiB", positions.len());
    let options = json!({ "positions": positions, "hash": hash });
    let mut cold = f64::INFINITY;
    let mut solve = |solver: &Solver| -> Result<Vec<Run>> {
        let (threads, hash) = (solver.threads.to_string(), hash.to_string());
        let runs = match solver.place {
            Place::Native => {
                let arguments = ["solve", file, "--threads", &threads, "--hash", &hash, "--json"];
                Run::read_all(&targets.native(&arguments)?)?
            }
            Place::Wasm => {
                let (runs, first) = wasm_runs(targets, &options, None)?;
                cold = cold.min(first);
                runs
            }
            Place::Shared => wasm_runs(targets, &options, Some(solver.threads))?.0,
        };
        ensure!(runs.len() == positions.len(), "{} did not solve all positions", solver.name);
        Ok(runs)
    };
    let mut all = SOLVERS.iter().map(&mut solve).collect::<Result<Vec<_>>>()?;
    for _ in 1..ROUNDS {
        for (fastest, solver) in all.iter_mut().zip(&SOLVERS) {
            let again = solve(solver)?;
            let same = fastest.iter().zip(&again).all(|(one, other)| one.score == other.score);
            ensure!(same, "{} finds different scores in two rounds", solver.name);
            keep_fastest(fastest, again);
        }
    }

    println!("fastest of {ROUNDS} rounds; `shared` is the module for shared memory");
    println!("times in seconds, with their ratio to one native thread");
    print!("    score        nodes");
    SOLVERS.iter().for_each(|solver| print!(" | {:>15}", solver.name));
    println!();
    let mut errors = Vec::new();
    for index in 0..positions.len() {
        let row: Vec<Run> = all.iter().map(|runs| runs[index]).collect();
        print_row(&(index + 1).to_string(), &row);
        for (solver, run) in SOLVERS.iter().zip(&row) {
            if run.score != row[0].score || (solver.threads == 1 && run.nodes != row[0].nodes) {
                errors.push(format!("position {}: {}: {run:?}, not {:?}", index + 1, solver.name, row[0]));
            }
        }
    }
    let totals: Vec<Run> = all.iter().map(|runs| Run::sum(runs)).collect();
    print_row("all", &totals);
    let speeds =
        SOLVERS.iter().zip(&totals).map(|(it, total)| format!("{} {:.2} M/s", it.name, total.speed()));
    println!("speed: {}", speeds.collect::<Vec<_>>().join(", "));
    println!("wasm the first time, while the browser optimizes the module: {cold:.3} s");
    if !errors.is_empty() {
        bail!("{}", errors.join("\n"));
    }
    Ok(())
}

fn print_row(name: &str, row: &[Run]) {
    let score = row[0].score.map_or_else(String::new, |score| format!("{score:+}"));
    print!("{name:>3} {score:>5} {:>12}", row[0].nodes);
    for run in row {
        print!(" | {:>9.3} {:>5.2}", run.seconds, run.seconds / row[0].seconds);
    }
    println!();
}
