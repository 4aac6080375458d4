//! The command line, with one module per command.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use outflank::session::Protocol;

use crate::commands::{
    analyze, bench, book, convert, doctor, hint, manual, matches, play, protocol, read, serve, session,
    solve, welcome,
};
use crate::native::catch_file_size_signal;
use crate::print;

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
    Hint(hint::Options),
    Play(play::Options),
    Solve(solve::Options),
    #[command(visible_alias = "analyse")]
    Analyze(analyze::Options),
    Read(read::Options),
    Convert(convert::Options),
    Book(book::Options),
    #[command(name = "match")]
    Match(Box<matches::Options>),
    Serve(serve::Options),
    Doctor(doctor::Options),
    Bench(bench::Options),
    #[command(hide = true)]
    Manual(manual::Options),
}

/// Runs the program with the arguments of this process.
pub fn run() -> ExitCode {
    catch_file_size_signal();
    let words: Vec<String> = std::env::args_os().skip(1).map_while(|word| word.into_string().ok()).collect();
    if let Some(word) = unknown_word(&words) {
        let hint = similar(word).map(|known| format!("did you mean `{known}`? ")).unwrap_or_default();
        print::note(format_args!("unknown command or protocol `{word}`: {hint}see `outflank help`"));
        return ExitCode::from(2);
    }
    let done = match (described(&words), parsed(std::env::args_os())) {
        (Some(protocol), _) => protocol::describe(protocol),
        (None, Ok(arguments)) => command(arguments),
        (None, Err(error)) => usage(&error),
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

/// Reads arguments. A negative number is the value of the option before it, so that its error names the option.
pub(crate) fn parsed<P: Parser>(
    words: impl IntoIterator<Item: Into<OsString> + Clone>,
) -> Result<P, clap::Error> {
    fn with_negative_numbers(command: clap::Command) -> clap::Command {
        let command = command.mut_args(|arg| {
            let is_option = arg.get_long().is_some() && arg.get_action().takes_values();
            if is_option { arg.allow_negative_numbers(true) } else { arg }
        });
        command.mut_subcommands(with_negative_numbers)
    }
    let mut command = with_negative_numbers(P::command());
    let matches = command.try_get_matches_from_mut(words)?;
    P::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

fn command(arguments: Arguments) -> io::Result<ExitCode> {
    match arguments.command {
        None if welcome::is_requested() => welcome::run(),
        None => session::run(&arguments.session),
        Some(Command::Hint(options)) => hint::run(&options),
        Some(Command::Play(options)) => play::run(&options),
        Some(Command::Solve(options)) => solve::run(&options),
        Some(Command::Analyze(options)) => analyze::run(&options),
        Some(Command::Book(options)) => book::run(&options),
        Some(Command::Read(options)) => read::run(&options),
        Some(Command::Convert(options)) => convert::run(&options),
        Some(Command::Match(options)) => matches::run(&options),
        Some(Command::Serve(options)) => serve::run(&options),
        Some(Command::Doctor(options)) => doctor::run(&options),
        Some(Command::Bench(options)) => bench::run(&options),
        Some(Command::Manual(options)) => manual::run(&options, Arguments::command()),
    }
}

/// Prints a requested help text or the version on standard output, or an invalid command line on standard error.
///
/// # Errors
/// If the requested text cannot be written.
fn usage(error: &clap::Error) -> io::Result<ExitCode> {
    let printed = error.print().and_then(|()| io::stdout().flush());
    if error.use_stderr() {
        return Ok(ExitCode::from(2));
    }
    printed.map(|()| ExitCode::SUCCESS)
}

/// Returns the protocol of `help PROTOCOL`.
fn described(words: &[String]) -> Option<Protocol> {
    let [help, name] = words else { return None };
    name.parse().ok().filter(|_| help == "help")
}

/// Returns the first word of the command line, or the second one after `help`, if it names neither an option, a command nor a
/// protocol.
fn unknown_word(words: &[String]) -> Option<&str> {
    let word = words.iter().find(|word| *word != "help")?;
    let is_known = word.is_empty() || word.starts_with('-') || names().any(|name| name == *word);
    (!is_known).then_some(word)
}

/// Returns the command or protocol that a mistyped word resembles most, as clap does for the words of a command.
fn similar(word: &str) -> Option<String> {
    /// Least similarity, from 0 to 1.
    const ALIKE: f64 = 0.7;
    let alike = |name: &String| strsim::jaro(word, name);
    names().filter(|name| alike(name) > ALIKE).max_by(|one, other| alike(one).total_cmp(&alike(other)))
}

/// Returns the names of all commands and protocols.
fn names() -> impl Iterator<Item = String> {
    let command = Arguments::command();
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<String> = commands
        .flat_map(|command| std::iter::once(command.get_name()).chain(command.get_all_aliases()))
        .chain(["help", "manual"])
        .chain(Protocol::ALL.iter().map(|protocol| protocol.name()))
        .map(str::to_owned)
        .collect();
    names.into_iter()
}
