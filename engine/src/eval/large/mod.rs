//! The large network: rows of 32 numbers, and patterns of moves in addition to patterns of discs.
//!
//! ```text
//! sum    = bias(empties) + Σ rows of patterns, patterns of moves, mobility             32 × i16
//! first  = clamp(sum, 0, 127)                                                          32 × u8
//!          and first[n] · first[n + 16] / 128 for n < 16                               16 × u8
//! second = max(0, bias + matrix · first) / 256                                         16 × i16
//! value  = (bias + direct · sum + output · second) / 256                               centidiscs
//! ```
//!
//! Otherwise it is like the network of the program ([`crate::eval::network`]), with one stage for all numbers of empty
//! squares. Its weights are not part of this package: the program includes them next to the small network's, and a page
//! loads them on request.

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
use crate::kernel::{Gather, Kernels, WideLayer, WideWords};

/// Numbers in a row.
pub const LARGE_WIDTH: usize = 32;
/// Number of states of the patterns of moves, rounded up so that a state is masked instead of checked.
const STATES: usize = move_start(MOVE_PATTERNS.len()).next_power_of_two();
/// Index of the first state of the patterns of moves. The feature indices ([`super::indices`]) come before.
pub const MOVES_START: usize = TABLE_SIZE;
/// Rows of the network, including unused ones.
pub const ROWS: usize = MOVES_START + STATES;
/// Unit of the matrix for the sums: this number stands for 1. For the products, which are divided by twice the unit of the
/// sums, it is twice as large.
pub const MATRIX_UNIT: i32 = 256;

/// The part of the weights for two numbers of empty squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LargeHead {
    /// The hidden layer and the direct connections.
    pub layer: WideLayer,
    /// The output without any input.
    pub bias: i32,
}

/// A complete set of weights of the large network.
#[derive(Clone, Debug, PartialEq)]
pub struct LargeNetwork {
    /// By feature index, then by state of the patterns of moves from [`MOVES_START`].
    pub rows: Rows,
    /// The initial sums for each number of empty squares.
    pub biases: [[i16; LARGE_WIDTH]; 64],
    /// The head of `empties / 2`.
    pub heads: Box<[LargeHead; HEADS]>,
    /// Finds the states of the patterns of moves.
    states: Gather,
}

impl LargeNetwork {
    /// Returns a network of zeros.
    pub fn zero() -> LargeNetwork {
        LargeNetwork::of(Rows::zero())
    }

    fn of(rows: Rows) -> LargeNetwork {
        LargeNetwork {
            rows,
            biases: [[0; LARGE_WIDTH]; 64],
            heads: Box::new([LargeHead::default(); HEADS]),
            states: moves::states(),
        }
    }

    /// Returns the value of `board` for the mover, in centidiscs within ±6400. `features` are the features of the board,
    /// `moves` the mover's moves.
    #[inline(always)]
    pub fn value<K: Kernels>(&self, features: &Features, board: Board, moves: Bitboard) -> i32 {
        let empties = board.empties() as usize & 63;
        let replies = K::moves(board.opponent.0, board.player.0);
        let states = K::gather(&self.states, moves.0, replies);
        let mut sum = WideWords(self.biases[empties]);
        let mobility = mobility_indices(moves.0, replies, board.empty().0);
        K::add_rows(&mut sum, self.rows.of_features(), &features.indices());
        K::add_rows(&mut sum, self.rows.of_states(), &states);
        K::add_rows(&mut sum, self.rows.of_features(), &mobility.map(|index| index as u32));
        let head = &self.heads[(empties / 2).min(HEADS - 1)];
        (K::wide_layer(&head.layer, &sum).wrapping_add(head.bias) >> 8).clamp(-6400, 6400)
    }
}
