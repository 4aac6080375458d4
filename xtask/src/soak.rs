//! `cargo xtask soak`: long games with the native engine (`tests/src/soak/`).

use anyhow::Result;

use crate::args::Soak;
use crate::{native, process};

/// Builds the engine with assertions, as the tests do, and plays.
pub(crate) fn run(options: &Soak) -> Result<()> {
    let engine = native::build_for_tests()?;
    let mut command = process::cargo();
    command.args(["run", "--quiet", "--locked", "--package", "outflank-tests", "--bin", "soak", "--"]);
    command.arg(engine).args([options.minutes.to_string(), options.seed.to_string()]).args(&options.dialects);
    process::run(&mut command)
}
