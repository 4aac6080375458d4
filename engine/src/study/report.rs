//! What is known of a game.

use super::Explanation;
use crate::analysis::{Course, Known, Loss, Point, Sums};
use crate::board::{Position, Square};

/// What is known of a node and of the line that leads to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NodeReport {
    /// The value of the position. `None` if it is unknown.
    pub point: Option<Point>,
    /// The loss of the move to the node. `None` if a value is unknown, and for the root.
    pub loss: Option<Loss>,
    /// The line up to the node.
    pub course: Course,
}

/// The report on the main line of a game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GameReport {
    /// The positions without passes, the start first.
    pub positions: Vec<PositionReport>,
    /// The sums of Black and of White.
    pub sums: [Sums; 2],
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PositionReport {
    /// The position.
    pub position: Position,
    /// The move to the position. `None` for the start.
    pub played: Option<Square>,
    /// The value by all searches. If the next move of the game is equal to the best one by symmetry, it is named as the best one.
    pub point: Option<Point>,
    /// The result of the search of this position alone.
    pub searched: Option<Known>,
    /// The loss of the move to the position.
    pub loss: Option<Loss>,
    /// The explanation of the move to the position, if it is a mistake and the plan asks for reasons.
    pub explanation: Option<Explanation>,
}
