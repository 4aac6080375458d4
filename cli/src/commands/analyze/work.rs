//! The analysis of one game: its positions from the last to the first.

use std::time::{Duration, Instant};

use outflank::board::{Move, Position, Status};
use outflank::game::Game;
use outflank::score::Confidence;
use outflank::search::{
    Decision, Depth, Goal, Limits, Monitor, NextIteration, Progress, Report, Search, SearchId, SearchRequest,
};
use outflank::session::limits_at_depth;

use super::points::{self, Loss, Point, Sums};
use super::values::{Known, Values};

/// How far each position is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Effort {
    /// In plies; one more where the leaves would have an odd number of empty squares.
    pub(crate) depth: u32,
    /// From this number of empty squares on the score is proven.
    pub(crate) exact: Option<u32>,
    /// At most so long.
    pub(crate) time: Option<Duration>,
}

/// What was found of a game.
pub(crate) struct Analysis {
    /// Its positions without passes, the start first.
    pub(crate) positions: Vec<Position>,
    /// The moves between them.
    pub(crate) moves: Vec<Move>,
    /// What the search of each position has found.
    pub(crate) found: Vec<Option<Known>>,
    /// What is known of each position by all of them.
    pub(crate) points: Vec<Option<Point>>,
    /// What each move cost.
    pub(crate) losses: Vec<Option<Loss>>,
    /// The sums of Black and White.
    pub(crate) sums: [Sums; 2],
    pub(crate) nodes: u64,
}

/// A search with its threads, which analyses one game after the other.
pub(crate) struct Analyst {
    search: Search,
    effort: Effort,
    searches: u64,
}

impl Analyst {
    pub(crate) fn new(search: Search, effort: Effort) -> Analyst {
        Analyst { search, effort, searches: 0 }
    }

    /// Analyses a game; what was known of other games does not count, so that the order of games changes nothing.
    pub(crate) fn analyze(&mut self, game: &Game) -> Analysis {
        self.search.clear();
        let (positions, moves) = points::line_of(game);
        let mut found = vec![None; positions.len()];
        let mut nodes = 0;
        for (position, found) in positions.iter().zip(&mut found).rev() {
            if position.status() != Status::Over {
                let report = self.search(position);
                nodes += report.as_ref().map_or(0, |report| report.nodes);
                *found = report.as_ref().and_then(|report| Known::found(position, report));
            }
        }
        let points = Values::of(&positions, &moves, &found).points(&positions);
        let losses: Vec<_> = (0..moves.len())
            .map(|at| points::loss(&positions[at], points[at].as_ref(), points[at + 1].as_ref()))
            .collect();
        let sums = points::sums(&positions, &losses);
        Analysis { positions, moves, found, points, losses, sums, nodes }
    }

    fn search(&mut self, position: &Position) -> Option<Report> {
        let mut watch = Watch { deadline: self.effort.time.map(|time| Instant::now() + time), report: None };
        self.searches += 1;
        let request = SearchRequest {
            id: SearchId(self.searches),
            root: *position,
            goal: Goal::BestMove,
            limits: self.effort.limits(position),
        };
        self.search.start(request);
        while self.search.run(&mut watch) == Progress::Suspended {}
        watch.report
    }
}

impl Effort {
    fn limits(&self, position: &Position) -> Limits {
        let empties = position.empties();
        // Values of odd and of even leaves lie apart, and what a move loses is the difference of two.
        let depth = (self.depth + (empties.wrapping_sub(self.depth) & 1)).min(Depth::MAX.plies());
        let limits = limits_at_depth(position, depth);
        if self.exact.is_some_and(|exact| empties <= exact) {
            return Limits { exact_from: 64, confidence: Confidence::EXACT, ..limits };
        }
        limits
    }
}

/// Stops a search at its deadline; what it knows by then counts.
struct Watch {
    deadline: Option<Instant>,
    report: Option<Report>,
}

impl Watch {
    fn is_late(&self) -> bool {
        // Something has to be known first.
        self.report.is_some() && self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Monitor for Watch {
    fn poll(&mut self, _nodes: u64) -> Decision {
        if self.is_late() { Decision::Stop } else { Decision::Continue }
    }

    fn may_start_iteration(&mut self, _next: &NextIteration) -> bool {
        !self.is_late()
    }

    fn report(&mut self, report: Report) {
        self.report = Some(report);
    }
}
