//! The search: a [`SearchRequest`] goes in, [`Report`]s come out through a [`Monitor`].
//!
//! It knows no clock, no thread and no protocol. Whoever drives it lends it the processor by
//! [`Search::run`], is asked now and then by [`Monitor::poll`] whether to go on, and may take the
//! processor back and call `run` again later: the search keeps the iteration and its place at the root, and
//! finds the rest in the transposition table.

mod bench;
mod endgame;
mod memory;
mod midgame;
mod monitor;
mod moves;
mod node;
mod plan;
mod principal;
mod probcut;
mod report;
mod request;
mod root;
#[expect(clippy::module_inception, reason = "the noun of the file is the search")]
mod search;
mod stability;
mod table;
mod threads;
pub mod time;
mod value;
mod worker;

pub use bench::{BenchLine, bench};
pub use midgame::LEAF_SOLVE_EMPTIES;
pub use monitor::{Decision, KeepLastReport, Monitor, NextIteration};
pub use report::{Line, Proof, Report};
pub use request::{Depth, Goal, Limits, SearchId, SearchRequest};
pub use search::{ExternalBounds, Progress, Search, SearchConfig};
pub use table::HashSize;
pub use threads::Helper;
