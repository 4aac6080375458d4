//! The fixed search: the same nodes everywhere, in how much time?

use anyhow::Result;
use serde_json::json;

use super::rounds;
use super::sides::Sides;

/// Searches on both sides in turn and prints times and their ratio.
pub(crate) fn run(sides: &Sides) -> Result<()> {
    println!("fixed search, one thread");
    let nodes =
        rounds::compare(sides, &["bench", "--json"], &json!({ "work": "search", "warm": true }), "nodes")?;
    println!("  signature {nodes}");
    Ok(())
}
