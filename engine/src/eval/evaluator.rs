//! The evaluator: the weights and the operations on them.

use std::sync::Arc;

use super::indices::weight_indices;
use super::network::{LARGE, SMALL};
use super::{Features, Network, WeightsError, weights};
use crate::board::{Bitboard, Board};
use crate::kernel::Kernels;

/// The weights in the program. `train/README.md` describes how they were made.
#[cfg(feature = "embedded-weights")]
pub(super) static EMBEDDED: &[u8] = include_bytes!("../../weights/outflank.weights");

/// [`Evaluator::probcut_margin_percent`] of the large network, from `outflank-train probcut` and matches
/// (`train/README.md`).
const LARGE_DEVIATION: i32 = 93;

/// Weights ready for use. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Evaluator {
    form: Form,
}

/// One of the networks of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkSize {
    /// Rows of 16 numbers; part of the library.
    #[default]
    Small,
    /// Rows of 32 numbers; part of the program.
    Large,
}

#[derive(Clone, Debug)]
enum Form {
    Small(Arc<Network<SMALL>>),
    Large(Arc<Network<LARGE>>),
}

#[cfg(feature = "embedded-weights")]
impl Default for Evaluator {
    /// Returns the embedded weights. Decoding takes some hundredths of a second, so clone the result.
    fn default() -> Evaluator {
        // A test reads the embedded file. If it is damaged nevertheless, every board has the value 0.
        Evaluator::from_bytes(EMBEDDED).unwrap_or_else(|_| Evaluator::from(Network::<SMALL>::zero()))
    }
}

impl From<Network<SMALL>> for Evaluator {
    fn from(network: Network<SMALL>) -> Evaluator {
        Evaluator { form: Form::Small(Arc::new(network)) }
    }
}

impl From<Network<LARGE>> for Evaluator {
    fn from(network: Network<LARGE>) -> Evaluator {
        Evaluator { form: Form::Large(Arc::new(network)) }
    }
}

impl Evaluator {
    /// Returns the embedded weights file.
    #[cfg(feature = "embedded-weights")]
    pub fn embedded() -> &'static [u8] {
        EMBEDDED
    }

    /// Returns the checksum in the header of a weights file. Zero if there is no header.
    pub fn checksum(file: &[u8]) -> u64 {
        weights::number(file, weights::CHECKSUM_FIELD)
    }

    /// Reads a weights file of either network.
    ///
    /// # Errors
    ///
    /// If the file is invalid.
    pub fn from_bytes(bytes: &[u8]) -> Result<Evaluator, WeightsError> {
        let weight_indices = weight_indices();
        match Network::<SMALL>::read(bytes, &weight_indices) {
            Err(error @ WeightsError::Fingerprint { .. }) => {
                match Network::<LARGE>::read(bytes, &weight_indices) {
                    Err(WeightsError::Fingerprint { .. }) => Err(error),
                    read => read.map(Evaluator::from),
                }
            }
            read => read.map(Evaluator::from),
        }
    }

    /// Returns the network.
    pub fn network(&self) -> NetworkSize {
        match self.form {
            Form::Small(_) => NetworkSize::Small,
            Form::Large(_) => NetworkSize::Large,
        }
    }

    /// Returns the error of the values, in percent of the error with the small network. The midgame margins of ProbCut are
    /// multiplied by it.
    #[inline(always)]
    pub(crate) fn probcut_margin_percent(&self) -> i32 {
        match self.form {
            Form::Small(_) => 100,
            Form::Large(_) => LARGE_DEVIATION,
        }
    }

    /// Returns the value of `board` for the mover, in centidiscs within ±6400.
    #[cfg_attr(not(feature = "internals"), doc(hidden))]
    pub fn value_of<K: Kernels>(&self, board: Board) -> i32 {
        self.value::<K>(&Features::of(board), board, board.moves())
    }

    /// Returns the value of `board` for the mover, in centidiscs within ±6400. `features` are the features of the board,
    /// `moves` the mover's moves.
    #[cfg_attr(not(feature = "internals"), doc(hidden))]
    #[inline(always)]
    pub fn value<K: Kernels>(&self, features: &Features, board: Board, moves: Bitboard) -> i32 {
        match &self.form {
            Form::Small(network) => network.value::<K>(features, board, moves),
            // A separate function, so that the code of the search stays small.
            Form::Large(network) => K::run(|| network.value::<K>(features, board, moves)),
        }
    }
}
