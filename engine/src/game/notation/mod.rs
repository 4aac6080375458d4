//! Text to games, positions and moves, and back.
//!
//! Each notation is a file. Text that cannot be parsed and moves that are not legal are different errors, and
//! every error names the faulty field or the number of the move. Nothing here panics on any text, and the work is
//! proportional to its length.

pub mod book;
mod error;
pub mod fen;
pub mod ggf;
pub mod moves;
mod number;
pub mod obf;
mod read;
pub mod squares;
pub mod transcript;
pub mod wthor;

pub use error::IllegalAt;
pub use read::{LONGEST, ReadError, read};
