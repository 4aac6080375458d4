//! Text to games, positions and moves, and back.
//!
//! Each notation is a file or a folder. Every reader returns a [`ReadError`], which names the invalid field or the number of
//! the move. No text causes a panic, and the time is proportional to the length of the text.

pub mod book;
mod branches;
mod clock;
#[cfg(feature = "notations")]
mod diagram;
mod error;
mod escape;
pub mod fen;
pub mod foreign;
pub mod ggf;
#[cfg(feature = "json")]
mod json;
mod labels;
#[cfg(feature = "notations")]
mod line;
#[cfg(feature = "notations")]
mod lines;
pub mod link;
#[cfg(feature = "notations")]
mod markup;
pub mod moves;
mod number;
#[cfg(feature = "notations")]
mod numbered;
pub mod obf;
#[cfg(feature = "notations")]
pub mod pgn;
#[cfg(feature = "notations")]
mod plain;
#[cfg(feature = "json")]
mod quest;
#[cfg(feature = "notations")]
mod read;
#[cfg(feature = "notations")]
mod result_line;
#[cfg(feature = "notations")]
mod scattered;
#[cfg(feature = "notations")]
pub mod sgf;
mod split;
pub mod squares;
mod tags;
pub mod transcript;
mod words;
#[cfg(feature = "notations")]
pub mod wthor;

use crate::game::Game;

pub use branches::CUT_VARIATIONS;
pub use error::{Place, ReadError, ReadErrorCode};
#[cfg(feature = "notations")]
pub use line::{MAX_GAMES, is_silent};
#[cfg(feature = "notations")]
pub use read::{
    MAX_REPORTED_ERRORS, MAX_TEXT_CHARS, SkippedErrors, Take, read, read_each, read_records, with_line_ends,
};

/// A game of a text: its number and the number of its first line, both from 1, and the game or its error.
pub type NumberedGame = (usize, usize, Result<Game, ReadError>);
