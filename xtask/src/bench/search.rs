//! The fixed search: the same nodes everywhere, in how much time? And what a second thread brings to a deep one.

use anyhow::Result;
use serde_json::json;

use super::rounds::{self, ROUNDS};
use super::runs::{Run, fastest, wasm_runs};
use super::sides::Sides;

/// Positions with about twenty discs, of those of the fixed search.
const POSITIONS: [&str; 3] = [
    "-------------------XOO----XXXOO----XOOOO----OO------O----------- X",
    "----------X--O----XXOOO-XXXXO----XXXO----OX-O-------O----------- X",
    "---XOO----OOOX---XOOOX----OXOO---XOXO----OOOO------------------- X",
];

/// Plies they are searched to.
const DEPTH: u32 = 22;

/// Table of the deep searches in mebibytes: what a desktop's page has.
const HASH: u32 = 32;

/// Searches on both sides in turn and prints times and their ratio.
pub(crate) fn run(sides: &Sides) -> Result<()> {
    println!("fixed search, one thread; `shared` is the module for shared memory");
    let job = json!({ "work": "search", "warm": true });
    let shared = json!({ "work": "search", "warm": true, "threads": 1 });
    let nodes = rounds::compare(sides, &["bench", "--json"], &[("wasm", job), ("shared", shared)], "nodes")?;
    println!("  signature {nodes}");

    println!(
        "depth {DEPTH} in wasm, shared memory, {} positions of the midgame, {HASH} MiB",
        POSITIONS.len()
    );
    let job = |threads: u32| {
        let options = json!({ "positions": POSITIONS, "hash": HASH, "depth": DEPTH });
        wasm_runs(sides, &options, Some(threads)).map(|(runs, _)| runs)
    };
    let (mut one, mut two) = (job(1)?, job(2)?);
    for _ in 1..ROUNDS {
        fastest(&mut one, job(1)?);
        fastest(&mut two, job(2)?);
    }
    println!("            nodes         1 |        nodes         2  speed-up");
    for (one, two) in one.iter().zip(&two) {
        row(one, two);
    }
    row(&Run::sum(&one), &Run::sum(&two));
    Ok(())
}

fn row(one: &Run, two: &Run) {
    println!(
        "  {:>15} {:>7.3} s | {:>12} {:>7.3} s {:>9.2}",
        one.nodes,
        one.seconds,
        two.nodes,
        two.seconds,
        one.seconds / two.seconds
    );
}
