//! One question about one position, answered by one report.

use crate::board::Position;
use crate::score::Confidence;
use crate::search::{
    Decision, Depth, Goal, Limits, Monitor, NextIteration, Progress, Report, Search, SearchId, SearchRequest,
};

/// Searches `root` until a limit is reached and returns the last report.
///
/// The transposition table of `search` keeps its content: [`Search::clear`] makes the node count independent of it.
///
/// ```
/// use outflank::analysis::ask;
/// use outflank::board::Position;
/// use outflank::score::Confidence;
/// use outflank::search::{Goal, Limits, Search, SearchConfig};
///
/// let mut search = Search::new(SearchConfig::default());
/// let limits = Limits::to_depth(6, Confidence::EXACT);
/// let report = ask(&mut search, Position::START, Goal::BestMove, limits);
/// assert!(report.best().is_some_and(|line| line.moves.len() > 1));
/// ```
pub fn ask(search: &mut Search, root: Position, goal: Goal, limits: Limits) -> Report {
    ask_while(search, root, goal, limits, |_, _| true)
}

/// Searches `root` like [`ask`] while `keep_searching` returns `true`.
///
/// `keep_searching` receives the number of nodes and the last report, every few thousand nodes and before each iteration but
/// the first. A deadline is one comparison:
///
/// ```
/// # use std::time::{Duration, Instant};
/// # use outflank::board::Position;
/// # use outflank::search::{Goal, Limits, Search, SearchConfig};
/// use outflank::analysis::ask_while;
///
/// # let mut search = Search::new(SearchConfig::default());
/// let deadline = Instant::now() + Duration::from_millis(100);
/// let report =
///     ask_while(&mut search, Position::START, Goal::BestMove, Limits::NONE, |_, _| Instant::now() < deadline);
/// # assert!(!report.lines.is_empty());
/// ```
pub fn ask_while(
    search: &mut Search,
    root: Position,
    goal: Goal,
    limits: Limits,
    keep_searching: impl FnMut(u64, Option<&Report>) -> bool,
) -> Report {
    let id = SearchId::default();
    let mut watch = Watch { nodes: 0, last: None, keep_searching };
    search.start(SearchRequest { id, root, goal, limits });
    while search.run(&mut watch) == Progress::Suspended {}
    // A search that ends always reports.
    watch.last.unwrap_or_else(|| Report::new(id, (Depth::new(0), Confidence::EXACT), Vec::new(), 0, false))
}

/// Returns `plies`, or one more if the leaves of a search of `root` would otherwise have an odd number of empty squares.
///
/// Values at odd and at even numbers of empty squares differ systematically. The loss of a move is the difference of the
/// values of two positions, so both are searched to leaves of the same parity.
pub fn even_leaves(root: &Position, plies: u32) -> u32 {
    (plies + (root.empties().wrapping_sub(plies) & 1)).min(Depth::MAX.plies())
}

/// The monitor of one question.
struct Watch<F> {
    nodes: u64,
    last: Option<Report>,
    keep_searching: F,
}

impl<F: FnMut(u64, Option<&Report>) -> bool> Monitor for Watch<F> {
    fn poll(&mut self, nodes: u64) -> Decision {
        self.nodes = nodes;
        if (self.keep_searching)(nodes, self.last.as_ref()) { Decision::Continue } else { Decision::Stop }
    }

    fn may_start_iteration(&mut self, _next: &NextIteration) -> bool {
        (self.keep_searching)(self.nodes, self.last.as_ref())
    }

    fn report(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        self.last = Some(report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_have_an_even_number_of_empty_squares() {
        assert_eq!([0, 9, 10, 60, 61].map(|plies| even_leaves(&Position::START, plies)), [0, 10, 10, 60, 60]);
    }
}
