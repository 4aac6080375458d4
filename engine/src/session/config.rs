//! What a session is told at the start.

use std::sync::Arc;

use crate::board::Position;
use crate::book::{Book, BookMove, Contempt};
use crate::search::HashSize;

/// What every dialect may have to tell its GUI about the engine, and what it may change.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionConfig {
    /// The engine's name, one word.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Size of the transposition table at the start.
    pub hash: HashSize,
    /// Number of search threads at the start.
    pub threads: usize,
    /// The most search threads the driver can lend.
    pub max_threads: usize,
    /// The opening book.
    pub book: Option<OpenBook>,
}

/// A book and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenBook {
    /// Its file; only the driver knows what that is.
    pub path: String,
    /// What it holds.
    pub book: Arc<Book>,
}

impl SessionConfig {
    /// Takes note of a smaller transposition table than was wanted; what is to be said of it.
    pub(super) fn smaller_hash(&mut self, size: HashSize) -> String {
        self.hash = size;
        format!("there is no memory for a larger hash table than {} MiB", size.0)
    }

    /// Takes note of fewer threads than were wanted; what is to be said of it.
    pub(super) fn fewer_threads(&mut self, threads: usize) -> String {
        self.threads = threads;
        let plural = if threads == 1 { "" } else { "s" };
        format!("no more than {threads} thread{plural} could be started to search")
    }

    /// The move of the book to be played in `position`.
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
