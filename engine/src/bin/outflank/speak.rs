//! Talking to a GUI.

use std::io::{self, BufReader};
use std::panic;
use std::process::ExitCode;
use std::thread;

use outflank::board::Kernel;
use outflank::native::{Log, books, converse};
use outflank::session::{Conversation, Dialect, SessionConfig};

use crate::arguments::EngineOptions;
use crate::engine;

pub(crate) fn run(dialect: Option<Dialect>, options: &EngineOptions) -> io::Result<ExitCode> {
    let session = SessionConfig {
        hash: options.hash,
        threads: options.threads,
        book: match &options.book {
            Some(path) => Some(books::open(path.display().to_string()).map_err(io::Error::other)?),
            None => None,
        },
        max_threads: thread::available_parallelism().map_or(1, usize::from).max(options.threads),
        ..SessionConfig::default()
    };
    let mut session = match dialect {
        Some(dialect) => Conversation::in_dialect(dialect, session),
        None => Conversation::new(session),
    };
    let mut log = match &options.log {
        Some(path) => Log::create(path).map_err(|error| engine::of_file(path, &error))?,
        None => Log::NONE,
    };
    let search = engine::config_later(options, Kernel::best())?;
    // GUIs read standard error as if it were an answer. What breaks down in a search is told by the protocol and
    // the log.
    panic::set_hook(Box::new(|_| {}));
    let input = BufReader::new(io::stdin());
    converse(&mut session, search, options.threads, input, io::stdout(), &mut log)?;
    Ok(ExitCode::SUCCESS)
}
