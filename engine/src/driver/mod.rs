//! Carries out what a session wants, once for everybody.
//!
//! A [`Driver`] feeds a session with [events](crate::session::Event) and carries out its
//! [effects](crate::session::Effect). It knows no clock, output or file: these are its [`Host`]'s. Nor does it start a
//! thread. It searches in one of two ways, which differ in nothing that a session could see:
//!
//! - [`SlicedSearcher`]: lines and search share one thread. Whoever owns it lets the search work for a moment, looks for lines,
//!   and so on. This is what a browser without shared memory has, and what tests with a virtual clock want.
//! - [`ThreadedSearcher`]: the search has a thread of its own, and perhaps helpers, lent by a [`SearchHost`]. What it tells comes back as
//!   events.
//!
//! Events of a search reach the session after the effects that caused them are all carried out.

#[expect(clippy::module_inception, reason = "the noun of the file is the driver")]
mod driver;
mod growth;
mod sliced;
mod threaded;

use std::time::Duration;

use crate::game::Game;
use crate::search::{ExternalBounds, HashSize, SearchId, SearchRequest};
use crate::session::{Deadlines, Event, OpenBook, Timestamp};

pub use driver::Driver;
pub use growth::TableGrowth;
pub use sliced::{SliceConfig, SlicedSearcher};
pub use threaded::{SearchHost, SearchThread, ThreadedSearcher};

/// How often a session hears that its search is alive.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// A clock.
pub trait Clock {
    /// How long it has been running.
    fn now(&self) -> Timestamp;
}

/// What a driver needs of its surroundings beside a search.
pub trait Host: Clock {
    /// Sends a line to the other end. Does not wait for it.
    fn send_line(&mut self, line: String);

    /// Reads the book in a file; else why not, in words that name the file.
    fn open_book(&mut self, _path: String) -> Result<OpenBook, String> {
        Err("there are no files here".to_owned())
    }

    /// Adds a game to the file of a book, which holds the old book or the new one whatever happens; the book as it is
    /// there now, else why not.
    fn learn(&mut self, _book: &OpenBook, _game: &Game) -> Result<OpenBook, String> {
        Err("there are no files here".to_owned())
    }
}

/// The search as a driver sees it: it is told what to do and goes on by itself, or when it is given the thread.
pub trait Searcher {
    /// Starts a search; one under way is stopped first.
    fn start(&mut self, request: SearchRequest, deadlines: Deadlines);

    /// Changes the time limits of a search, if it is the one under way.
    fn set_deadlines(&mut self, id: SearchId, deadlines: Deadlines);

    /// Stops a search, if it is the one under way.
    fn stop(&mut self, id: SearchId);

    /// Changes the size of the transposition table. A search under way is stopped first.
    fn resize(&mut self, hash: HashSize);

    /// Changes the number of threads. A search under way is stopped first.
    fn set_threads(&mut self, threads: usize);

    /// Empties the table. A search under way is stopped first.
    fn clear(&mut self);

    /// Feeds a value to the table.
    fn add_bounds(&mut self, bounds: ExternalBounds);

    /// Stops a search under way; nothing more will be wanted.
    fn quit(&mut self);

    /// The next event that has not come by itself.
    fn next_event(&mut self) -> Option<Event>;
}
