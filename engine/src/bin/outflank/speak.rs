//! Talking to a GUI.

use std::io::{self, BufReader};
use std::panic;
use std::process::ExitCode;
use std::thread;

use outflank::native::{Log, converse};
use outflank::search::SearchConfig;
use outflank::session::{Conversation, Dialect, SessionConfig};

use crate::arguments::EngineOptions;

pub(crate) fn run(dialect: Option<Dialect>, options: &EngineOptions) -> io::Result<ExitCode> {
    let session = SessionConfig {
        hash: options.hash,
        threads: options.threads,
        max_threads: thread::available_parallelism().map_or(1, usize::from).max(options.threads),
        ..SessionConfig::default()
    };
    let mut session = match dialect {
        Some(dialect) => Conversation::in_dialect(dialect, session),
        None => Conversation::new(session),
    };
    let mut log = match &options.log {
        Some(path) => Log::create(path)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?,
        None => Log::NONE,
    };
    // GUIs read standard error as if it were an answer. What breaks down in a search is told by the protocol and
    // the log.
    panic::set_hook(Box::new(|_| {}));
    let search = SearchConfig { hash: options.hash, ..SearchConfig::default() };
    converse(
        &mut session,
        search,
        options.threads,
        BufReader::new(io::stdin()),
        &mut io::stdout(),
        &mut log,
    )?;
    Ok(ExitCode::SUCCESS)
}
