//! The configuration of a session.

use std::sync::Arc;

use crate::board::Position;
use crate::book::{Book, BookMove, Contempt};
use crate::search::HashSize;

/// The properties of the engine that a session reports to its GUI and may change.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionConfig {
    /// Name of the engine, one word.
    pub name: &'static str,
    /// Version of the engine.
    pub version: &'static str,
    /// Size of the transposition table at the start.
    pub hash: HashSize,
    /// Number of search threads at the start.
    pub threads: usize,
    /// Most search threads that the host can provide.
    pub max_threads: usize,
    /// The opening book.
    pub book: Option<OpenBook>,
}

/// A book and its file.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenBook {
    /// The file, in the terms of the host.
    pub path: String,
    /// The content.
    pub book: Arc<Book>,
}

/// A book that cannot be opened or written. The message names the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookError(pub String);

impl std::fmt::Display for BookError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BookError {}

impl SessionConfig {
    /// Returns the file of the opening book. Empty for none.
    pub(super) fn book_path(&self) -> &str {
        self.book.as_ref().map_or("", |open| &open.path)
    }

    pub(super) fn book_choice(&self, position: &Position, contempt: Contempt) -> Option<BookMove> {
        self.book.as_ref().and_then(|open| open.book.choice(position, contempt))
    }
}

impl Default for SessionConfig {
    fn default() -> SessionConfig {
        SessionConfig {
            name: "Outflank",
            version: env!("CARGO_PKG_VERSION"),
            hash: HashSize(64),
            threads: 1,
            max_threads: 1,
            book: None,
        }
    }
}
