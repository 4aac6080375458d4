//! A recorded move.

use std::time::Duration;

use crate::board::Move;
use crate::score::Score;

/// A move as it was played, with what its player told about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The move.
    pub mv: Move,
    /// The player's evaluation, from the player's point of view; nothing when unknown.
    pub eval: Option<Score>,
    /// Time used for the move; nothing when unknown.
    pub time: Option<Duration>,
}

impl From<Move> for RecordedMove {
    fn from(mv: Move) -> RecordedMove {
        RecordedMove { mv, eval: None, time: None }
    }
}
