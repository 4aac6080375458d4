//! The arithmetic from the features to the value.
//!
//! The model is a sum of embeddings and a small head:
//!
//! ```text
//! sum    = bias(empties) + Σ pattern embeddings + Σ mobility embeddings                 16 × i16
//! first  = clamp(sum, 0, 127)                                                          16 × u8
//!          and (first[n] · first[n + 8] + 64) / 128 for n < 8                           8 × u8
//! second = max(0, bias + matrix · first) / 64                                          16 × i16
//! value  = (bias + direct · sum + output · second) / 256                               centidiscs
//! ```
//!
//! The instances of a pattern share its embeddings. The embeddings of patterns and mobility features ([`super::mobility`])
//! are shared by all positions of a *stage*, a range of empty squares. Bias, matrix, direct and output belong to a *head*,
//! one for every two numbers of empty squares. All arithmetic is wrapping integer arithmetic: the result does not depend on
//! the kernel, and a damaged file can only cause wrong values.

use super::Features;
use super::indices::TABLE_SIZE;
use super::mobility::{MOBILITY_COUNT, mobility_indices};
use super::patterns::INSTANCE_COUNT;
use crate::board::{Bitboard, Board};
use crate::kernel::{Kernels, Layer, Words};

pub use crate::kernel::Embedding;

/// Numbers in an embedding.
pub const WIDTH: usize = 16;
/// Neurons of the hidden layer.
pub const HIDDEN: usize = 16;
/// Number of heads: for 0–1, 2–3 … 60 empty squares.
pub const HEADS: usize = 31;
/// Unit of the sums, the first layer and the matrix: this number stands for 1.
pub const UNIT: i32 = 64;
/// Unit of the output: this number stands for one centidisc.
pub const OUTPUT_UNIT: i32 = 256;

/// The part of the weights that a range of empty squares shares.
#[derive(Clone, Debug)]
pub struct Stage {
    /// By feature index ([`super::indices`]): patterns, mobility features, then zeros.
    pub embeddings: Box<[Embedding; TABLE_SIZE]>,
}

/// The part of the weights for two numbers of empty squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The hidden layer and the direct connections.
    pub layer: Layer,
    /// The output without any input.
    pub bias: i32,
}

/// A complete set of weights.
#[derive(Clone, Debug)]
pub struct Network {
    /// The stage of each number of empty squares.
    pub stage_of: [u8; 64],
    /// The stages, full boards first.
    pub stages: Vec<Stage>,
    /// The initial sums for each number of empty squares.
    pub biases: [[i16; WIDTH]; 64],
    /// The head of `empties / 2`.
    pub heads: [Head; HEADS],
}

impl Network {
    /// Returns the value of `board` for the mover, in centidiscs within ±6400. `features` are the features of the board,
    /// `moves` the mover's moves.
    #[inline(always)]
    pub fn value<K: Kernels>(&self, features: &Features, board: Board, moves: Bitboard) -> i32 {
        let empties = board.empties() as usize & 63;
        let stage = &self.stages[usize::from(self.stage_of[empties])];
        let replies = K::moves(board.opponent.0, board.player.0);
        let mobility = mobility_indices(moves.0, replies, board.empty().0);
        let mut sum = Words(self.biases[empties]);
        K::add_embeddings::<_, INSTANCE_COUNT>(&mut sum, &stage.embeddings, |n| features.index(n));
        K::add_embeddings::<_, MOBILITY_COUNT>(&mut sum, &stage.embeddings, |n| mobility[n]);
        let head = &self.heads[(empties / 2).min(HEADS - 1)];
        (K::layer(&head.layer, &sum).wrapping_add(head.bias) >> 8).clamp(-6400, 6400)
    }
}
