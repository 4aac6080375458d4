//! What would be published on crates.io: each package built from its own archive, without the workspace around it.

use anyhow::{Context, Result, bail};

use super::tally::Tally;
use crate::process;

/// The packages, each after those it needs.
const PUBLISHED: [&str; 2] = ["outflank", "outflank-cli"];

/// Packs and builds them. A warning is a fault: it would be met when it is too late.
pub(super) fn run() -> Result<Tally> {
    let mut cargo = process::cargo();
    cargo.args(["package", "--locked", "--allow-dirty", "--color=never"]);
    cargo.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    let line = process::line(&cargo);
    println!("$ {line}");
    let told = cargo.output().with_context(|| format!("cannot run `{line}`"))?;
    let text = String::from_utf8_lossy(&told.stderr);
    let warnings: Vec<_> = text.lines().filter(|line| line.starts_with("warning")).collect();
    if !told.status.success() || !warnings.is_empty() {
        print!("{text}");
        bail!("`{line}` {}", if told.status.success() { "warns" } else { "failed" });
    }
    for packaged in text.lines().filter(|line| line.trim_start().starts_with("Packag")) {
        println!("{}", packaged.trim());
    }
    Ok(Tally { passed: PUBLISHED.len() as u64, failed: 0 })
}
