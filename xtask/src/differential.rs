//! `cargo xtask differential`: the same questions to every build, kernel and number of threads, and to plain programs.
//!
//! The questions are put by `outflank-differential` (`tests/src/bin/differential`), a program that has the native library
//! inside and asks the built modules through a browser.

use std::env;

use anyhow::{Context, Result};

use crate::args::{Differential, Sides};
use crate::test::Setup;
use crate::{dist, process};

/// Builds what is compared and compares it.
///
/// # Errors
/// When anything differs or breaks down.
pub(crate) fn run(options: &Differential) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args([
        "run",
        "--release",
        "--locked",
        "--package",
        "outflank-tests",
        "--bin",
        "outflank-differential",
    ]);
    cargo.args(["--", &options.minutes.to_string(), &options.seed.to_string()]);
    match options.sides {
        Sides::Native => cargo.arg("native"),
        Sides::All => {
            dist::build()?;
            let setup = Setup::for_pages();
            setup.npm()?;
            let (browser, _) = setup.browser()?;
            cargo.env("CHROME_PATH", browser);
            cargo.env("OUTFLANK_XTASK", env::current_exe().context("where this program is")?);
            cargo.arg("browser")
        }
    };
    process::run(&mut cargo)
}
