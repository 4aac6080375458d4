//! The search: a [`SearchRequest`] goes in, [`Report`]s come out through a [`Monitor`].
//!
//! It has no clock and no thread, and knows no protocol. The caller runs it with [`Search::run`]. Every few thousand nodes
//! the search asks [`Monitor::poll`] whether to continue. The monitor may suspend the search, and the caller may call `run`
//! again later: the search keeps its iteration and its place at the root, and finds the rest in the transposition table.

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

#[cfg(feature = "internals")]
pub use bench::{BENCH_SIGNATURE, BenchLine, bench};
#[cfg(feature = "internals")]
pub use midgame::LEAF_SOLVE_EMPTIES;
pub use monitor::{Decision, KeepLastReport, Monitor, NextIteration};
pub use report::{Line, Proof, Report};
pub use request::{Depth, Goal, Limits, SearchId, SearchRequest};
pub use search::{ExternalBounds, Progress, Search, SearchConfig};
pub use table::HashSize;
pub use threads::Helper;

pub use crate::eval::{Evaluator, NetworkSize, WeightsError};
pub use crate::kernel::Kernel;
