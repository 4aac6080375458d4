//! Leaf counts: how fast the bare rules are.

use anyhow::{Result, bail};
use serde_json::json;

use super::rounds;
use super::sides::Sides;

/// Leaves from the start position, by depth.
const KNOWN: [u64; 12] =
    [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800];

/// Counts on both sides in turn and prints times and their ratio.
pub(crate) fn run(sides: &Sides, depth: u32) -> Result<()> {
    println!("perft {depth}");
    let arguments = ["perft", &depth.to_string(), "--json"];
    let leaves = rounds::compare(
        sides,
        &arguments,
        &[("wasm", json!({ "work": "perft", "depth": depth }))],
        "leaves",
    )?;
    match KNOWN.get(depth as usize) {
        Some(&known) if known != leaves => bail!("both counted {leaves} leaves, the known number is {known}"),
        _ => Ok(()),
    }
}
