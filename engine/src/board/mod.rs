//! The board and the rules of Othello.
//!
//! Squares are numbered row by row from a1 = 0 to h8 = 63, and bit `n` of a [`Bitboard`] is square `n`:
//!
//! ```text
//!     a  b  c  d  e  f  g  h
//! 1   0  1  2  3  4  5  6  7
//! 2   8  9 10 11 12 13 14 15
//! …
//! 8  56 57 58 59 60 61 62 63
//! ```
//!
//! The search works on [`Board`], the two disc sets from the point of view of the side to move. Code that distinguishes black and
//! white works on [`Position`]. Flips and mobility are computed by the kernels.

#[expect(clippy::module_inception, reason = "the noun of the file is the board")]
mod board;
mod color;
mod moves;
mod position;
mod symmetry;

pub use crate::bitboard::{Bitboard, Squares};
pub use crate::square::{ParseSquareError, Square};
pub use board::Board;
pub use color::Color;
pub use moves::{IllegalMove, Move};
pub use position::{Position, Status};
pub use symmetry::Symmetry;
