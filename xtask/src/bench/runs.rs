//! Positions searched one by one, and what each took.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::rounds::number;
use super::sides::Sides;

/// One position on one side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    pub(crate) score: i64,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

impl Run {
    /// All of them together, without a score.
    pub(crate) fn sum(runs: &[Run]) -> Run {
        let nodes = runs.iter().map(|run| run.nodes).sum();
        Run { score: 0, nodes, seconds: runs.iter().map(|run| run.seconds).sum() }
    }

    /// In millions of nodes a second.
    pub(crate) fn speed(self) -> f64 {
        self.nodes as f64 / self.seconds / 1e6
    }
}

/// What a program says of its positions.
///
/// # Errors
/// When one of them could not be searched.
pub(crate) fn runs(result: &Value) -> Result<Vec<Run>> {
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

/// Positions in the browser, the second time round: with the module for one worker, or with so many threads. Also the
/// seconds of the first time.
///
/// # Errors
/// When one of them could not be searched.
pub(crate) fn wasm_runs(sides: &Sides, options: &Value, threads: Option<u32>) -> Result<(Vec<Run>, f64)> {
    let mut job = json!({ "work": "endgame", "warm": true, "threads": threads });
    if let (Some(job), Some(options)) = (job.as_object_mut(), options.as_object()) {
        job.extend(options.clone());
    }
    let result = sides.wasm(&job)?;
    Ok((runs(&result)?, result["cold"].as_f64().context("no `cold` in the result")?))
}

/// Keeps the faster of two runs of every position: the other one was disturbed.
pub(crate) fn fastest(kept: &mut [Run], again: Vec<Run>) {
    for (kept, again) in kept.iter_mut().zip(again) {
        if again.seconds < kept.seconds {
            *kept = again;
        }
    }
}
