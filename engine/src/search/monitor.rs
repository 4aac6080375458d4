//! What a search asks of whoever runs it.

use super::{Depth, Report};
use crate::score::Confidence;

/// The two questions and the one sink of a search.
pub trait Monitor {
    /// Asked every few thousand nodes: go on, give the processor back, or stop for good?
    ///
    /// `nodes` is the number of nodes of this search so far, all threads and slices together.
    fn poll(&mut self, nodes: u64) -> Decision;

    /// Asked before each round of iterative deepening but the first: is it worth starting?
    fn may_start_iteration(&mut self, next: &NextIteration) -> bool;

    /// Takes a report. The last report of a finished search is its answer.
    fn report(&mut self, report: Report);
}

/// The answer to [`Monitor::poll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Go on.
    Continue,
    /// Give the processor back; the search may be run again.
    Yield,
    /// Stop for good with the best known so far.
    Stop,
}

/// A round of iterative deepening that could be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextIteration {
    /// Its depth in plies.
    pub depth: Depth,
    /// Its selectivity.
    pub confidence: Confidence,
    /// By how many centidiscs the value fell in the last round; negative when it rose.
    pub drop: i32,
}

/// A monitor that never stops anything and keeps the last report.
#[derive(Debug, Default)]
pub struct KeepLastReport {
    /// The last report.
    pub last: Option<Report>,
}

impl Monitor for KeepLastReport {
    fn poll(&mut self, _nodes: u64) -> Decision {
        Decision::Continue
    }

    fn may_start_iteration(&mut self, _next: &NextIteration) -> bool {
        true
    }

    fn report(&mut self, report: Report) {
        self.last = Some(report);
    }
}
