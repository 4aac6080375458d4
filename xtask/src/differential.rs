//! `cargo xtask differential`: compares the results of all builds, kernels and thread counts with those of plain solvers.
//!
//! The comparison is a separate program, `outflank-differential` (`tests/src/bin/differential`). It contains the native
//! library and runs the built modules in a browser.

use anyhow::Result;

use crate::args::Differential;
use crate::{dist, process, setup};

/// Builds both sides and compares them.
///
/// # Errors
/// If a result differs or a program fails.
pub(crate) fn run(options: &Differential) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["run", "--release", "--locked", "--package", "outflank-tests"]);
    cargo.args(["--bin", "outflank-differential", "--"]);
    cargo.args([options.minutes.to_string(), options.seed.to_string()]);
    if options.native {
        cargo.arg("native");
    } else {
        dist::build()?;
        setup::npm()?;
        let (browser, _) = setup::chromium()?;
        cargo.env("CHROME_PATH", browser);
        cargo.env("OUTFLANK_XTASK", crate::workspace::program()?);
        cargo.arg("browser");
    }
    process::run(&mut cargo)
}
