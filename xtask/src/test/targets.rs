//! Other systems than this one: what is written for one alone has its other half.

use anyhow::Result;

use super::tally::Tally;
use crate::{process, toolchain};

/// Windows, Linux on ARM, and macOS. Their linkers need not be here: nothing is linked.
const TARGETS: [&str; 3] = ["x86_64-pc-windows-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin"];

/// Checks what is published for each.
pub(super) fn run() -> Result<Tally> {
    let mut tally = Tally::default();
    for target in TARGETS {
        toolchain::ensure_target(target)?;
        let mut cargo = process::cargo();
        cargo.args(["clippy", "--locked", "--quiet", "--package", "outflank", "--package", "outflank-cli"]);
        cargo.args(["--target", target, "--", "-D", "warnings"]);
        println!("$ {}", process::line(&cargo));
        tally += Tally::of_check(&mut cargo)?;
    }
    Ok(tally)
}
