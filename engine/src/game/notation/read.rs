//! Telling which notation a text is in, and reading it.

use std::fmt;

use super::fen::{self, FenError};
use super::ggf::{self, InGame};
use super::obf::{self, ObfError};
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
    /// It begins like nothing known.
    Unknown {
        /// How it begins.
        text: String,
    },
    /// A faulty position.
    Squares(SquaresError),
    /// A faulty position in FEN.
    Fen {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        error: FenError,
    },
    /// A faulty line of OBF.
    Obf {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        error: ObfError,
    },
    /// A faulty transcript.
    Transcript(TranscriptError),
    /// A faulty transcript among several, one to a line.
    TranscriptInLine {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        error: TranscriptError,
    },
    /// A faulty game in GGF.
    Ggf(InGame),
}

/// Reads the games of a text in whatever notation it is: GGF, positions (squares, OBF, FEN), or transcripts (one
/// over all lines, or one to a line).
///
/// A position becomes a game of no moves; the scores of an OBF line are left to [`obf::read`]. At least one game is
/// returned.
pub fn read(text: &str) -> Result<Vec<Game>, ReadError> {
    if text.chars().nth(LONGEST).is_some() {
        return Err(ReadError::TooLong);
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(first) = text.lines().find(|line| !obf::is_silent(line)) else {
        return Err(ReadError::Empty);
    };
    if ggf::begins(text) {
        ggf::read_all(text).map_err(ReadError::Ggf)
    } else if fen::begins(first.trim_start()) {
        let lines = text.lines().enumerate().filter(|(_, line)| !obf::is_silent(line));
        lines
            .map(|(index, line)| {
                fen::read(line).map(Game::new).map_err(|error| ReadError::Fen { line: index + 1, error })
            })
            .collect()
    } else if squares::begins(first) {
        read_positions(text, first)
    } else {
        read_transcripts(text)
    }
}

/// Reads a position to a line, or one whose squares go over several lines.
fn read_positions(text: &str, first: &str) -> Result<Vec<Game>, ReadError> {
    if let Err(SquaresError::TooFew { .. }) = squares::read_prefix(first) {
        let position = squares::read(text).map_err(ReadError::Squares)?;
        return Ok(vec![Game::new(position)]);
    }
    let game = |(line, problem): (usize, Result<obf::ScoredPosition, ObfError>)| match problem {
        Ok(problem) => Ok(Game::new(problem.position)),
        Err(ObfError::Position(error)) if line == 1 => Err(ReadError::Squares(error)),
        Err(error) => Err(ReadError::Obf { line, error }),
    };
    obf::read(text).map(game).collect()
}

/// Reads a transcript that may go over several lines; failing that, one to a line.
fn read_transcripts(text: &str) -> Result<Vec<Game>, ReadError> {
    let error = match transcript::read(text) {
        Ok(game) => return Ok(vec![game]),
        Err(error) => error,
    };
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match transcript::read(line) {
            Ok(game) => games.push(game),
            // A second line that is no game by itself goes on with the first: the whole is one faulty transcript.
            Err(_) if games.len() < 2 => break,
            Err(error) => return Err(ReadError::TranscriptInLine { line: index + 1, error }),
        }
    }
    if games.len() > 1 {
        return Ok(games);
    }
    Err(match error {
        TranscriptError::Unparsable { number: 1, text } => ReadError::Unknown { text },
        error => ReadError::Transcript(error),
    })
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Empty => f.write_str("there is nothing to read"),
            ReadError::TooLong => write!(f, "the text has more than {LONGEST} characters"),
            ReadError::Unknown { text } => {
                write!(f, "`{text}` begins neither a transcript nor a position, GGF, OBF or FEN")
            }
            ReadError::Squares(error) => error.fmt(f),
            ReadError::Fen { line, error } => write!(f, "line {line}: {error}"),
            ReadError::Obf { line, error } => write!(f, "line {line}: {error}"),
            ReadError::Transcript(error) => error.fmt(f),
            ReadError::TranscriptInLine { line, error } => write!(f, "line {line}: {error}"),
            ReadError::Ggf(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}
