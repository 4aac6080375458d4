//! The arithmetic from features to a value.
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
//! The embeddings of a pattern, and those of the mobility features ([`super::mobility`]), are shared by its instances
//! and by all positions of a *stage*, a range of empty squares; bias, matrix, direct and output are those of a *head*, one for every two empty squares. All is
//! wrapping integer arithmetic, so the result does not depend on the instruction set, and a damaged file
//! cannot do more harm than give odd values.

use super::Features;
use super::indices::TABLE_SIZE;
use super::mobility::{MOBILITY_COUNT, mobility_indices};
use super::patterns::INSTANCE_COUNT;
use crate::board::{Bitboard, Board};
use crate::kernel::{Kernels, Layer, Words};

/// Numbers in an embedding.
pub const WIDTH: usize = 16;
/// Neurons of the hidden layer.
pub const HIDDEN: usize = 16;
/// Heads: for 0–1, 2–3 … 60 empty squares.
pub const HEADS: usize = 31;
/// Unit of the sums, the first layer and the matrix: this many are 1.
pub const UNIT: i32 = 64;
/// Unit of the output: this many are a centidisc.
pub const OUTPUT_UNIT: i32 = 256;

/// What a feature adds to the sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
pub struct Embedding(pub [i8; WIDTH]);

/// What is shared by a range of empty squares.
#[derive(Clone, Debug)]
pub struct Stage {
    /// By feature index ([`super::indices`]): those of the patterns, those of the mobility features, then zeros.
    pub embeddings: Box<[Embedding; TABLE_SIZE]>,
}

/// What is read off the sums at a number of empty squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The hidden layer and what goes past it.
    pub layer: Layer,
    /// What the value is without input.
    pub bias: i32,
}

/// A complete set of weights.
#[derive(Clone, Debug)]
pub struct Network {
    /// The stage of each number of empty squares.
    pub stage_of: [u8; 64],
    /// The stages, full boards first.
    pub stages: Vec<Stage>,
    /// The start of the sums at each number of empty squares.
    pub biases: [[i16; WIDTH]; 64],
    /// The head of `empties / 2`.
    pub heads: [Head; HEADS],
}

impl Stage {
    /// Adds the embedding of a feature to the sums.
    #[inline(always)]
    fn add(&self, sum: &mut Words, index: usize) {
        // The mask changes nothing where the flips were those of the moves; it spares the bounds check.
        for (sum, &number) in sum.0.iter_mut().zip(&self.embeddings[index & (TABLE_SIZE - 1)].0) {
            *sum = sum.wrapping_add(i16::from(number));
        }
    }
}

// None is left over when they go two by two.
const _: () = assert!(INSTANCE_COUNT.is_multiple_of(2) && MOBILITY_COUNT.is_multiple_of(2));

impl Network {
    /// The value of `board`, whose features are `features` and on which the mover has `moves`, for the mover: centidiscs
    /// within ±6400.
    #[inline(always)]
    pub fn value<K: Kernels>(&self, features: &Features, board: Board, moves: Bitboard) -> i32 {
        let empties = board.empties() as usize & 63;
        let stage = &self.stages[usize::from(self.stage_of[empties])];
        let replies = K::moves(board.opponent.0, board.player.0);
        // Two at a time into two sums: what is fetched from all over is waited for less. And a loop for each kind of
        // feature: one over both, chained, asks at each index which kind it is.
        let (mut sum, mut other) = (Words(self.biases[empties]), Words([0; 16]));
        for n in (0..INSTANCE_COUNT).step_by(2) {
            stage.add(&mut sum, features.index(n));
            stage.add(&mut other, features.index(n + 1));
        }
        for [one, two] in mobility_indices(moves.0, replies, board.empty().0).as_chunks::<2>().0 {
            stage.add(&mut sum, *one);
            stage.add(&mut other, *two);
        }
        for (sum, other) in sum.0.iter_mut().zip(other.0) {
            *sum = sum.wrapping_add(other);
        }
        let head = &self.heads[(empties / 2).min(HEADS - 1)];
        (K::layer(&head.layer, &sum).wrapping_add(head.bias) >> 8).clamp(-6400, 6400)
    }
}
