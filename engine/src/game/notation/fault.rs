//! What can be wrong with one game among others.

use std::fmt;

use super::transcript::TranscriptError;

/// A game that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameFault {
    /// Its moves.
    Moves(TranscriptError),
    /// The position it starts from.
    Start {
        /// How it begins.
        text: String,
    },
}

impl From<TranscriptError> for GameFault {
    fn from(error: TranscriptError) -> GameFault {
        GameFault::Moves(error)
    }
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameFault::Moves(error) => error.fmt(f),
            GameFault::Start { text } => write!(f, "the first position `{text}` cannot be read"),
        }
    }
}
