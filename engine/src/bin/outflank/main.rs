//! The command line.

mod accuracy;
mod arguments;
mod bench;
mod depths;
mod engine;
mod matches;
mod perft;
mod solve;
mod speak;

use std::io::ErrorKind;
use std::process::ExitCode;

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("outflank: {error}\nTry `outflank --help`.");
            return ExitCode::from(2);
        }
    };
    let done = match arguments.command {
        Command::Help => {
            print!("{}", arguments::HELP);
            return ExitCode::SUCCESS;
        }
        Command::Version => {
            println!("outflank {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        Command::Speak(dialect) => speak::run(dialect, &arguments.engine),
        Command::Perft(options) => perft::run(&options),
        Command::Accuracy(options) => accuracy::run(&options, &arguments.engine),
        Command::Bench(options) => bench::run(&options),
        Command::Depths(options) => depths::run(&options, &arguments.engine),
        Command::Match(options) => matches::run(&options, &arguments.engine),
        Command::Solve(options) => solve::run(&options, &arguments.engine),
    };
    match done {
        Ok(code) => code,
        // Whoever read has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("outflank: {error}");
            ExitCode::from(2)
        }
    }
}
