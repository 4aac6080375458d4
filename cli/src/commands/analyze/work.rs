//! The analysis of one game: its positions from the last to the first.

use std::time::{Duration, Instant};

use outflank::analysis::{ask_while, even_leaves};
use outflank::board::{Move, Position, Status};
use outflank::game::Game;
use outflank::score::Confidence;
use outflank::search::{Goal, Limits, Report, Search};
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
}

impl Analyst {
    pub(crate) fn new(search: Search, effort: Effort) -> Analyst {
        Analyst { search, effort }
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
                nodes += report.nodes;
                *found = Known::found(position, &report);
            }
        }
        let points = Values::of(&positions, &moves, &found).points(&positions);
        let losses: Vec<_> = (0..moves.len())
            .map(|at| points::loss(&positions[at], points[at].as_ref(), points[at + 1].as_ref()))
            .collect();
        let sums = points::sums(&positions, &losses);
        Analysis { positions, moves, found, points, losses, sums, nodes }
    }

    /// Searches a position until its deadline; at least one report is waited for.
    fn search(&mut self, position: &Position) -> Report {
        let deadline = self.effort.time.map(|time| Instant::now() + time);
        let limits = self.effort.limits(position);
        ask_while(&mut self.search, *position, Goal::BestMove, limits, |_, last| {
            last.is_none() || deadline.is_none_or(|deadline| Instant::now() < deadline)
        })
    }
}

impl Effort {
    fn limits(&self, position: &Position) -> Limits {
        let empties = position.empties();
        let limits = limits_at_depth(position, even_leaves(position, self.depth));
        if self.exact.is_some_and(|exact| empties <= exact) {
            return Limits { exact_from: 64, confidence: Confidence::EXACT, ..limits };
        }
        limits
    }
}
