//! A move: a disc placed, or a pass.

use std::fmt;

use super::Square;

/// What the side to move does.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// A disc on an empty square that flips at least one disc.
    Place(Square),
    /// Nothing, where no disc can be placed but the opponent can place one.
    Pass,
}

/// The move is not allowed in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The square already holds a disc.
    Occupied(Square),
    /// A disc there would flip nothing.
    FlipsNothing(Square),
    /// A pass where a disc can be placed.
    PassWithMoves,
    /// Neither side can move any more.
    GameOver,
}

impl Move {
    /// The square of a placed disc.
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

impl fmt::Display for Move {
    /// `f5`, or `pass`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

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
