//! The command line: a command a file, each with options of its own.

mod calendar;
mod commands;
mod engine;
mod files;
mod journal;
mod json;
mod options;
mod print;
mod progress;
mod side_by_side;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use outflank::session::Protocol;
use outflank_cli::native::outlive_file_limit;

use commands::{analyze, bench, book, convert, manual, matches, perft, solve, speak, welcome};

/// Outflank, an Othello engine.
///
/// Without a command it talks to a GUI on standard input and output.
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
    speak: speak::Options,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Options),
    Analyze(analyze::Options),
    Convert(convert::Options),
    Book(book::Options),
    #[command(name = "match")]
    Match(Box<matches::Options>),
    Perft(perft::Options),
    Bench(bench::Options),
    #[command(hide = true)]
    Manual(manual::Options),
}

fn main() -> ExitCode {
    outlive_file_limit();
    if let Some(word) = std::env::args_os().nth(1).and_then(|word| unknown_word(word.into_string().ok()?)) {
        print::note(format_args!("there is no command or protocol `{word}`; `outflank help` lists them"));
        return ExitCode::from(2);
    }
    let arguments = Arguments::parse();
    let done = match arguments.command {
        None if welcome::is_wanted() => welcome::run(),
        None => speak::run(&arguments.speak),
        Some(Command::Solve(options)) => solve::run(&options),
        Some(Command::Analyze(options)) => analyze::run(&options),
        Some(Command::Book(options)) => book::run(&options),
        Some(Command::Convert(options)) => convert::run(&options),
        Some(Command::Match(options)) => matches::run(&options),
        Some(Command::Perft(options)) => perft::run(&options),
        Some(Command::Bench(options)) => bench::run(&options),
        Some(Command::Manual(options)) => manual::run(&options, Arguments::command()),
    };
    match done {
        Ok(code) => code,
        // Whoever read has seen enough.
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
        || Protocol::ALL.iter().any(|dialect| dialect.name() == word);
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
    fn misspelt_command_is_named() {
        assert_eq!(unknown_word("analyz".to_owned()).as_deref(), Some("analyz"));
        for known in ["", "help", "analyze", "match", "nboard", "--hash", "manual"] {
            assert_eq!(unknown_word(known.to_owned()), None, "{known}");
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn protocols_and_options() {
        let arguments = parsed("").unwrap();
        assert!(arguments.command.is_none() && arguments.speak == speak::Options::default());
        let speak = parsed("--hash 16 xboard --threads=2 --log a.log").unwrap().speak;
        assert_eq!(speak.protocol, Some(Protocol::XBoard));
        assert_eq!((speak.threads.number, speak.engine.hash.0), (2, 16));
        assert_eq!(speak.log, Some("a.log".into()));
        for dialect in Protocol::ALL {
            assert_eq!(parsed(dialect.name()).unwrap().speak.protocol, Some(dialect));
        }
        for line in [
            "solve a.obf --threads 2 --hash 16 --wld --json",
            "bench",
            "bench --kernel portable --json",
            "bench accuracy a.obf --static",
            "bench depths",
            "bench depths a.obf --depth 3 --threads 2",
            "perft 5 --kernel portable",
            "match a b --time 1+0.5 --games 4",
            "match hub:a hub:b --nodes 500 --openings f",
            "convert a.wtb - --to ggf",
            "convert - b.sgf --from pgn --quiet",
            "analyze a.ggf b.wtb --depth 10 --exact 20 --time 0.5 --jobs 4 --threads 2 --format ggf --resume out",
            "analyze -",
            "book build a.wtb --plies 12 --least 3 --no-search --book b",
            "book expand --positions 50 --root f5d6 --ply 0.5 --error 4 --depth 10 --jobs 2",
            "book query f5d6 --contempt -3 --json",
            "book merge a b",
            "book import book.dat",
            "book export - --book a",
            "book check",
            "manual folder",
        ] {
            assert!(parsed(line).unwrap().command.is_some(), "{line}");
        }
    }

    #[test]
    fn the_faulty_argument_is_named() {
        for (line, part) in [
            ("dance", "dance"),
            ("perft", "DEPTH"),
            ("perft x", "'x' for '<DEPTH>'"),
            ("perft 21", "'21' for '<DEPTH>'"),
            ("perft 3 4", "'4'"),
            ("perft 3 --kernel sse9", "'sse9' for '--kernel"),
            ("perft 5 --threads 4", "--threads"),
            ("perft 5 --hash 4", "--hash"),
            ("--threads 0", "'0' for '--threads"),
            ("--hash lots", "'lots' for '--hash"),
            ("--hash", "--hash"),
            ("--sing", "--sing"),
            ("nboard --json", "--json"),
            ("nboard --kernel portable", "--kernel"),
            ("nboard --wld", "--wld"),
            ("nboard hub", "hub"),
            ("solve", "FILE"),
            ("solve a.obf --log x", "--log"),
            ("solve a.obf --depth 4", "--depth"),
            ("bench --book x", "--book"),
            ("bench --eval bad", "--eval"),
            ("match a foo:b --depth 3", "'foo:b' for '<B>'"),
            ("bench --threads 2", "--threads"),
            ("bench accuracy", "FILE"),
            ("bench accuracy a.obf --depth 0", "'0' for '--depth"),
            ("bench accuracy a.obf --nodes -5", "'-5' for '--nodes"),
            ("bench accuracy a.obf --nodes 0", "'0' for '--nodes"),
            ("bench accuracy a.obf --selectivity x", "'x' for '--selectivity"),
            ("bench accuracy a.obf --static --depth 4", "--depth"),
            ("bench accuracy a.obf --threads 2", "--threads"),
            ("bench --depth 3", "--depth"),
            ("bench depths --depth 99", "'99' for '--depth"),
            ("bench depths --static", "--static"),
            ("bench --games 3", "--games"),
            ("match a", "<B>"),
            ("match a b", "--time"),
            ("match a b --time 0", "'0' for '--time"),
            ("match a b --time 1 --move-time 1", "--move-time"),
            ("match a b --depth 0", "'0' for '--depth"),
            ("match a b --depth 3 --games -2", "'-2' for '--games"),
            ("match a b --depth 3 --plies x", "'x' for '--plies"),
            ("match a b --depth 3 --openings f --plies 3", "--plies"),
            ("match a b --depth 3 --openings f --seed 3", "--seed"),
            ("match a b --depth 3 --static", "--static"),
            ("match a b --depth 3 --kernel portable", "--kernel"),
            ("match a cassio: --depth 3", "'cassio:' for '<B>'"),
            ("convert a.ggf", "<OUTPUT>"),
            ("convert a b --to xyz", "'xyz' for '--to"),
            ("analyze", "<FILE>"),
            ("analyze a --depth 61", "'61' for '--depth"),
            ("analyze a --format xml", "'xml' for '--format"),
            ("analyze a --jobs 0", "'0' for '--jobs"),
            ("analyze a --book b", "--book"),
            ("book", "build"),
            ("book build", "<GAMES>"),
            ("book expand --positions x", "'x' for '--positions"),
            ("book expand --jobs 0", "'0' for '--jobs"),
            ("book query --contempt 101", "'101' for '--contempt"),
            ("book merge", "<BOOK>"),
            ("book import", "<FILE>"),
            ("manual", "<FOLDER>"),
        ] {
            let error = parsed(line).map(|_| "no error").unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn help_tells_of_one_command() {
        let mut command = Arguments::command();
        let all = command.render_long_help().to_string();
        for word in ["--threads", "--hash", "--eval", "--book", "--log", "solve", "match", "perft", "bench"] {
            assert!(all.contains(word), "{word}");
        }
        for dialect in Protocol::ALL {
            assert!(all.contains(dialect.name()), "{dialect}");
        }
        let solve = command.find_subcommand_mut("solve").unwrap().render_long_help().to_string();
        for word in ["--threads", "--hash", "--eval", "--wld", "--kernel", "--json"] {
            assert!(solve.contains(word), "{word}");
        }
        for word in ["--book", "--log", "--depth", "--games", "perft", "nboard"] {
            assert!(!solve.contains(word), "{word}");
        }
    }
}
