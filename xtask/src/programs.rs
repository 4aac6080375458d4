//! `cargo xtask soak` and `cargo xtask differential`: programs of the package `outflank-tests`.

use anyhow::Result;

use crate::args::{Differential, Soak};
use crate::{dist, native, process, setup};

/// Builds the engine with assertions, as the tests do, and plays long games with it (`tests/src/soak/`).
pub(crate) fn soak(options: &Soak) -> Result<()> {
    let engine = native::build_for_tests()?;
    let mut command = process::cargo();
    command.args(["run", "--quiet", "--locked", "--package", "outflank-tests", "--bin", "soak", "--"]);
    command.arg(engine).args([options.minutes.to_string(), options.seed.to_string()]).args(&options.dialects);
    process::run(&mut command)
}

/// Compares the results of all builds, kernels and thread counts with those of plain solvers
/// (`tests/src/bin/differential`). The program contains the native library and runs the built modules in a browser.
///
/// # Errors
/// If a result differs or a program fails.
pub(crate) fn differential(options: &Differential) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["run", "--release", "--locked", "--package", "outflank-tests"]);
    cargo.args(["--bin", "outflank-differential", "--"]);
    cargo.args([options.minutes.to_string(), options.seed.to_string()]);
    if options.native {
        cargo.arg("native");
    } else {
        dist::build()?;
        setup::prepare_browser(cargo.arg("browser"))?;
    }
    process::run(&mut cargo)
}
