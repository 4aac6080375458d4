//! A recorded move.

use std::time::Duration;

use crate::board::Move;
use crate::score::Score;

/// A move as it was played, with the evaluation and time of its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The move.
    pub mv: Move,
    /// The evaluation of the player, for the player. `None` if it is unknown.
    pub eval: Option<Score>,
    /// The time used for the move. `None` if it is unknown.
    pub time: Option<Duration>,
}

impl From<Move> for RecordedMove {
    fn from(mv: Move) -> RecordedMove {
        RecordedMove { mv, eval: None, time: None }
    }
}
