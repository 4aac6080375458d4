//! Exact solving: natively and in a browser, with one thread and with two.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::rounds::ROUNDS;
use super::runs::{Run, fastest, runs, wasm_runs};
use super::sides::Sides;
use crate::workspace;

/// The usual yardstick, beside the repository.
const SUITE: &str = "../shared/suites/fforum-40-49.obf";

/// What solves.
struct Side {
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

const SIDES: [Side; 5] = [
    Side { name: "native 1", threads: 1, place: Place::Native },
    Side { name: "native 2", threads: 2, place: Place::Native },
    Side { name: "wasm", threads: 1, place: Place::Wasm },
    Side { name: "shared 1", threads: 1, place: Place::Shared },
    Side { name: "shared 2", threads: 2, place: Place::Shared },
];

/// Solves the suite on all sides in turn, several times, and prints scores, nodes, times and ratios.
///
/// # Errors
/// When a score is not that of the file, or the nodes with one thread are not the same on all sides.
pub(crate) fn run(sides: &Sides, file: Option<&Path>, hash: u32) -> Result<()> {
    let file = file.map_or_else(|| workspace::root().join(SUITE), PathBuf::from);
    let text = fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}; --file names another suite", file.display()))?;
    let positions: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(';').next())
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .collect();
    let file = file.to_str().context("the path of the suite is not UTF-8")?;

    println!("{} positions of {file}, {hash} MiB", positions.len());
    let options = json!({ "positions": positions, "hash": hash });
    let mut cold = f64::INFINITY;
    let mut solve = |side: &Side| match side.place {
        Place::Native => {
            let options = ["--threads", &side.threads.to_string(), "--hash", &hash.to_string(), "--json"];
            runs(&sides.native(&[&["solve", file], &options[..]].concat())?)
        }
        Place::Wasm | Place::Shared => {
            let threads = (side.place == Place::Shared).then_some(side.threads);
            let (runs, first) = wasm_runs(sides, &options, threads)?;
            if side.place == Place::Wasm {
                cold = cold.min(first);
            }
            Ok(runs)
        }
    };
    let mut all = SIDES.iter().map(&mut solve).collect::<Result<Vec<_>>>()?;
    for _ in 1..ROUNDS {
        for (kept, side) in all.iter_mut().zip(&SIDES) {
            let again = solve(side)?;
            let same = kept.iter().zip(&again).all(|(kept, again)| kept.score == again.score);
            ensure!(same, "two rounds find different scores");
            fastest(kept, again);
        }
    }
    ensure!(all.iter().all(|runs| runs.len() == positions.len()), "some positions were not solved");

    println!("each position's fastest of {ROUNDS} rounds; `shared` is the module for shared memory");
    println!("speed-up is over one thread there, ratio over one native thread");
    print!("      score |        nodes   native 1");
    println!(" |   native 2 speed-up |       wasm ratio |   shared 1 ratio |   shared 2 ratio speed-up");
    let mut faults = Vec::new();
    for index in 0..positions.len() {
        let row: Vec<Run> = all.iter().map(|runs| runs[index]).collect();
        print_row(&format!("{:3}", index + 1), Some(row[0].score), &row);
        for (side, run) in SIDES.iter().zip(&row) {
            if run.score != row[0].score {
                let (found, other) = (run.score, row[0].score);
                faults.push(format!("position {}: {} finds {found}, not {other}", index + 1, side.name));
            }
            if side.threads == 1 && run.nodes != row[0].nodes {
                let (nodes, other) = (run.nodes, row[0].nodes);
                faults.push(format!("position {}: {nodes} nodes in {}, not {other}", index + 1, side.name));
            }
        }
    }
    let totals: Vec<Run> = all.iter().map(|runs| Run::sum(runs)).collect();
    print_row("all", None, &totals);
    let speeds =
        SIDES.iter().zip(&totals).map(|(side, total)| format!("{} {:.2} M/s", side.name, total.speed()));
    println!("speed: {}", speeds.collect::<Vec<_>>().join(", "));
    println!("wasm the first time, the browser still optimising: {cold:.3} s");
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

fn print_row(name: &str, score: Option<i64>, row: &[Run]) {
    let score = score.map_or_else(String::new, |score| format!("{score:+}"));
    let [one, two, wasm, shared, pair] = row else { return };
    let ratio = |run: &Run| run.seconds / one.seconds;
    println!(
        "{name} {score:>7} | {:>12} {:>8.3} s | {:>8.3} s {:>8.2} | {:>8.3} s {:>5.2} | {:>8.3} s {:>5.2} | {:>8.3} s {:>5.2} {:>8.2}",
        one.nodes,
        one.seconds,
        two.seconds,
        one.seconds / two.seconds,
        wasm.seconds,
        ratio(wasm),
        shared.seconds,
        ratio(shared),
        pair.seconds,
        ratio(pair),
        shared.seconds / pair.seconds,
    );
}
