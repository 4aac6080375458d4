//! The reports of a search.

use super::{Depth, SearchId};
use crate::board::Move;
use crate::score::{Bound, Confidence, Score};

/// The state of a search. Sent after each iteration, during an iteration after each of its lines, and at the end.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The search.
    pub id: SearchId,
    /// Depth of the iteration in plies. All empty squares if the search reaches the end of the game.
    pub depth: Depth,
    /// Confidence of the iteration.
    pub confidence: Confidence,
    /// The lines, best first, one for each requested first move. Empty only if the game is over.
    ///
    /// During an iteration, only its finished lines have its depth. The others keep their earlier one.
    pub lines: Vec<Line>,
    /// Number of nodes of the search so far.
    pub nodes: u64,
    /// `true` if the iteration is complete.
    pub complete: bool,
}

/// A first move with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The principal variation, including the first move and passes. Every move is legal. Empty only if the game is over.
    pub moves: Vec<Move>,
    /// The value for the side to move at the root. Of a search to a depth, the mean of the last two iterations for the best
    /// move, and values shifted by the same difference for the others.
    pub score: Score,
    /// Kind of the value. While the iteration that searched the line is running, it is a lower bound at most, since another
    /// move may be better.
    pub bound: Bound,
    /// How the value was found.
    pub proof: Proof,
    /// Depth of the line in plies.
    pub depth: Depth,
}

/// How a value was found, in increasing order of certainty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Proof {
    /// By a search with the static evaluation at its leaves, with cuts at this confidence.
    Heuristic(Confidence),
    /// By a search to the end of the game, with cuts at this confidence (below 100 %).
    Selective(Confidence),
    /// The sign of the value is proven: a win, a loss or a draw.
    Outcome,
    /// The value is proven.
    Exact,
}

impl Proof {
    /// Returns the confidence of the cuts.
    pub fn confidence(self) -> Confidence {
        match self {
            Proof::Heuristic(confidence) | Proof::Selective(confidence) => confidence,
            Proof::Outcome | Proof::Exact => Confidence::EXACT,
        }
    }
}

impl Line {
    /// Returns `true` if the score is proven.
    pub fn is_exact(&self) -> bool {
        self.proof == Proof::Exact && self.bound == Bound::Exact
    }

    /// Returns `true` if the winner, or a draw, is proven.
    pub fn proves_outcome(&self) -> bool {
        let is_decided = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > Score::ZERO,
            Bound::Upper => self.score < Score::ZERO,
        };
        is_decided && self.proof >= Proof::Outcome
    }

    /// Returns the first move. `None` if the game is over.
    pub fn first(&self) -> Option<Move> {
        self.moves.first().copied()
    }
}

impl Report {
    /// Returns the report of an iteration. Until the iteration is `complete`, the values of its lines are lower bounds,
    /// since another move may be better.
    pub fn new(
        id: SearchId,
        (depth, confidence): (Depth, Confidence),
        mut lines: Vec<Line>,
        nodes: u64,
        complete: bool,
    ) -> Report {
        for line in &mut lines {
            let is_of_iteration = line.depth == depth && line.proof.confidence() == confidence;
            if !complete && is_of_iteration && line.bound == Bound::Exact {
                line.bound = Bound::Lower;
            }
        }
        Report { id, depth, confidence, lines, nodes, complete }
    }

    /// Returns the best line. `None` if the game is over.
    pub fn best(&self) -> Option<&Line> {
        self.lines.first()
    }
}
