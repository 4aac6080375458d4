//! The protocols as pure automata: an [`Event`] goes in, [`Effect`]s come out.
//!
//! A session neither reads, prints, waits nor searches. A [driver](crate::driver) feeds it and carries out its effects,
//! so every transition can be tested with a virtual clock and no thread.
//!
//! [`Conversation`] is the session to use: it finds out the [`Protocol`] by the first line and hands over to the
//! dialect's own session. The verbs are each dialect's own; what they share is the [`SearchTracker`] of searches.

pub mod cassio;
mod config;
mod conversation;
pub mod hub;
mod limits;
pub mod nboard;
mod protocol;
mod spec;
mod throttle;
mod tracker;
pub mod xboard;

use std::fmt;
use std::time::Duration;

use crate::game::Game;
use crate::search::time::TimeBudget;
use crate::search::{ExternalBounds, HashSize, NextIteration, Report, SearchId, SearchRequest};

pub use config::{OpenBook, SessionConfig};
pub use conversation::Conversation;
pub use limits::limits as limits_at_depth;
pub use protocol::{Protocol, UnknownProtocol};
pub use tracker::{ActiveSearch, SearchTask, SearchTracker, StaleEvent};

/// A point in time: how long the driver has been running. Never goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Timestamp(pub Duration);

/// What happened: the one thing that goes in, whoever drives.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A line came in, without its line end.
    Line(String),
    /// There will be no more lines.
    Eof,
    /// The search told something.
    Report(Report),
    /// The search is alive: nodes so far. Sent every few hundred milliseconds.
    Progress {
        /// The search it belongs to.
        id: SearchId,
        /// Its nodes so far.
        nodes: u64,
    },
    /// The search has ended, by itself or because it was told to stop; its last report was its answer.
    Done {
        /// The search it belongs to.
        id: SearchId,
        /// Its nodes.
        nodes: u64,
    },
    /// The search broke down.
    Failed {
        /// The search it belongs to.
        id: SearchId,
        /// What went wrong, in one line.
        message: String,
    },
    /// There was memory only for a transposition table of this size.
    HashReduced(HashSize),
    /// Only so many threads could be had for the search.
    ThreadsReduced(usize),
    /// A book was opened, or could not be opened, for this reason.
    Book(Result<OpenBook, String>),
    /// A game was put into the book's file, and this is the book now; or it could not be, for this reason.
    BookSaved(Result<OpenBook, String>),
    /// A line came in that was too long to be read; this is how it begins.
    LineTooLong(String),
}

impl Event {
    /// Whether nobody misses `old`, which was not told yet, once this has come: reports before a report, but for the last
    /// complete one when it is not complete itself, and older signs of life.
    pub fn replaces(&self, old: &Event) -> bool {
        match (self, old) {
            (Event::Report(new), Event::Report(old)) => old.id != new.id || !old.complete || new.complete,
            (Event::Report(_) | Event::Progress { .. }, Event::Progress { .. }) => true,
            _ => false,
        }
    }
}

/// What the driver has to do, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Print a line.
    Send(String),
    /// Start a search; one under way is stopped first and what it still tells is dropped by its id.
    Start(SearchRequest, Deadlines),
    /// Change the time limits of the search `id`: a ponder hit gives a search without deadlines its own.
    SetDeadlines(SearchId, Deadlines),
    /// Stop the search `id`; its `Done` follows.
    Stop(SearchId),
    /// Change the size of the transposition table. A search under way is stopped first.
    Resize(HashSize),
    /// Change the number of search threads. A search under way is stopped first.
    Threads(usize),
    /// Empty the transposition table. A search under way is stopped first.
    Clear,
    /// Feed a value to the transposition table.
    AddBounds(ExternalBounds),
    /// Open the book in this file; [`Event::Book`] follows.
    OpenBook(String),
    /// Add a finished game to the file of this book, with what else was put into it since. [`Event::BookSaved`] follows.
    Learn(OpenBook, Box<Game>),
    /// Leave, at once, searching or not.
    Quit,
}

/// Time limits of a search, counted from the driver's start like [`Timestamp`]. Nothing means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Deadlines {
    /// After this no new round of iterative deepening is started.
    pub soft: Option<Timestamp>,
    /// At this the search is stopped.
    pub hard: Option<Timestamp>,
}

impl Timestamp {
    /// How long after `earlier` it is; nothing when it is before.
    pub fn since(self, earlier: Timestamp) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl std::ops::Add<Duration> for Timestamp {
    type Output = Timestamp;

    fn add(self, duration: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(duration))
    }
}

impl Deadlines {
    /// What `deadlines` means for a search that starts at `now`.
    pub fn from(now: Timestamp, deadlines: TimeBudget) -> Deadlines {
        Deadlines { soft: Some(now + deadlines.soft), hard: Some(now + deadlines.hard) }
    }

    /// Whether the search has to stop at `now`.
    pub fn is_spent(&self, now: Timestamp) -> bool {
        self.hard.is_some_and(|hard| now >= hard)
    }

    /// Whether a round may be started at `now`: before the soft deadline, or half-way to the hard one as long
    /// as the last round was bad news, since a way out is worth more than the time.
    pub fn allows(&self, now: Timestamp, next: &NextIteration) -> bool {
        /// A fall of the value, in centidiscs, that deserves a second look.
        const BAD_NEWS: i32 = 150;
        let Some(soft) = self.soft else { return !self.is_spent(now) };
        let limit = match self.hard {
            Some(hard) if next.drop >= BAD_NEWS && hard > soft => soft + hard.since(soft) / 2,
            _ => soft,
        };
        now < limit && !self.is_spent(now)
    }
}

/// One end of a conversation in one dialect.
pub trait Session: fmt::Debug {
    /// Takes what happened at `now` and appends what is to be done to `effects`.
    fn handle(&mut self, now: Timestamp, event: &Event, effects: &mut Vec<Effect>);
}
