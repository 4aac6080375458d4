//! Analysis of one game: a search of each position, from the last to the first.

use std::time::{Duration, Instant};

use outflank::analysis::{Course, Known, Loss, Point, Sums, Values, ask_while, even_leaves, loss};
use outflank::board::{Move, Position, Status};
use outflank::game::Game;
use outflank::search::{Goal, Limits, Report, Search};
use outflank::session::limits_at_depth;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AnalysisLimits {
    /// In plies. One more if the leaves would have an odd number of empty squares.
    pub(super) depth: u32,
    /// Largest number of empty squares at which the score is proven.
    pub(super) exact: Option<u32>,
    pub(super) time: Option<Duration>,
}

pub(super) struct Analysis {
    /// The positions without passes, the start first.
    pub(super) positions: Vec<Position>,
    /// The moves between them.
    pub(super) moves: Vec<Move>,
    /// The result of the search of each position. `None` if the game is over.
    pub(super) found: Vec<Option<Known>>,
    /// The value of each position by all searches.
    pub(super) points: Vec<Option<Point>>,
    pub(super) losses: Vec<Option<Loss>>,
    /// The sums of Black and of White.
    pub(super) sums: [Sums; 2],
    pub(super) nodes: u64,
}

pub(super) struct GameAnalyzer {
    search: Search,
    limits: AnalysisLimits,
}

impl GameAnalyzer {
    pub(super) fn new(search: Search, limits: AnalysisLimits) -> GameAnalyzer {
        GameAnalyzer { search, limits }
    }

    /// Analyzes a game with an empty table, so that the order of games does not matter.
    pub(super) fn analyze(&mut self, game: &Game) -> Analysis {
        self.search.clear();
        let (positions, moves) = line_of(game);
        let mut values = Values::of(self.search.network());
        for (pair, mv) in positions.windows(2).zip(&moves) {
            if let ([before, after], Some(square)) = (pair, mv.square()) {
                values.join(before, square, after);
            }
        }
        let mut found = vec![None; positions.len()];
        let mut nodes = 0;
        for (position, found) in positions.iter().zip(&mut found).rev() {
            if position.status() == Status::Over {
                continue;
            }
            let report = self.search(position);
            nodes += report.nodes;
            *found = report.best().and_then(Known::of);
            if let Some(known) = found {
                values.add_root(position, known.clone());
            }
        }
        let played = moves.iter().map(|mv| mv.square()).chain([None]);
        let points: Vec<_> = positions
            .iter()
            .zip(played)
            .map(|(position, played)| {
                let point = values.point(position)?;
                Some(played.map_or(point, |played| point.before(position, played)))
            })
            .collect();
        let mut course = Course::start(points[0], None);
        let mut losses = Vec::with_capacity(moves.len());
        for (position, pair) in positions.iter().zip(points.windows(2)) {
            let loss = loss(position, [pair[0], pair[1]], [None; 2]);
            course = course.extended(position, loss.as_ref(), pair[1], None);
            losses.push(loss);
        }
        Analysis { positions, moves, found, points, losses, sums: course.sums, nodes }
    }

    /// Searches a position until its deadline, but until the first report at least.
    fn search(&mut self, position: &Position) -> Report {
        let deadline = self.limits.time.map(|time| Instant::now() + time);
        ask_while(&mut self.search, *position, Goal::BestMove, self.limits.at(position), |_, last| {
            last.is_none() || deadline.is_none_or(|deadline| Instant::now() < deadline)
        })
    }
}

/// Returns the positions of a game after forced passes, and the moves between them.
pub(super) fn line_of(game: &Game) -> (Vec<Position>, Vec<Move>) {
    let mut positions = vec![game.start().after_forced_pass()];
    let mut moves = Vec::new();
    for (played, after) in game.moves().iter().zip(game.positions().skip(1)) {
        if played.mv != Move::Pass {
            positions.push(after.after_forced_pass());
            moves.push(played.mv);
        }
    }
    (positions, moves)
}

/// Returns the squares of `moves` as one word.
pub(super) fn squares_of(moves: &[Move]) -> String {
    moves.iter().filter_map(|mv| mv.square()).map(|square| square.to_string()).collect()
}

impl AnalysisLimits {
    fn at(&self, position: &Position) -> Limits {
        let limits = limits_at_depth(position, even_leaves(position, self.depth));
        if self.exact.is_some_and(|exact| position.empties() <= exact) {
            return Limits::NONE;
        }
        limits
    }

    /// Returns the text that an output has about its limits.
    pub(super) fn words(&self) -> String {
        let exact = self.exact.map(|exact| format!(", exact from {exact} empty squares")).unwrap_or_default();
        let time = self.time.map(|time| format!(", at most {} s a position", time.as_secs_f64()));
        let depth = self.depth;
        format!("outflank {}, depth {depth}{exact}{}", env!("CARGO_PKG_VERSION"), time.unwrap_or_default())
    }
}
