//! A search that a model waits for, and reports that can be told apart.

use outflank::board::{Move, Position, Status};
use outflank::score::{Bound, Confidence, Score};
use outflank::search::{Depth, Line, Proof, Report, SearchId};

use super::{Asked, News};

/// The search that a session has started and not given up.
#[derive(Clone, Debug)]
pub struct Search<P> {
    /// Its id.
    pub id: SearchId,
    /// Its position.
    pub root: Position,
    /// What it is for.
    pub purpose: P,
    /// How many moves are to be valued.
    pub lines: usize,
    /// Whether it was told to end with what it has.
    pub stopping: bool,
    /// Its last report.
    pub last: Option<Report>,
    /// The last complete round, as long as it has not been said.
    pub unsaid: Option<Report>,
    /// The most nodes it has told of.
    pub nodes: u64,
}

impl<P> Search<P> {
    /// One that has just been started.
    pub fn new(id: SearchId, root: Position, purpose: P, lines: usize) -> Search<P> {
        Search { id, root, purpose, lines, stopping: false, last: None, unsaid: None, nodes: 0 }
    }

    /// Takes note of a report.
    pub fn heard(&mut self, report: &Report) {
        self.last = Some(report.clone());
        self.nodes = self.nodes.max(report.nodes);
        if report.complete {
            self.unsaid = Some(report.clone());
        }
    }

    /// The best line of its last report.
    pub fn best(&self) -> Option<&Line> {
        self.last.as_ref().and_then(Report::best)
    }

    /// Whether `mv` may be its answer: the best move, and where it has told none any legal one.
    pub fn may_answer(&self, mv: Move) -> bool {
        match self.best().and_then(Line::first) {
            Some(best) => best == mv,
            None => self.root.play(mv).is_ok(),
        }
    }

    /// As the one who makes up its news has to know it.
    pub fn asked(&self) -> Asked {
        Asked { id: self.id, root: self.root, lines: self.lines }
    }
}

/// A report of a search: the values are different in each, so that it is known which one is said.
pub fn report(asked: &Asked, news: News, number: u32) -> Report {
    let depth = Depth::new(1 + number % 60);
    let confidence = Confidence::EXACT;
    let proof = if news == News::Solved { Proof::Exact } else { Proof::Heuristic(confidence) };
    let mut lines = Vec::new();
    for first in legal(&asked.root).into_iter().take(asked.lines.max(1)) {
        // Never a draw, and the best one first.
        let centidiscs = 6001 - 64 * (number as i32 % 180) - lines.len() as i32;
        lines.push(Line {
            moves: variation(&asked.root, first),
            score: Score::from_centidiscs(centidiscs),
            bound: Bound::Exact,
            proof,
            depth,
        });
    }
    let complete = news != News::Partial;
    Report::new(asked.id, (depth, confidence), lines, 100 * u64::from(number) + 100, complete)
}

/// The moves of a position: a pass where it has to be made, none where the game is over.
pub fn legal(position: &Position) -> Vec<Move> {
    match position.status() {
        Status::ToMove => position.moves().into_iter().map(Move::Place).collect(),
        Status::MustPass => vec![Move::Pass],
        Status::Over => Vec::new(),
    }
}

/// Up to four moves, `first` the first.
fn variation(root: &Position, first: Move) -> Vec<Move> {
    let mut here = *root;
    let mut moves = Vec::new();
    let mut next = Some(first);
    while let Some(mv) = next
        && moves.len() < 4
        && let Ok(after) = here.play(mv)
    {
        moves.push(mv);
        here = after;
        next = legal(&here).first().copied();
    }
    moves
}

/// A score as texts have it: `1.23`.
pub fn discs(score: Score) -> String {
    format!("{:.2}", score.discs())
}
