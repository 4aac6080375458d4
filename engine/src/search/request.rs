//! What a search is asked.

use crate::board::Position;
use crate::score::{Confidence, Window};

/// Tells searches apart; a session never uses one twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SearchId(pub u64);

/// A number of plies to look ahead, 0 to 60; passes do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Depth(u8);

/// A position to search and what to find out about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRequest {
    /// Comes back in every report.
    pub id: SearchId,
    /// The position. It may be a pass or a finished game: both are answered.
    pub root: Position,
    /// What to find out.
    pub goal: Goal,
    /// How far to go. Time is not here: it is the driver's, through its monitor.
    pub limits: Limits,
}

/// What to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The best move and its value.
    BestMove,
    /// The values of the best `n` moves, each exact for its depth. More than there are is all.
    Hints(usize),
    /// The value, exact inside the window, a bound outside.
    Value(Window),
    /// Whether the side to move wins, draws or loses.
    Outcome,
}

/// How far to go; whichever is reached first ends the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Depth of the last round; where it reaches the end of the game, the game is solved.
    pub depth: Depth,
    /// From this number of empty squares on the search goes to the end of the game whatever the depth.
    pub exact_from: u8,
    /// Confidence of the last round.
    pub confidence: Confidence,
    /// Number of nodes.
    pub nodes: Option<u64>,
}

impl Depth {
    /// The largest: a whole game.
    pub const MAX: Depth = Depth(60);

    /// A depth in plies; over 60 is 60.
    pub const fn new(plies: u32) -> Depth {
        Depth(if plies > 60 { 60 } else { plies as u8 })
    }

    /// In plies.
    pub const fn plies(self) -> u32 {
        self.0 as u32
    }
}

impl Limits {
    /// No limit: solve the game without forward pruning.
    pub const NONE: Limits =
        Limits { depth: Depth::MAX, exact_from: 0, confidence: Confidence::EXACT, nodes: None };

    /// To `plies` at `confidence`.
    pub const fn to_depth(plies: u32, confidence: Confidence) -> Limits {
        Limits { depth: Depth::new(plies), exact_from: 0, confidence, nodes: None }
    }
}
