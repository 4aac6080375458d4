//! The fixed search, native and in the browser, and the gain of a second thread in a deep search.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::runs::{ROUNDS, Run, keep_fastest, wasm_runs};
use super::targets::BenchTargets;

/// Three positions of the fixed search with about twenty discs.
const POSITIONS: [&str; 3] = [
    "-------------------XOO----XXXOO----XOOOO----OO------O----------- X",
    "----------X--O----XXOOO-XXXXO----XXXO----OX-O-------O----------- X",
    "---XOO----OOOX---XOOOX----OXOO---XOXO----OOOO------------------- X",
];

/// Depth of the deep search in plies.
const DEPTH: u32 = 22;

/// Table size of the deep search in MiB, as on the page in a desktop browser.
const HASH: u32 = 32;

/// Measures and prints both comparisons.
pub(crate) fn run(targets: &BenchTargets) -> Result<()> {
    println!("fixed search, one thread; `shared` is the module for shared memory");
    let job = json!({ "work": "search", "warm": true });
    let shared = json!({ "work": "search", "warm": true, "threads": 1 });
    let nodes = compare(targets, &["bench", "--json"], &[("wasm", job), ("shared", shared)])?;
    println!("  signature {nodes}");

    let count = POSITIONS.len();
    println!("depth {DEPTH} in wasm, shared memory, {count} positions of the midgame, {HASH} MiB");
    let search = |threads: u32| {
        let options = json!({ "positions": POSITIONS, "hash": HASH, "depth": DEPTH });
        wasm_runs(targets, &options, Some(threads)).map(|(runs, _)| runs)
    };
    let (mut one, mut two) = (search(1)?, search(2)?);
    for _ in 1..ROUNDS {
        keep_fastest(&mut one, search(1)?);
        keep_fastest(&mut two, search(2)?);
    }
    println!("            nodes         1 |        nodes         2  speed-up");
    let sums = [(Run::sum(&one), Run::sum(&two))];
    for (one, two) in one.into_iter().zip(two).chain(sums) {
        println!(
            "  {:>15} {:>7.3} s | {:>12} {:>7.3} s {:>9.2}",
            one.nodes,
            one.seconds,
            two.nodes,
            two.seconds,
            one.seconds / two.seconds
        );
    }
    Ok(())
}

/// Runs the native program and each named job in the browser in turn. Prints every run and the ratios of the fastest, and
/// returns the number of nodes.
///
/// # Errors
/// If two runs visit different numbers of nodes.
fn compare(targets: &BenchTargets, arguments: &[&str], jobs: &[(&str, Value)]) -> Result<u64> {
    let mut fastest: Vec<(&str, Run)> = Vec::new();
    for round in 1..=ROUNDS {
        let mut results = vec![("native", targets.native(arguments)?)];
        for (name, job) in jobs {
            results.push((name, targets.wasm(job)?));
        }
        for (index, (name, result)) in results.into_iter().enumerate() {
            let run = Run::read(&result)?;
            let cold = result["cold"].as_f64().map(|cold| format!("  ({cold:.3} s the first time)"));
            println!(
                "  round {round}  {name:8} {:>12} nodes {:>8.3} s {:>8.2} M/s{}",
                run.nodes,
                run.seconds,
                run.speed(),
                cold.unwrap_or_default()
            );
            match fastest.get_mut(index) {
                Some((_, fastest)) => keep_fastest(std::slice::from_mut(fastest), vec![run]),
                None => fastest.push((name, run)),
            }
            let nodes = fastest[0].1.nodes;
            ensure!(run.nodes == nodes, "{name} visits {} nodes, another run {nodes}", run.nodes);
        }
    }
    let native = fastest[0].1;
    print!("  fastest  native {:.3} s", native.seconds);
    for (name, run) in &fastest[1..] {
        print!(", {name} {:.3} s, ratio {:.2}", run.seconds, run.seconds / native.seconds);
    }
    println!();
    Ok(native.nodes)
}
