//! The request to a search.

use crate::board::{Bitboard, Position};
use crate::score::{Confidence, Window};

/// Identifies a search. A session uses each id once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SearchId(pub u64);

/// A depth in plies, 0 to 60. Passes do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Depth(u8);

/// A position and what to find out about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// Returned in every report.
    pub id: SearchId,
    /// The position. A pass and a finished game are valid.
    pub root: Position,
    /// The question.
    pub goal: Goal,
    /// The limits, except for time: the monitor limits the time.
    pub limits: Limits,
}

/// The question to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Goal {
    /// The best move and its value.
    BestMove,
    /// The values of the best `n` moves, each exact for its depth. At most all moves.
    Hints(usize),
    /// The value: exact inside the window, a bound outside.
    Value(Window),
    /// The outcome: a win, a draw or a loss for the side to move.
    Outcome,
}

/// The limits of a search. The first one reached ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Depth of the last iteration. If it reaches the end of the game, the game is solved.
    pub depth: Depth,
    /// Most empty squares at which the search goes to the end of the game, whatever the depth.
    pub exact_from: u8,
    /// Confidence of the last iteration.
    pub confidence: Confidence,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// The squares of the first moves to search, `None` for all. A pass is always searched.
    pub only: Option<Bitboard>,
}

impl Depth {
    /// The largest depth: a whole game.
    pub const MAX: Depth = Depth(60);

    /// Returns a depth in plies, at most 60.
    pub const fn new(plies: u32) -> Depth {
        Depth(if plies > 60 { 60 } else { plies as u8 })
    }

    /// Returns the number of plies.
    pub const fn plies(self) -> u32 {
        self.0 as u32
    }
}

impl Limits {
    /// No limit: the game is solved without selective cuts.
    pub const NONE: Limits =
        Limits { depth: Depth::MAX, exact_from: 0, confidence: Confidence::EXACT, nodes: None, only: None };

    /// Returns the limits of a search to `plies` at `confidence`.
    pub const fn to_depth(plies: u32, confidence: Confidence) -> Limits {
        Limits { depth: Depth::new(plies), exact_from: 0, confidence, nodes: None, only: None }
    }

    /// Returns these limits with at most `nodes` nodes.
    #[must_use]
    pub const fn with_nodes(self, nodes: Option<u64>) -> Limits {
        Limits { nodes, ..self }
    }

    /// Returns these limits, but a search with at most `empties` empty squares goes to the end of the game.
    #[must_use]
    pub const fn with_exact_from(self, empties: u8) -> Limits {
        Limits { exact_from: empties, ..self }
    }

    /// Returns these limits, but of the first moves only those to `squares` are searched. Values are then those of the best of
    /// these moves, not of the position.
    #[must_use]
    pub const fn with_only(self, squares: Bitboard) -> Limits {
        Limits { only: Some(squares), ..self }
    }
}
