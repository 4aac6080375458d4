//! The tools that make the weights: every step from no data to the shipped file is a subcommand.
//!
//! `README.md` beside this package is the recipe.

mod args;
mod bench;
mod error;
mod exact;
mod fit;
mod handmade;
mod inspect;
mod label;
mod labels;
mod learner;
mod lookahead;
mod matches;
mod model;
mod pack;
mod probcut;
mod record;
mod selfplay;
mod suite;
mod tempo;
mod trial;

use std::process::ExitCode;

use args::Args;
use error::Error;

/// A subcommand: its name, what it does in a line, its options, and itself.
struct Command {
    name: &'static str,
    summary: &'static str,
    options: &'static [args::Opt],
    run: fn(&Args) -> Result<(), Error>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "selfplay",
        summary: "play games against itself and write their positions with the outcomes",
        options: selfplay::OPTIONS,
        run: selfplay::run,
    },
    Command {
        name: "label",
        summary: "label positions by the engine's search, exactly where few squares are empty",
        options: label::OPTIONS,
        run: label::run,
    },
    Command {
        name: "labels",
        summary: "measure the labels of record files against exact scores",
        options: labels::OPTIONS,
        run: labels::run,
    },
    Command {
        name: "fit",
        summary: "learn a model from record files or folders",
        options: fit::OPTIONS,
        run: fit::run,
    },
    Command {
        name: "trial",
        summary: "learn a network of another form and tell its errors",
        options: trial::OPTIONS,
        run: trial::run,
    },
    Command {
        name: "tempo",
        summary: "bring searches of odd and even depths together",
        options: tempo::OPTIONS,
        run: tempo::run,
    },
    Command {
        name: "pack",
        summary: "make a weights file of a model",
        options: pack::OPTIONS,
        run: pack::run,
    },
    Command {
        name: "inspect",
        summary: "describe weights and measure them on record files and OBF suites",
        options: inspect::OPTIONS,
        run: inspect::run,
    },
    Command {
        name: "probcut",
        summary: "measure how far shallow searches are from deep ones",
        options: probcut::OPTIONS,
        run: probcut::run,
    },
    Command {
        name: "suite",
        summary: "solve positions and what searches choose in them, for `outflank bench accuracy`",
        options: suite::OPTIONS,
        run: suite::run,
    },
    Command {
        name: "match",
        summary: "let two weights files play each other",
        options: matches::OPTIONS,
        run: matches::run,
    },
    Command {
        name: "bench",
        summary: "measure what an evaluation costs",
        options: bench::OPTIONS,
        run: bench::run,
    },
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("usage: outflank-train COMMAND [OPTION VALUE]... (COMMAND --help lists the options)\n");
        for command in COMMANDS {
            eprintln!("  {:<10} {}", command.name, command.summary);
        }
        return ExitCode::from(2);
    };
    match Args::parse(command.options, words) {
        Ok(None) => {
            println!("outflank-train {}: {}\n", command.name, command.summary);
            args::print_help(command.options);
            ExitCode::SUCCESS
        }
        Ok(Some(args)) => match (command.run)(&args) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("outflank-train {}: {error}", command.name);
                ExitCode::FAILURE
            }
        },
        Err(error) => {
            eprintln!("outflank-train {}: {error}", command.name);
            ExitCode::from(2)
        }
    }
}
