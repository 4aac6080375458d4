//! Compares searches of the same positions by several searchers.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// Rounds of each measurement. The fastest counts, because other work on the machine slows the others down.
const ROUNDS: usize = 3;

/// A program or module with its options.
pub(crate) struct Searcher<'a> {
    pub(crate) name: &'static str,
    /// One thread: the nodes must be those of the first searcher.
    pub(crate) is_exact: bool,
    /// Searches all positions and returns the result in JSON, with a list `positions` if there are several. `cold` are the seconds
    /// of a first search, during which the browser optimizes the module.
    pub(crate) run: Box<dyn Fn() -> Result<Value> + 'a>,
}

/// The search of one position.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// `None` for a sum, and for a search that reports no score.
    score: Option<i64>,
    nodes: u64,
    seconds: f64,
}

impl Run {
    fn read(result: &Value) -> Result<Self> {
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

    fn sum(runs: &[Self]) -> Self {
        let nodes = runs.iter().map(|run| run.nodes).sum();
        Self { score: None, nodes, seconds: runs.iter().map(|run| run.seconds).sum() }
    }
}

/// Runs the searchers in turn, several times. Prints scores, nodes, the fastest times, and their ratios to the first searcher.
///
/// # Errors
/// If two scores of a position differ, or the nodes of two exact searchers.
pub(crate) fn run(searchers: &[Searcher<'_>]) -> Result<()> {
    let mut fastest: Vec<Vec<Run>> = Vec::new();
    let mut cold = vec![f64::INFINITY; searchers.len()];
    let mut errors = Vec::new();
    for round in 1..=ROUNDS {
        for (index, searcher) in searchers.iter().enumerate() {
            let result = (searcher.run)()?;
            let runs = match result["positions"].as_array() {
                Some(positions) => positions.iter().map(Run::read).collect::<Result<Vec<_>>>()?,
                None => vec![Run::read(&result)?],
            };
            cold[index] = cold[index].min(result["cold"].as_f64().unwrap_or(f64::INFINITY));
            let name = searcher.name;
            println!("  round {round}  {name:8} {:>8.3} s", Run::sum(&runs).seconds);
            if round == 1 {
                fastest.push(runs.clone());
            }
            ensure!(runs.len() == fastest[0].len(), "{name} searched {} positions", runs.len());
            for (position, run) in runs.into_iter().enumerate() {
                let expected = fastest[0][position];
                if run.score != expected.score || (searcher.is_exact && run.nodes != expected.nodes) {
                    errors.push(format!("position {}: {name}: {run:?}, not {expected:?}", position + 1));
                }
                let best = &mut fastest[index][position];
                if run.seconds < best.seconds {
                    *best = run;
                }
            }
        }
    }
    println!("fastest of {ROUNDS} rounds in seconds, with the ratio to {}", searchers[0].name);
    print!("    score        nodes");
    searchers.iter().for_each(|searcher| print!(" | {:>15}", searcher.name));
    println!();
    for position in 0..fastest[0].len() {
        let row: Vec<Run> = fastest.iter().map(|runs| runs[position]).collect();
        print_row(&(position + 1).to_string(), &row);
    }
    let totals: Vec<Run> = fastest.iter().map(|runs| Run::sum(runs)).collect();
    print_row("all", &totals);
    for ((searcher, total), cold) in searchers.iter().zip(&totals).zip(cold) {
        let speed = total.nodes as f64 / total.seconds / 1e6;
        let cold = if cold.is_finite() { format!(", {cold:.3} s the first time") } else { String::new() };
        println!("  {:8} {:>12} nodes {speed:>8.2} M/s{cold}", searcher.name, total.nodes);
    }
    ensure!(errors.is_empty(), "{}", errors.join("\n"));
    Ok(())
}

fn print_row(name: &str, row: &[Run]) {
    let score = row[0].score.map_or_else(String::new, |score| format!("{score:+}"));
    print!("{name:>3} {score:>5} {:>12}", row[0].nodes);
    row.iter().for_each(|run| print!(" | {:>9.3} {:>5.2}", run.seconds, run.seconds / row[0].seconds));
    println!();
}
