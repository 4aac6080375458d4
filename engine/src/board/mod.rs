//! The board and the rules of Othello.
//!
//! Squares are numbered row by row from a1 = 0, b1 = 1 … h1 = 7, a2 = 8 … h8 = 63, and bit `n` of a
//! [`Bitboard`] is square `n`:
//!
//! ```text
//!     a  b  c  d  e  f  g  h
//! 1   0  1  2  3  4  5  6  7
//! 2   8  9 10 11 12 13 14 15
//! …
//! 8  56 57 58 59 60 61 62 63
//! ```
//!
//! The search works on [`Board`], the two disc sets from the mover's side; everything that has to know
//! who is black works on [`Position`]. Flips and mobility come in several [`kernel`]s: the portable one is
//! the oracle for the others.

mod bitboard;
#[expect(clippy::module_inception, reason = "the noun of the file is the board")]
mod board;
mod color;
pub(crate) mod flip;
mod kernel;
pub(crate) mod mobility;
mod moves;
mod perft;
mod position;
mod square;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod swapped;
mod symmetry;
pub(crate) mod vector;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use color::Color;
pub use kernel::{Kernel, KernelTask, Kernels, Portable};
pub use moves::{IllegalMove, Move};
pub use perft::perft;
pub use position::{Position, Status};
pub use square::{ParseSquareError, Square};
pub use symmetry::Symmetry;
pub use vector::{INPUTS, Layer, Longs, Matrix, Words};
