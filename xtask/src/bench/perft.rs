//! Leaf counts: how fast the bare rules are.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::sides::Sides;

/// Rounds on each side; the fastest counts, for the others were disturbed.
const ROUNDS: usize = 3;

/// Leaves from the start position, by depth.
const KNOWN: [u64; 12] =
    [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800];

/// Counts on both sides in turn and prints times and their ratio.
pub(crate) fn run(sides: &Sides, depth: u32) -> Result<()> {
    let mut best = [f64::INFINITY; 2];
    let mut leaves = 0;
    println!("perft {depth}");
    for round in 1..=ROUNDS {
        let native = sides.native(&["perft", &depth.to_string(), "--json"])?;
        let wasm = sides.wasm(&json!({ "work": "perft", "depth": depth }))?;
        for (side, (name, result)) in [("native", native), ("wasm", wasm)].into_iter().enumerate() {
            let nodes = number(&result, "nodes")?;
            let seconds = result["seconds"].as_f64().context("no `seconds` in the result")?;
            println!(
                "  round {round}  {name:7} {nodes:>12} leaves {seconds:>8.3} s {:>7.1} M/s",
                nodes as f64 / seconds / 1e6
            );
            if leaves != 0 && nodes != leaves {
                bail!("{name} counted {nodes} leaves, not {leaves}");
            }
            leaves = nodes;
            best[side] = best[side].min(seconds);
        }
    }
    if let Some(&known) = KNOWN.get(depth as usize)
        && leaves != known
    {
        bail!("both counted {leaves} leaves, the known number is {known}");
    }
    println!("  fastest  native {:.3} s, wasm {:.3} s, ratio {:.2}", best[0], best[1], best[1] / best[0]);
    Ok(())
}

/// A count, which JavaScript may have to send as text.
fn number(result: &Value, field: &str) -> Result<u64> {
    let value = &result[field];
    value
        .as_u64()
        .or_else(|| value.as_str()?.parse().ok())
        .with_context(|| format!("no number `{field}` in {result}"))
}
