//! What can be wrong with one game among others.

use std::fmt;

use super::fen::FenError;
use super::transcript::TranscriptError;

/// A game that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameFault {
    /// Its moves.
    Moves(TranscriptError),
    /// The position it starts from (`FEN`).
    Start {
        /// How it begins.
        text: String,
        /// What is wrong with it.
        error: FenError,
    },
    /// A header that is not `[Name "value"]`.
    Header {
        /// How it begins.
        text: String,
    },
    /// It is not Othello (`Variant`).
    Kind {
        /// What it is.
        text: String,
    },
    /// A faulty value of a header.
    Value {
        /// The name of the header.
        header: String,
        /// How the value begins.
        text: String,
    },
    /// A comment or a variation that does not end.
    Unclosed {
        /// What it begins with.
        opening: char,
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
            GameFault::Start { error, .. } => write!(f, "FEN: {error}"),
            GameFault::Header { text } => write!(f, "`{text}` is not a header like `[Event \"name\"]`"),
            GameFault::Kind { text } => write!(f, "Variant: the game is `{text}`, not othello"),
            GameFault::Value { header, text } => write!(f, "{header}: `{text}` cannot be read"),
            GameFault::Unclosed { opening: '{' } => f.write_str("a comment does not end with `}`"),
            GameFault::Unclosed { .. } => f.write_str("a variation does not end with `)`"),
        }
    }
}

impl std::error::Error for GameFault {}
