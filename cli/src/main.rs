//! The program `outflank`.

use std::process::ExitCode;

fn main() -> ExitCode {
    outflank_cli::program::run()
}
