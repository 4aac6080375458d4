//! Exact solving: native with one and two threads, and in a browser.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::rounds::{ROUNDS, number};
use super::sides::Sides;
use crate::workspace;

/// The usual yardstick, beside the repository.
const SUITE: &str = "../shared/suites/fforum-40-49.obf";

/// One position on one side.
struct Run {
    score: i64,
    nodes: u64,
    seconds: f64,
}

/// Solves the suite on all sides in turn, several times, and prints scores, nodes, times and ratios.
///
/// # Errors
/// When a score is not that of the file, or the nodes with one thread are not the same on both sides.
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
    let native = |threads: &str| {
        let options = ["--threads", threads, "--hash", &hash.to_string(), "--json"];
        runs(&sides.native(&[&["solve", file], &options[..]].concat())?)
    };
    let job = json!({ "work": "endgame", "positions": positions, "hash": hash, "warm": true });
    let mut cold = f64::INFINITY;
    let mut wasm = || {
        let result = sides.wasm(&job)?;
        cold = cold.min(result["cold"].as_f64().context("no `cold` in the result")?);
        runs(&result)
    };
    let mut fastest = [native("1")?, wasm()?, native("2")?];
    for _ in 1..ROUNDS {
        let again = [native("1")?, wasm()?, native("2")?];
        for (fastest, again) in fastest.iter_mut().flatten().zip(again.into_iter().flatten()) {
            ensure!(again.score == fastest.score, "two rounds find different scores");
            if again.seconds < fastest.seconds {
                *fastest = again;
            }
        }
    }
    let [one, wasm, two] = fastest;
    ensure!(
        [&one, &wasm, &two].iter().all(|runs| runs.len() == positions.len()),
        "some positions were not solved"
    );

    println!("each position's fastest of {ROUNDS} rounds");
    println!("      score |        nodes   native 1 |      wasm 1  ratio |       nodes   native 2  speed-up");
    let mut totals = [Run::none(), Run::none(), Run::none()];
    let mut faults = Vec::new();
    for (index, ((one, wasm), two)) in one.iter().zip(&wasm).zip(&two).enumerate() {
        print_row(&format!("{:3}", index + 1), Some(one.score), [one, wasm, two]);
        if one.score != wasm.score || one.score != two.score {
            faults.push(format!(
                "position {}: scores {}, {}, {}",
                index + 1,
                one.score,
                wasm.score,
                two.score
            ));
        }
        if one.nodes != wasm.nodes {
            faults.push(format!(
                "position {}: {} nodes natively, {} in wasm",
                index + 1,
                one.nodes,
                wasm.nodes
            ));
        }
        for (total, run) in totals.iter_mut().zip([one, wasm, two]) {
            total.nodes += run.nodes;
            total.seconds += run.seconds;
        }
    }
    let [one, wasm, two] = &totals;
    print_row("all", None, [one, wasm, two]);
    println!(
        "speed: native 1 {:.2} M/s, wasm {:.2} M/s, native 2 {:.2} M/s",
        one.speed(),
        wasm.speed(),
        two.speed()
    );
    println!("wasm the first time, the browser still optimising: {cold:.3} s");
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

impl Run {
    fn none() -> Self {
        Self { score: 0, nodes: 0, seconds: 0.0 }
    }

    /// In millions of nodes a second.
    fn speed(&self) -> f64 {
        self.nodes as f64 / self.seconds / 1e6
    }
}

fn print_row(name: &str, score: Option<i64>, [one, wasm, two]: [&Run; 3]) {
    let score = score.map_or_else(String::new, |score| format!("{score:+}"));
    println!(
        "{name} {score:>7} | {:>12} {:>8.3} s | {:>9.3} s {:>6.2} | {:>11} {:>8.3} s {:>9.2}",
        one.nodes,
        one.seconds,
        wasm.seconds,
        wasm.seconds / one.seconds,
        two.nodes,
        two.seconds,
        one.seconds / two.seconds
    );
}

fn runs(result: &Value) -> Result<Vec<Run>> {
    let positions = result["positions"].as_array().context("no `positions` in the result")?;
    positions
        .iter()
        .map(|run| {
            if let Some(error) = run["error"].as_str() {
                bail!("line {}: {error}", run["line"]);
            }
            Ok(Run {
                score: run["score"].as_i64().context("no `score` in the result")?,
                nodes: number(run, "nodes")?,
                seconds: run["seconds"].as_f64().context("no `seconds` in the result")?,
            })
        })
        .collect()
}
