//! The large network: rows of thirty-two numbers, and patterns of moves beside those of discs.
//!
//! ```text
//! sum    = bias(empties) + Σ rows of patterns, patterns of moves, mobility             32 × i16
//! first  = clamp(sum, 0, 127)                                                          32 × u8
//!          and first[n] · first[n + 16] / 128 for n < 16                               16 × u8
//! second = max(0, bias + matrix · first) / 256                                         16 × i16
//! value  = (bias + direct · sum + output · second) / 256                               centidiscs
//! ```
//!
//! Otherwise as the network of the program ([`crate::eval::network`]), with one stage for all numbers of empty squares. Its
//! weights are not part of the program but a file of their own, too large for a page to load.

mod file;
mod moves;
mod rows;
#[cfg(test)]
mod tests;

pub use moves::{MOVE_PATTERNS, move_start, move_states};
pub use rows::Rows;

use super::Features;
use super::indices::TABLE_SIZE;
use super::mobility::mobility_indices;
use super::network::HEADS;
use crate::board::{Bitboard, Board};
use crate::kernel::{Kernels, WideLayer, WideWords};

/// Numbers of a row.
pub const LARGE_WIDTH: usize = 32;
/// Behind the last state of the patterns of moves, rounded up so that a state is masked, not checked.
const STATES: usize = move_start(MOVE_PATTERNS.len()).next_power_of_two();
/// The index of the first state of the patterns of moves; before are the feature indices ([`super::indices`]), and room.
pub const MOVES_START: usize = TABLE_SIZE;
/// Rows of the network, with those of no feature.
pub const ROWS: usize = MOVES_START + STATES;
/// Unit of the matrix for the sums: this many are 1. For the products, which are divided by twice the unit of the sums, it
/// is twice as many.
pub const MATRIX_UNIT: i32 = 256;

/// What is read off the sums at a number of empty squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LargeHead {
    /// The hidden layer and what goes past it.
    pub layer: WideLayer,
    /// What the value is without input.
    pub bias: i32,
}

/// A complete set of weights of the large network.
#[derive(Clone, Debug, PartialEq)]
pub struct LargeNetwork {
    /// By feature index, then by state of the patterns of moves from [`MOVES_START`] on.
    pub rows: Rows,
    /// The start of the sums at each number of empty squares.
    pub biases: [[i16; LARGE_WIDTH]; 64],
    /// The head of `empties / 2`.
    pub heads: Box<[LargeHead; HEADS]>,
}

impl LargeNetwork {
    /// A network of zeros.
    pub fn zero() -> LargeNetwork {
        LargeNetwork {
            rows: Rows::zero(),
            biases: [[0; LARGE_WIDTH]; 64],
            heads: Box::new([LargeHead::default(); HEADS]),
        }
    }

    /// The value of `board`, whose features are `features` and on which the mover has `moves`, for the mover: centidiscs
    /// within ±6400.
    #[inline(always)]
    pub fn value<K: Kernels>(&self, features: &Features, board: Board, moves: Bitboard) -> i32 {
        let empties = board.empties() as usize & 63;
        let replies = K::moves(board.opponent.0, board.player.0);
        let states = K::gather(&moves::STATES, moves.0, replies);
        let mobility = mobility_indices(moves.0, replies, board.empty().0);
        // Two at a time into two sums, as in the small network.
        let (mut sum, mut other) = (WideWords(self.biases[empties]), WideWords::default());
        let rows = self.rows.all();
        // The masks change nothing where the flips were those of the moves; they spare the bounds checks.
        for [one, two] in features.index_pairs() {
            add(&mut sum, &rows[one & (TABLE_SIZE - 1)]);
            add(&mut other, &rows[two & (TABLE_SIZE - 1)]);
        }
        for [one, two] in states.as_chunks::<2>().0 {
            add(&mut sum, &rows[MOVES_START + (*one as usize & (STATES - 1))]);
            add(&mut other, &rows[MOVES_START + (*two as usize & (STATES - 1))]);
        }
        for [one, two] in mobility.as_chunks::<2>().0 {
            add(&mut sum, &rows[one & (TABLE_SIZE - 1)]);
            add(&mut other, &rows[two & (TABLE_SIZE - 1)]);
        }
        for (sum, other) in sum.0.iter_mut().zip(other.0) {
            *sum = sum.wrapping_add(other);
        }
        let head = &self.heads[(empties / 2).min(HEADS - 1)];
        (K::wide_layer(&head.layer, &sum).wrapping_add(head.bias) >> 8).clamp(-6400, 6400)
    }
}

/// Adds a row to the sums.
#[inline(always)]
fn add(sum: &mut WideWords, row: &[u8; LARGE_WIDTH]) {
    for (sum, &number) in sum.0.iter_mut().zip(row) {
        *sum = sum.wrapping_add(i16::from(number as i8));
    }
}
