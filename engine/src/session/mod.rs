//! The protocols as pure state machines: an [`Event`] goes in, [`Effect`]s come out.
//!
//! A session does not read, print, wait or search. A [driver](crate::driver) passes events to it and carries out its effects.
//! Every transition can therefore be tested without threads and with a virtual clock.
//!
//! [`Conversation`] is the session to use. It selects the [`Protocol`] by the first line. Behind it are:
//!
//! - `dialect`: a session in one protocol. It handles everything that all protocols share.
//! - `state`: the current search and the configuration of a session.
//! - one folder for each protocol, with its commands, its replies and its `Dialect`.

mod cassio;
mod config;
mod conversation;
mod dialect;
mod gtp;
mod hub;
mod level;
mod limits;
pub mod nboard;
mod protocol;
mod state;
mod throttle;
mod xboard;

use std::fmt;
use std::time::Duration;

use crate::board::Position;
use crate::game::Game;
use crate::search::time::TimeBudget;
use crate::search::{ExternalBounds, HashSize, NextIteration, Report, SearchId, SearchRequest};

pub use config::{BookError, OpenBook, SessionConfig};
pub use conversation::Conversation;
pub use level::Level;
pub use limits::limits_at_depth;
pub use protocol::{Protocol, UnknownProtocol};

/// Time since the driver started. It never goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Timestamp(pub Duration);

/// An event that a driver passes to a session.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A line from the GUI, without its line end.
    Line(String),
    /// The input has ended.
    Eof,
    /// A report of the search.
    Report(Report),
    /// The search is running. Sent every few hundred milliseconds.
    Progress {
        /// The search.
        id: SearchId,
        /// Number of nodes so far.
        nodes: u64,
    },
    /// The search has ended, on its own or because it was stopped. Its last report is its answer.
    Done {
        /// The search.
        id: SearchId,
        /// Number of nodes.
        nodes: u64,
    },
    /// The search has panicked.
    Failed {
        /// The search.
        id: SearchId,
        /// The reason, in one line.
        message: String,
    },
    /// Memory was too short for the requested transposition table. The table has this size.
    HashReduced(HashSize),
    /// Fewer threads than requested could be started. The search has this many threads.
    ThreadsReduced(usize),
    /// Result of [`Effect::OpenBook`].
    Book(Result<OpenBook, BookError>),
    /// Result of [`Effect::Learn`]: the book with the game.
    BookSaved(Result<OpenBook, BookError>),
    /// A line that is too long. Contains its start.
    LineTooLong(String),
}

impl Event {
    /// Returns `true` if this event replaces the queued event `old`.
    ///
    /// A report or a progress event replaces a progress event. A report also replaces a report, except that an incomplete
    /// report never replaces a complete one of the same search.
    pub fn replaces(&self, old: &Event) -> bool {
        match (self, old) {
            (Event::Report(new), Event::Report(old)) => old.id != new.id || !old.complete || new.complete,
            (Event::Report(_) | Event::Progress { .. }, Event::Progress { .. }) => true,
            _ => false,
        }
    }
}

/// An order of a session to its driver. Orders are carried out in sequence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Effect {
    /// Send a line to the GUI.
    Send(String),
    /// Start a search. A running search is stopped first. The session drops the remaining events of that search.
    Start(SearchRequest, Deadlines),
    /// Change the deadlines of a search, for example after a ponder hit.
    SetDeadlines(SearchId, Deadlines),
    /// Stop a search. [`Event::Done`] follows.
    Stop(SearchId),
    /// Change the size of the transposition table. A running search is stopped first.
    Resize(HashSize),
    /// Change the number of search threads. A running search is stopped first.
    Threads(usize),
    /// Empty the transposition table. A running search is stopped first.
    Clear,
    /// Store bounds in the transposition table.
    AddBounds(ExternalBounds),
    /// Open the book in this file. [`Event::Book`] follows.
    OpenBook(String),
    /// Add a finished game to the file of this book. [`Event::BookSaved`] follows.
    Learn(OpenBook, Box<Game>),
    /// End the session at once.
    Quit,
}

/// Deadlines of a search. `None` means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Deadlines {
    /// After this time, no iteration starts.
    pub soft: Option<Timestamp>,
    /// At this time, the search stops.
    pub hard: Option<Timestamp>,
}

impl Timestamp {
    /// Returns the time since `earlier`. Zero if `earlier` is later.
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
    /// Returns the deadlines of a search that starts at `now` with `budget`.
    #[must_use]
    pub fn from(now: Timestamp, budget: TimeBudget) -> Deadlines {
        Deadlines { soft: Some(now + budget.soft), hard: Some(now + budget.hard) }
    }

    /// Returns `true` if the search must stop at `now`.
    pub fn is_spent(&self, now: Timestamp) -> bool {
        self.hard.is_some_and(|hard| now >= hard)
    }

    /// Returns `true` if `next` may start at `now`: before the soft deadline, or midway to the hard one if the value dropped.
    pub fn allows(&self, now: Timestamp, next: &NextIteration) -> bool {
        /// Drop of the value, in centidiscs, that is worth more time.
        const WORRYING_DROP: i32 = 150;
        let Some(soft) = self.soft else { return !self.is_spent(now) };
        let limit = match self.hard {
            Some(hard) if next.drop >= WORRYING_DROP && hard > soft => soft + hard.since(soft) / 2,
            _ => soft,
        };
        now < limit && !self.is_spent(now)
    }
}

/// A session: a state machine that a [driver](crate::driver) runs.
pub trait Session: fmt::Debug {
    /// Handles an event at `now` and appends the effects.
    fn handle(&mut self, now: Timestamp, event: &Event, effects: &mut Vec<Effect>);

    /// Returns the position on the board. `None` if the protocol has no game.
    fn position(&self) -> Option<Position> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Confidence;
    use crate::search::Depth;

    fn at(millis: u64) -> Timestamp {
        Timestamp(Duration::from_millis(millis))
    }

    #[test]
    fn iterations_start_before_the_soft_deadline_and_later_after_a_drop() {
        let next = |drop| NextIteration { depth: Depth::MAX, confidence: Confidence::EXACT, drop };
        let (steady, dropped) = (next(149), next(150));
        let both = Deadlines { soft: Some(at(100)), hard: Some(at(200)) };
        let (soft, hard) = (Deadlines { hard: None, ..both }, Deadlines { soft: None, ..both });
        let early = Deadlines { hard: Some(at(50)), ..both };
        for (deadlines, expected) in [
            (both, [99, 149]),
            (soft, [99, 99]),
            (hard, [199, 199]),
            (early, [49, 49]),
            (Deadlines::default(), [300, 300]),
        ] {
            let last =
                |next| (0..=300).rev().find(|&millis| deadlines.allows(at(millis), next)).unwrap_or(301);
            assert_eq!([last(&steady), last(&dropped)], expected, "{deadlines:?}");
        }
        assert!(hard.is_spent(at(200)) && !hard.is_spent(at(199)) && !soft.is_spent(at(300)));
    }
}
