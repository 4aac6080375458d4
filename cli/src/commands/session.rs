//! The session with a GUI.

use std::io::{self, BufReader};
use std::panic;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use outflank::kernel::Kernel;
use outflank::score::Score;
use outflank::session::{Conversation, Level, Protocol, SessionConfig};

use crate::engine::EngineOptions;
use crate::native::{Log, books, in_file, run_session};
use crate::options::{ThreadsOption, discs, open_book};

/// Options of the engine of a GUI.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Protocol to speak; detected from the first input line by default. `help PROTOCOL` describes it
    #[arg(value_parser = protocol())]
    pub(crate) protocol: Option<Protocol>,
    #[command(flatten)]
    pub(crate) threads: ThreadsOption,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    /// Opening book to play from, instead of the one of the program; `learn` adds games to it
    #[arg(long, value_name = "none|FILE")]
    pub(crate) book: Option<PathBuf>,
    /// Choose at random among the moves of the book that are at most this many discs worse than the best one
    #[arg(long, value_name = "DISCS", default_value = "0", value_parser = discs)]
    pub(crate) variety: f64,
    /// Strength of the moves that the engine plays: newcomer, beginner, casual, hobby, club, tournament, expert, master, champion or
    /// engine, or a number from 1 to 10
    #[arg(long, value_name = "LEVEL", default_value = "engine")]
    pub(crate) level: Level,
    /// Write every line sent and received to FILE, with its time
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let threads = options.threads.number;
    let session = SessionConfig {
        hash: options.engine.hash,
        threads,
        book: match &options.book {
            Some(path) if path.as_os_str() == "none" => None,
            Some(path) => Some(open_book(path)?),
            None => Some(books::built_in()),
        },
        variety: Score::from_discs(options.variety).unwrap_or_default(),
        level: options.level,
        seed: getrandom::u64().map_err(io::Error::other)?,
        max_threads: thread::available_parallelism().map_or(1, usize::from).max(threads),
        ..SessionConfig::default()
    };
    let session = match options.protocol {
        Some(protocol) => Conversation::in_protocol(protocol, session),
        None => Conversation::new(session),
    };
    let log = match &options.log {
        Some(path) => Log::create(path).map_err(in_file(path))?,
        None => Log::NONE,
    };
    let search = options.engine.config_to_play(Kernel::best())?;
    // Some GUIs read standard error as an answer. Panics of a search are reported by the protocol and the log.
    panic::set_hook(Box::new(|_| {}));
    let input = BufReader::new(io::stdin());
    run_session(session, search, threads, input, io::stdout(), log)?;
    Ok(ExitCode::SUCCESS)
}

fn protocol() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::ALL.map(Protocol::name)).try_map(|name| name.parse())
}
