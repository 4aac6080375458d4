//! What a search tells.

use super::{Depth, SearchId};
use crate::board::Move;
use crate::score::{Bound, Confidence, Score};

/// The state of a search: sent when a round of iterative deepening is finished, within a round whenever a
/// line of it is, and once more at the end.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The search it belongs to.
    pub id: SearchId,
    /// Depth of the round in plies; all empties when the search reaches the end of the game.
    pub depth: Depth,
    /// Selectivity of the round.
    pub confidence: Confidence,
    /// The lines, best first, one for each first move asked for. Never empty unless the game is over.
    ///
    /// Within a round only the lines it has finished so far have its depth; others keep their older one.
    pub lines: Vec<Line>,
    /// Nodes of the search so far.
    pub nodes: u64,
    /// Whether the round is complete.
    pub complete: bool,
}

/// One first move with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The principal variation: the move first, passes included, each move legal. Empty only when the game
    /// is over.
    pub moves: Vec<Move>,
    /// Its value for the side to move at the root.
    pub score: Score,
    /// What the value is: no more than a lower bound while the round that searched the line is running, since another move
    /// may be better.
    pub bound: Bound,
    /// How it was found.
    pub proof: Proof,
    /// Depth in plies it was searched to.
    pub depth: Depth,
}

/// How a value was found; the later the surer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Proof {
    /// A search with the static evaluation at its leaves, cutting at this confidence.
    Heuristic(Confidence),
    /// A search to the end of the game, cutting at this confidence (below 100 %).
    Selective(Confidence),
    /// The sign of the value is proven: who wins, or a draw.
    Outcome,
    /// The value is proven.
    Exact,
}

impl Proof {
    /// The confidence of the cuts.
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

    /// The first move; nothing when the game is over.
    pub fn first(&self) -> Option<Move> {
        self.moves.first().copied()
    }
}

impl Report {
    /// Makes the report of a round. As long as the round is not `complete`, the values of the lines that it has searched are
    /// lower bounds: another move may be better.
    pub fn new(
        id: SearchId,
        (depth, confidence): (Depth, Confidence),
        mut lines: Vec<Line>,
        nodes: u64,
        complete: bool,
    ) -> Report {
        for line in &mut lines {
            let is_of_round = line.depth == depth && line.proof.confidence() == confidence;
            if !complete && is_of_round && line.bound == Bound::Exact {
                line.bound = Bound::Lower;
            }
        }
        Report { id, depth, confidence, lines, nodes, complete }
    }

    /// The best line; nothing when the game is over.
    pub fn best(&self) -> Option<&Line> {
        self.lines.first()
    }
}
