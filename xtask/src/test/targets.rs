//! Lints the published packages for other operating systems. Nothing is linked, so their linkers are not required.

use anyhow::Result;

use super::counts::CheckCounts;
use crate::{process, toolchain};

const TARGETS: [&str; 3] = ["x86_64-pc-windows-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin"];

pub(super) fn run() -> Result<CheckCounts> {
    let mut counts = CheckCounts::default();
    for target in TARGETS {
        toolchain::ensure_target(target)?;
        let mut cargo = process::cargo();
        cargo.args(["clippy", "--locked", "--quiet", "--package", "outflank", "--package", "outflank-cli"]);
        cargo.args(["--target", target, "--", "-D", "warnings"]);
        println!("$ {}", process::line(&cargo));
        counts += CheckCounts::of_check(&mut cargo)?;
    }
    Ok(counts)
}
