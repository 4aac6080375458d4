//! Text to games, positions and moves, and back.
//!
//! Each notation is a file. Text that cannot be parsed and moves that are not legal are different errors, and
//! every error names the faulty field or the number of the move. Nothing here panics on any text, and the work is
//! proportional to its length.

pub mod book;
mod diagram;
mod error;
mod extra;
mod fault;
pub mod fen;
pub mod ggf;
mod json;
mod labels;
pub mod moves;
mod number;
pub mod obf;
pub mod pgn;
mod plain;
mod quest;
mod read;
pub mod sgf;
mod split;
pub mod squares;
pub mod transcript;
pub mod wthor;

pub use error::IllegalAt;
pub use fault::GameFault;
pub use json::{JsonError, JsonFault};
pub use read::{Faults, LONGEST, MOST_GAMES, MOST_TOLD, ReadError, is_silent, read, read_each};
