//! Measured searches.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::targets::BenchTargets;

/// Rounds of each measurement. The fastest counts, because other work on the machine slows the others down.
pub(crate) const ROUNDS: usize = 3;

/// A search of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// `None` for sums, and for searches that report no score.
    pub(crate) score: Option<i64>,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

impl Run {
    /// Reads the result of a search.
    pub(crate) fn read(result: &Value) -> Result<Self> {
        if let Some(error) = result["error"].as_str() {
            bail!("line {}: {error}", result["line"]);
        }
        // JavaScript sends large numbers as text.
        let nodes = &result["nodes"];
        let nodes = nodes.as_u64().or_else(|| nodes.as_str()?.parse().ok());
        Ok(Self {
            score: result["score"].as_i64(),
            nodes: nodes.with_context(|| format!("no number `nodes` in {result}"))?,
            seconds: result["seconds"].as_f64().with_context(|| format!("no `seconds` in {result}"))?,
        })
    }

    /// Reads the results of several positions.
    pub(crate) fn read_all(result: &Value) -> Result<Vec<Self>> {
        let positions = result["positions"].as_array().context("no `positions` in the result")?;
        positions.iter().map(Self::read).collect()
    }

    pub(crate) fn sum(runs: &[Self]) -> Self {
        let nodes = runs.iter().map(|run| run.nodes).sum();
        Self { score: None, nodes, seconds: runs.iter().map(|run| run.seconds).sum() }
    }

    /// Returns the speed in millions of nodes per second.
    pub(crate) fn speed(self) -> f64 {
        self.nodes as f64 / self.seconds / 1e6
    }
}

/// Searches positions twice in the browser and returns the second results, and the seconds of the first search, during which the
/// browser optimizes the module. Without `threads`, uses the module for one worker.
pub(crate) fn wasm_runs(
    targets: &BenchTargets,
    options: &Value,
    threads: Option<u32>,
) -> Result<(Vec<Run>, f64)> {
    let mut job = json!({ "work": "endgame", "warm": true, "threads": threads });
    if let (Some(job), Some(options)) = (job.as_object_mut(), options.as_object()) {
        job.extend(options.clone());
    }
    let result = targets.wasm(&job)?;
    Ok((Run::read_all(&result)?, result["cold"].as_f64().context("no `cold` in the result")?))
}

/// Keeps the faster run of each position.
pub(crate) fn keep_fastest(fastest: &mut [Run], again: Vec<Run>) {
    for (fastest, again) in fastest.iter_mut().zip(again) {
        if again.seconds < fastest.seconds {
            *fastest = again;
        }
    }
}
