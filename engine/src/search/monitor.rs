//! The caller's side of a search.

use super::{Depth, Report};
use crate::score::Confidence;

/// Takes the reports of a search, and answers two questions. By default a search never stops.
pub trait Monitor {
    /// Returns whether to continue, to suspend the search or to stop it. Called every few thousand nodes.
    ///
    /// The argument is the number of nodes of this search, of all threads and slices.
    fn poll(&mut self, _nodes: u64) -> Decision {
        Decision::Continue
    }

    /// Returns `true` if the next iteration is worth starting. Not called for the first one.
    fn may_start_iteration(&mut self, _next: &NextIteration) -> bool {
        true
    }

    /// Takes a report. The last report of a finished search is its answer.
    fn report(&mut self, report: Report);
}

/// The answer to [`Monitor::poll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Continue.
    Continue,
    /// Suspend the search. It may be run again.
    Yield,
    /// Stop the search with the best result so far.
    Stop,
}

/// An iteration of iterative deepening that could start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextIteration {
    /// Depth in plies.
    pub depth: Depth,
    /// Confidence of the cuts.
    pub confidence: Confidence,
    /// Drop of the value in the last iteration, in centidiscs. Negative if the value rose.
    pub drop: i32,
}

/// A monitor that never stops a search and keeps the last report.
#[derive(Debug, Default)]
pub struct KeepLastReport {
    /// The last report.
    pub last: Option<Report>,
}

impl Monitor for KeepLastReport {
    fn report(&mut self, report: Report) {
        self.last = Some(report);
    }
}
