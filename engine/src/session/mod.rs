//! The protocols as pure automata: a line or a piece of search news goes in, effects come out.
//!
//! A session neither reads, prints, waits nor searches. A driver (native stdio or the web worker) feeds it
//! and carries out its effects, so every transition can be tested with a virtual clock and no thread.

use std::time::Duration;

use crate::search::{HashSize, Report, SearchId, SearchRequest, Seed};

/// A point in time: how long the driver has been running. Never goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Now(pub Duration);

/// What happened.
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// A line came in, without its line end.
    Line(&'a str),
    /// The search told something.
    Report(&'a Report),
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
        message: &'a str,
    },
    /// There will be no more lines.
    Eof,
}

/// What the driver has to do, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Print a line.
    Say(String),
    /// Start a search; one under way is stopped first and its remaining news is dropped by its id.
    Start(SearchRequest, Budget),
    /// Change the time limits of the search `id`: a ponder hit gives a search without deadlines its own.
    SetBudget(SearchId, Budget),
    /// Stop the search `id`; its `Done` follows.
    Stop(SearchId),
    /// Change the size of the transposition table. A search under way is stopped first.
    Resize(HashSize),
    /// Change the number of search threads. A search under way is stopped first.
    Threads(usize),
    /// Empty the transposition table. A search under way is stopped first.
    Clear,
    /// Feed a value to the transposition table.
    Seed(Seed),
    /// Leave, at once, searching or not.
    Quit,
}

/// Time limits of a search, counted from the driver's start like [`Now`]. Nothing means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Budget {
    /// After this no new round of iterative deepening is started.
    pub soft: Option<Now>,
    /// At this the search is stopped.
    pub hard: Option<Now>,
}

/// One end of a conversation in one dialect.
pub trait Session {
    /// Takes what happened at `now` and appends what is to be done to `effects`.
    fn handle(&mut self, now: Now, input: Input<'_>, effects: &mut Vec<Effect>);
}
