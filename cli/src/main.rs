//! The program `outflank`: the command line, with one module per command.

mod calendar;
mod commands;
mod engine;
mod files;
mod journal;
mod json;
mod options;
mod parallel;
mod print;
mod progress;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use outflank::session::Protocol;
use outflank_cli::native::catch_file_size_signal;

use commands::{analyze, bench, book, convert, doctor, manual, matches, session, solve, welcome};

/// Outflank, an Othello engine.
///
/// Without a command, it talks to a GUI on standard input and output.
#[derive(Debug, Parser)]
#[command(
    name = "outflank",
    version,
    args_conflicts_with_subcommands = true,
    override_usage = "outflank [PROTOCOL] [OPTIONS]\n       outflank <COMMAND> [OPTIONS]"
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    session: session::Options,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Options),
    Analyze(analyze::Options),
    Convert(convert::Options),
    Book(book::Options),
    #[command(name = "match")]
    Match(Box<matches::Options>),
    Doctor(doctor::Options),
    Bench(bench::Options),
    #[command(hide = true)]
    Manual(manual::Options),
}

fn main() -> ExitCode {
    catch_file_size_signal();
    if let Some(word) = std::env::args_os().nth(1).and_then(|word| unknown_word(word.into_string().ok()?)) {
        print::note(format_args!("unknown command or protocol `{word}`: see `outflank help`"));
        return ExitCode::from(2);
    }
    let arguments = Arguments::parse();
    let done = match arguments.command {
        None if welcome::is_requested() => welcome::run(),
        None => session::run(&arguments.session),
        Some(Command::Solve(options)) => solve::run(&options),
        Some(Command::Analyze(options)) => analyze::run(&options),
        Some(Command::Book(options)) => book::run(&options),
        Some(Command::Convert(options)) => convert::run(&options),
        Some(Command::Match(options)) => matches::run(&options),
        Some(Command::Doctor(options)) => doctor::run(&options),
        Some(Command::Bench(options)) => bench::run(&options),
        Some(Command::Manual(options)) => manual::run(&options, Arguments::command()),
    };
    match done {
        Ok(code) => code,
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            print::note(error);
            ExitCode::from(2)
        }
    }
}

/// Returns the first word of the command line if it names neither an option, a command nor a protocol.
fn unknown_word(word: String) -> Option<String> {
    let is_known = word.is_empty()
        || word.starts_with('-')
        || word == "help"
        || Arguments::command().get_subcommands().any(|command| command.get_name() == word)
        || Protocol::ALL.iter().any(|protocol| protocol.name() == word);
    (!is_known).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Arguments, String> {
        let words = std::iter::once("outflank").chain(line.split_whitespace());
        Arguments::try_parse_from(words).map_err(|error| error.to_string())
    }

    #[test]
    fn words_and_options() {
        assert_eq!(unknown_word("analyz".to_owned()).as_deref(), Some("analyz"));
        for known in ["", "help", "analyze", "match", "nboard", "--hash", "manual"] {
            assert_eq!(unknown_word(known.to_owned()), None, "{known}");
        }
        Arguments::command().debug_assert();
        assert_eq!(parsed("").unwrap().session.engine.hash.0, 64);
        let session = parsed("--hash 16 xboard --threads=2 --log a.log").unwrap().session;
        assert_eq!((session.protocol, session.log), (Some(Protocol::XBoard), Some("a.log".into())));
        assert_eq!((session.threads.number, session.engine.hash.0), (2, 16));
    }
}
