//! `cargo xtask soak`: a long sitting with the native engine (`tests/src/soak/`).

use anyhow::Result;

use crate::args::Soak;
use crate::{native, process};

/// Builds the engine as the tests have it, with its assertions, and plays.
pub(crate) fn run(options: &Soak) -> Result<()> {
    let engine = native::build_for_tests()?;
    let mut command = process::cargo();
    command.args(["run", "--quiet", "--locked", "--package", "outflank-tests", "--bin", "soak", "--"]);
    command.arg("--engine").arg(engine);
    command.arg("--minutes").arg(options.minutes.to_string());
    command.arg("--seed").arg(options.seed.to_string());
    for dialect in &options.dialects {
        command.arg("--dialect").arg(dialect);
    }
    process::run(&mut command)
}
