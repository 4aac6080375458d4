//! The evaluator: weights and what is done with them.

use super::{Features, WeightsError, handmade};
use crate::board::{Bitboard, Board, Kernels, Square};

/// Weights ready for use. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {}

impl Evaluator {
    /// Reads a weights file.
    ///
    /// # Errors
    /// What is wrong with the file, when it is none.
    pub fn from_bytes(_bytes: &[u8]) -> Result<Evaluator, WeightsError> {
        Err(WeightsError::NotWeights)
    }

    /// The features of `board`, from scratch.
    pub fn features(&self, _board: Board) -> Features {
        Features
    }

    /// The features after the mover placed a disc on `square` and flipped `flips`, seen by the other side.
    #[inline(always)]
    pub fn placed<K: Kernels>(&self, features: &Features, _square: Square, _flips: Bitboard) -> Features {
        *features
    }

    /// The features seen by the other side.
    #[inline(always)]
    pub fn passed(&self, features: &Features) -> Features {
        *features
    }

    /// The value of `board`, whose features are `features`, for the mover: centidiscs within ±6400.
    #[inline(always)]
    pub fn value<K: Kernels>(&self, _features: &Features, board: Board) -> i32 {
        handmade::value::<K>(board)
    }
}
