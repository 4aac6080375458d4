//! The networks: the arithmetic from the features to the value.
//!
//! The model is a sum of rows and a small head, of two sizes: [`SMALL`] and [`LARGE`].
//!
//! ```text
//! sum    = bias(empties) + Σ rows of patterns, patterns of moves, mobility              WIDTH × i16
//! first  = clamp(sum, 0, 127)                                                           WIDTH × u8
//!          and first[n] · first[n + WIDTH / 2] / 128 for n < WIDTH / 2                  WIDTH / 2 × u8
//! second = max(0, bias + matrix · first) / 2^SHIFT                                      16 × i16
//! value  = (base + direct · sum + output · second) / 256                                centidiscs
//! ```
//!
//! [`Layer`] has the shift and the rounding of the products. The instances of a pattern share its rows, as do all positions.
//! The biases depend on the number of empty squares, and there is a head for every two numbers of them. Only the large network
//! has patterns of moves (`moves`). All arithmetic is wrapping integer arithmetic: the result does not depend on the
//! kernel, and a damaged file can only cause wrong values.

use super::mobility::mobility_indices;
use super::moves::{self, MOVE_PATTERNS};
use super::rows::MOVES_START;
use super::{Features, Rows};
use crate::board::{Bitboard, Board};
use crate::kernel::{Gather, Kernels, Layer, Sums};

/// Numbers in a row of the small network, which is part of the library.
pub const SMALL: usize = 16;
/// Numbers in a row of the large network. The program includes its weights, and a page loads them on request.
pub const LARGE: usize = 32;
/// Number of heads: for 0–1, 2–3 … 60 empty squares.
pub const HEADS: usize = 31;
/// Unit of the sums and of the first layer: this number stands for 1.
pub const UNIT: i32 = 64;
/// Unit of the output: this number stands for one centidisc.
pub const OUTPUT_UNIT: i32 = 256;

/// A complete set of weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network<const WIDTH: usize> {
    /// By feature index (`indices`), then by state of the patterns of moves.
    pub rows: Rows<WIDTH>,
    /// The initial sums for each number of empty squares.
    pub biases: [[i16; WIDTH]; 64],
    /// The head of each number of empty squares.
    pub head_of: [u8; 64],
    /// The hidden layers and the direct connections.
    pub heads: Box<[Layer<WIDTH>; HEADS]>,
    /// Finds the states of the patterns of moves.
    states: Option<Gather>,
}

impl<const WIDTH: usize> Network<WIDTH> {
    /// The squares of the patterns of moves.
    pub const MOVE_PATTERNS: &[&str] = if WIDTH == LARGE { &MOVE_PATTERNS } else { &[] };
    /// Unit of the matrix for the sums: this number stands for 1. For the products, which are divided by twice the unit of the
    /// sums, it is twice as large.
    pub const MATRIX_UNIT: i32 = 1 << Layer::<WIDTH>::SHIFT;

    /// Returns a network of zeros.
    pub fn zero() -> Network<WIDTH> {
        Network::of(Rows::zero())
    }

    pub(super) fn of(rows: Rows<WIDTH>) -> Network<WIDTH> {
        Network {
            rows,
            biases: [[0; WIDTH]; 64],
            head_of: std::array::from_fn(|empties| (empties / 2).min(HEADS - 1) as u8),
            heads: Box::new([Layer::ZERO; HEADS]),
            states: (!Self::MOVE_PATTERNS.is_empty()).then(moves::states),
        }
    }

    /// Returns the indices of the rows that are added for a board.
    pub fn row_indices<K: Kernels>(&self, board: Board) -> impl Iterator<Item = usize> {
        let moves = K::moves(board.player.0, board.opponent.0);
        let replies = K::moves(board.opponent.0, board.player.0);
        let patterns = Features::of(board).indices().into_iter().map(|index| index as usize);
        let states = self.states.as_ref().map(|states| K::gather(states, moves, replies));
        let states = states.into_iter().flatten().map(|state| MOVES_START + state as usize);
        patterns.chain(mobility_indices(moves, replies, board.empty().0)).chain(states)
    }

    /// Returns the value of `board` for the mover, in centidiscs within ±6400. `features` are the features of the board,
    /// `moves` the mover's moves.
    #[inline(always)]
    pub fn value<K: Kernels>(&self, features: &Features, board: Board, moves: Bitboard) -> i32 {
        let empties = board.empties() as usize & 63;
        let replies = K::moves(board.opponent.0, board.player.0);
        let mobility = mobility_indices(moves.0, replies, board.empty().0);
        let mut sums = Sums(self.biases[empties]);
        K::add_rows(&mut sums, self.rows.of_features(), &features.indices());
        // Known at compile time.
        if !Self::MOVE_PATTERNS.is_empty() {
            let states = self.states.as_ref().unwrap_or_else(|| unreachable!("it has patterns of moves"));
            K::add_rows(&mut sums, self.rows.of_states(), &K::gather(states, moves.0, replies));
        }
        K::add_rows(&mut sums, self.rows.of_features(), &mobility.map(|index| index as u32));
        let head = &self.heads[usize::from(self.head_of[empties])];
        (K::layer(head, &sums).wrapping_add(head.base) >> 8).clamp(-6400, 6400)
    }
}
