//! `cargo xtask soak`: long games with the native engine (`tests/src/soak/`).

use anyhow::Result;

use crate::{native, process};

/// Builds the engine with assertions, as the tests do, and plays.
pub(crate) fn run(options: &[String]) -> Result<()> {
    let engine = native::build_for_tests()?;
    let mut command = process::cargo();
    command.args(["run", "--quiet", "--locked", "--package", "outflank-tests", "--bin", "soak", "--"]);
    process::run(command.arg("--engine").arg(engine).args(options))
}
