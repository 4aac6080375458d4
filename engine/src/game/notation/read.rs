//! Telling which notation a text is in, and reading it.

use std::fmt;

use super::ggf::{self, InGame};
use super::squares::{self, SquaresError};
use super::transcript::{self, TranscriptError};
use crate::game::Game;

/// The longest text [`read`] takes, in characters.
pub const LONGEST: usize = 100_000;

/// The text cannot be read in any notation, or is faulty in the one it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// There is nothing but white space.
    Empty,
    /// More than [`LONGEST`] characters.
    TooLong,
    /// A faulty position.
    Squares(SquaresError),
    /// A faulty transcript.
    Transcript(TranscriptError),
    /// A faulty game in GGF.
    Ggf(InGame),
}

/// Reads the games of a text in whatever notation it is: GGF, a position, or a transcript.
///
/// A position becomes a game of no moves. At least one game is returned.
pub fn read(text: &str) -> Result<Vec<Game>, ReadError> {
    if text.chars().nth(LONGEST).is_some() {
        return Err(ReadError::TooLong);
    }
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if text.is_empty() {
        Err(ReadError::Empty)
    } else if ggf::begins(text) {
        ggf::read_all(text).map_err(ReadError::Ggf)
    } else if squares::begins(text) {
        squares::read(text).map(|position| vec![Game::new(position)]).map_err(ReadError::Squares)
    } else {
        transcript::read(text).map(|game| vec![game]).map_err(ReadError::Transcript)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Empty => f.write_str("there is nothing to read"),
            ReadError::TooLong => write!(f, "the text has more than {LONGEST} characters"),
            ReadError::Squares(error) => error.fmt(f),
            ReadError::Transcript(error) => error.fmt(f),
            ReadError::Ggf(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}
