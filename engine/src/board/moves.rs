//! A move: a disc placed, or a pass.

use std::fmt;

use super::Square;

/// A move of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// A disc is placed on an empty square and flips at least one disc.
    Place(Square),
    /// A pass: the side to move has no move, but the opponent has one.
    Pass,
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The square has a disc.
    Occupied(Square),
    /// A disc there flips nothing.
    FlipsNothing(Square),
    /// A pass although a disc can be placed.
    PassWithMoves,
    /// Neither side can move.
    GameOver,
}

impl Move {
    /// Returns the square of a placed disc. `None` for a pass.
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

impl fmt::Display for Move {
    /// Writes `f5`, or `pass`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}

debug_as_display!(Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::Occupied(square) => write!(f, "{square} is occupied"),
            IllegalMove::FlipsNothing(square) => write!(f, "{square} flips nothing"),
            IllegalMove::PassWithMoves => f.write_str("a pass is not allowed while a disc can be placed"),
            IllegalMove::GameOver => f.write_str("the game is over"),
        }
    }
}

impl std::error::Error for IllegalMove {}
