//! `cargo xtask bench`: measures the same work in the native program and in a headless browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::args::Bench;
use crate::{dist, native, process, setup, workspace};

/// Three positions of the fixed search with about twenty discs.
const MIDGAME: [&str; 3] = [
    "-------------------XOO----XXXOO----XOOOO----OO------O----------- X",
    "----------X--O----XXOOO-XXXXO----XXXO----OX-O-------O----------- X",
    "---XOO----OOOX---XOOOX----OXOO---XOXO----OOOO------------------- X",
];

/// Depth of the search of these positions in plies.
const DEPTH: u32 = 22;

/// Table size for this search in MiB, as on the page in a desktop browser.
const HASH: u32 = 32;

/// The default suite of `bench endgame`.
const SUITE: &str = "tests/native/data/suites/fforum-40-49.obf";

/// Builds the page and the native program, then measures.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    dist::build()?;
    match bench {
        Bench::Search => search(&native::build()?),
        Bench::Endgame { file, hash } => endgame(&native::build()?, file.as_deref(), *hash),
        Bench::Page => page(&native::build()?),
    }
}

/// Compares the fixed search in all builds, and a deep search with one and two threads in the browser.
fn search(engine: &Path) -> Result<()> {
    println!("fixed search, one thread; `shared` is the module for shared memory");
    let in_browser = |threads: Value| wasm(&json!({ "work": "search", "warm": true, "threads": threads }));
    compare(&[
        Searcher { name: "native", equal: Equal::Nodes, run: &|| native(engine, &["bench", "--json"]) },
        Searcher { name: "wasm", equal: Equal::Nodes, run: &|| in_browser(Value::Null) },
        Searcher { name: "shared", equal: Equal::Nodes, run: &|| in_browser(json!(1)) },
    ])?;
    println!("midgame positions to depth {DEPTH}, {HASH} MiB");
    let options = json!({ "positions": MIDGAME, "hash": HASH, "depth": DEPTH });
    let shared = |threads: u32| solve(&options, Some(threads));
    compare(&[
        Searcher { name: "shared 1", equal: Equal::Nodes, run: &|| shared(1) },
        Searcher { name: "shared 2", equal: Equal::Nothing, run: &|| shared(2) },
    ])
}

/// Compares exact solving in all builds, with one and two threads.
fn endgame(engine: &Path, file: Option<&Path>, hash: u32) -> Result<()> {
    let file = file.map_or_else(|| workspace::root().join(SUITE), PathBuf::from);
    let text = fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}; select another suite with --file", file.display()))?;
    let positions = text.lines().filter_map(|line| line.split(';').next()).map(str::trim);
    let positions: Vec<&str> = positions.filter(|position| !position.is_empty()).collect();
    let file = file.to_str().context("the path of the suite is not UTF-8")?;
    println!("positions of {file}, {hash} MiB; `shared` is the module for shared memory");
    let options = json!({ "positions": positions, "hash": hash });
    let hash = &hash.to_string();
    let program = |threads| native(engine, &["solve", file, "--threads", threads, "--hash", hash, "--json"]);
    let in_browser = |threads| solve(&options, threads);
    compare(&[
        Searcher { name: "native 1", equal: Equal::Nodes, run: &|| program("1") },
        Searcher { name: "native 2", equal: Equal::Scores, run: &|| program("2") },
        Searcher { name: "wasm", equal: Equal::Nodes, run: &|| in_browser(None) },
        Searcher { name: "shared 1", equal: Equal::Nodes, run: &|| in_browser(Some(1)) },
        Searcher { name: "shared 2", equal: Equal::Scores, run: &|| in_browser(Some(2)) },
    ])
}

/// Searches positions twice in the browser and returns the second result. Without `threads`, uses the module for one worker.
fn solve(options: &Value, threads: Option<u32>) -> Result<Value> {
    let mut job = options.clone();
    job["work"] = json!("endgame");
    job["warm"] = json!(true);
    job["threads"] = json!(threads);
    wasm(&job)
}

/// Measures the page in a new browser and prints every budget.
///
/// # Errors
/// If a value exceeds its budget or is missing.
fn page(engine: &Path) -> Result<()> {
    let rows = json_of(node()?.arg("tests/bench/page.js").env("OUTFLANK_NATIVE", engine))?;
    let mut exceeded = 0;
    for row in rows.as_array().context("page.js prints no list")? {
        let what = row["what"].as_str().context("a row has no `what`")?;
        let unit = row["unit"].as_str().unwrap_or_default();
        let budget = row["budget"].as_f64().with_context(|| format!("no budget for {what}"))?;
        let value = row["value"].as_f64();
        let verdict = match value {
            Some(value) if value <= budget => "pass",
            None if row["optional"] == true => "not reported",
            _ => "FAIL",
        };
        exceeded += usize::from(verdict == "FAIL");
        let value = value.map_or("?".to_owned(), |value| format!("{value:.2}"));
        println!("{what:50} {value:>9} {unit:3} of {budget:>7}  {verdict}");
    }
    ensure!(exceeded == 0, "{exceeded} budgets exceeded or not measured");
    Ok(())
}

/// Runs the native program, which prints a JSON value.
fn native(engine: &Path, arguments: &[&str]) -> Result<Value> {
    json_of(Command::new(engine).args(arguments))
}

/// Runs a job (see `tests/bench/run.js`) in a worker of a new browser.
fn wasm(job: &Value) -> Result<Value> {
    json_of(node()?.args(["tests/bench/run.js", &job.to_string()]))
}

/// Returns Node with what scripts of the browser tests need.
fn node() -> Result<Command> {
    let mut node = setup::node()?;
    setup::prepare_browser(&mut node)?;
    // Budgets apply to the browser that people use.
    node.env("CHROME_PATH", setup::chromium()?.0);
    Ok(node)
}

fn json_of(command: &mut Command) -> Result<Value> {
    let text = process::output(command)?;
    serde_json::from_str(&text)
        .with_context(|| format!("`{}` printed `{}`, not JSON", process::line(command), text.trim()))
}

/// Rounds of each measurement. The fastest counts, because other work on the machine slows the others down.
const ROUNDS: usize = 3;

/// Results that must be equal in two searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Equal {
    /// Searches with forward pruning on several threads.
    Nothing,
    /// Exact solving on several threads.
    Scores,
    /// Searches with one thread: scores and nodes.
    Nodes,
}

/// A program or module with its options.
struct Searcher<'a> {
    name: &'static str,
    /// Results that must be equal to those of the first searcher.
    equal: Equal,
    /// Searches all positions and returns the result in JSON, with a list `positions` if there are several. `cold` are the seconds
    /// of a first search, during which the browser optimizes the module.
    run: &'a dyn Fn() -> Result<Value>,
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
/// If a score or a number of nodes differs that must be equal.
fn compare(searchers: &[Searcher<'_>]) -> Result<()> {
    let mut fastest: Vec<Vec<Run>> = Vec::new();
    let mut cold = vec![f64::INFINITY; searchers.len()];
    let mut errors = Vec::new();
    for round in 1..=ROUNDS {
        for (index, Searcher { name, equal, run }) in searchers.iter().enumerate() {
            let result = run()?;
            let runs = match result["positions"].as_array() {
                Some(positions) => positions.iter().map(Run::read).collect::<Result<Vec<_>>>()?,
                None => vec![Run::read(&result)?],
            };
            cold[index] = cold[index].min(result["cold"].as_f64().unwrap_or(f64::INFINITY));
            println!("  round {round}  {name:8} {:>8.3} s", Run::sum(&runs).seconds);
            if round == 1 {
                fastest.push(runs.clone());
            }
            ensure!(runs.len() == fastest[0].len(), "{name} searched {} positions", runs.len());
            for (position, run) in runs.into_iter().enumerate() {
                let expected = fastest[0][position];
                let scores_differ = *equal != Equal::Nothing && run.score != expected.score;
                if scores_differ || (*equal == Equal::Nodes && run.nodes != expected.nodes) {
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
    for ((Searcher { name, .. }, total), cold) in searchers.iter().zip(&totals).zip(cold) {
        let speed = total.nodes as f64 / total.seconds / 1e6;
        let cold = if cold.is_finite() { format!(", {cold:.3} s the first time") } else { String::new() };
        println!("  {name:8} {:>12} nodes {speed:>8.2} M/s{cold}", total.nodes);
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
