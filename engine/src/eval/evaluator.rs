//! The evaluator: the weights and the operations on them.

use std::sync::Arc;

use super::indices::weight_indices;
use super::large::LargeNetwork;
use super::{Features, Network, WeightsError, weights};
use crate::board::{Bitboard, Board, Square};
use crate::kernel::Kernels;

/// The weights in the program. `train/README.md` describes how they were made.
#[cfg(feature = "embedded-weights")]
static EMBEDDED: &[u8] = include_bytes!("../../weights/outflank.weights");

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
    Small(Arc<Network>),
    Large(Arc<LargeNetwork>),
}

#[cfg(feature = "embedded-weights")]
impl Default for Evaluator {
    /// Returns the embedded weights. Decoding takes some hundredths of a second, so clone the result.
    fn default() -> Evaluator {
        // A test reads the embedded file. If it is damaged nevertheless, every board has the value 0.
        Evaluator::from_bytes(EMBEDDED).unwrap_or_else(|_| Evaluator::from_network(Network::zero(1)))
    }
}

impl Evaluator {
    /// Returns an evaluator with these weights.
    #[cfg_attr(not(feature = "internals"), doc(hidden))]
    pub fn from_network(network: Network) -> Evaluator {
        Evaluator { form: Form::Small(Arc::new(network)) }
    }

    /// Returns an evaluator with the weights of a large network.
    #[cfg_attr(not(feature = "internals"), doc(hidden))]
    pub fn from_large(network: LargeNetwork) -> Evaluator {
        Evaluator { form: Form::Large(Arc::new(network)) }
    }

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
        match Network::read(bytes, &weight_indices) {
            Err(error @ WeightsError::Fingerprint { .. }) => match LargeNetwork::read(bytes, &weight_indices)
            {
                Err(WeightsError::Fingerprint { .. }) => Err(error),
                read => read.map(Evaluator::from_large),
            },
            read => read.map(Evaluator::from_network),
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

    /// Returns the features of `board`.
    #[cfg_attr(not(feature = "internals"), doc(hidden))]
    pub fn features(&self, board: Board) -> Features {
        Features::of(board)
    }

    /// Returns the features after the mover has placed a disc on `square` and flipped `flips`, from the other side's view.
    #[cfg_attr(not(feature = "internals"), doc(hidden))]
    #[inline(always)]
    pub fn after_move<K: Kernels>(&self, features: &Features, square: Square, flips: Bitboard) -> Features {
        features.after_move(square, flips)
    }

    /// Returns the features from the other side's view.
    #[cfg_attr(not(feature = "internals"), doc(hidden))]
    #[inline(always)]
    pub fn after_pass(&self, features: &Features) -> Features {
        features.after_pass()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use crate::board::random::random_games;
    use crate::eval::fingerprint::fingerprint;
    use crate::kernel::{Kernel, KernelTask};
    use crate::random::Random;

    /// The step of the numbers in the embedded file.
    const EMBEDDED_STEP: u8 = 3;

    struct Values<'a>(&'a Evaluator);

    impl KernelTask for Values<'_> {
        type Output = Vec<i32>;

        fn run<K: Kernels>(self) -> Vec<i32> {
            let mut features = self.0.features(Board::START);
            let mut values = Vec::new();
            for (board, played) in random_games(7, 20) {
                if board == Board::START {
                    features = self.0.features(board);
                }
                assert_eq!(features, self.0.features(board), "kept up to date = from scratch");
                values.push(K::run(|| self.0.value::<K>(&features, board, board.moves())));
                features = match played {
                    Some((square, flips)) => K::run(|| self.0.after_move::<K>(&features, square, flips)),
                    None => self.0.after_pass(&features),
                };
            }
            values
        }
    }

    #[test]
    fn symmetric_boards_have_equal_values() {
        let evaluator = Evaluator::default();
        for (board, _) in random_games(7, 20) {
            let value = |board: Board| {
                evaluator.value::<crate::kernel::Portable>(&evaluator.features(board), board, board.moves())
            };
            for symmetry in Symmetry::all() {
                assert_eq!(value(symmetry.board(board)), value(board), "{board:?}");
            }
        }
    }

    #[test]
    fn embedded_file_is_complete() {
        assert!(Evaluator::from_bytes(EMBEDDED).is_ok());
        // The page loads the embedded file first, so it must stay small.
        assert!(EMBEDDED.len() < 1 << 21, "{}", EMBEDDED.len());
    }

    #[test]
    fn invalid_files_are_rejected() {
        let read = |bytes: &[u8]| Evaluator::from_bytes(bytes).map(|_| ());
        assert_eq!(read(b""), Err(WeightsError::NotWeights));
        assert_eq!(read(b"OUTFLANX and more than thirty bytes"), Err(WeightsError::NotWeights));
        let truncated = |found| Err(WeightsError::Length { expected: EMBEDDED.len(), found });
        for length in [30, 31, 1000, EMBEDDED.len() - 1] {
            assert_eq!(read(&EMBEDDED[..length]), truncated(length));
        }
        assert_eq!(read(&EMBEDDED[..10]), Err(WeightsError::Length { expected: 30, found: 10 }));
        let longer = [EMBEDDED, &[0]].concat();
        assert_eq!(read(&longer), truncated(longer.len()));
        let mut damaged = EMBEDDED.to_vec();
        damaged[5000] ^= 4;
        assert_eq!(read(&damaged), Err(WeightsError::Checksum));
        // The fingerprint is checked before the content.
        damaged[29] ^= 1;
        let Err(error @ WeightsError::Fingerprint { expected, found }) = read(&damaged) else {
            unreachable!("another fingerprint is refused");
        };
        assert_eq!(found, expected ^ 1 << 56);
        let text = error.to_string();
        assert!(text.starts_with("weights file made for other patterns: its fingerprint is "), "{text}");
        damaged[8] = 77;
        assert_eq!(read(&damaged), Err(WeightsError::Version { found: 77 }));
    }

    #[test]
    fn foreign_numbers_cause_wrong_values_only() {
        let fingerprint = fingerprint(&weight_indices());
        let mut random = Random::new(3);
        for share in [1, 16, 64, 128, 200, 240, 250, 255] {
            let noise =
                (0..20_000).map(|_| if random.below(256) < share { 255 } else { random.below(256) as u8 });
            // One stage for all numbers of empty squares.
            let body: Vec<u8> = std::iter::once(1).chain([0; 64]).chain(noise).collect();
            let evaluator = Evaluator::from_bytes(&weights::file(&body, fingerprint)).expect("a valid file");
            let expected = Kernel::Portable.dispatch(Values(&evaluator));
            for &kernel in Kernel::available() {
                assert_eq!(kernel.dispatch(Values(&evaluator)), expected, "{}", kernel.name());
            }
        }
    }

    #[test]
    fn written_and_read_again() {
        let network = Network::from_bytes(EMBEDDED).unwrap_or_else(|error| panic!("{error}"));
        let again = Network::from_bytes(&network.to_bytes(EMBEDDED_STEP))
            .map(|network| network.stages[0].embeddings.clone());
        assert_eq!(again.as_ref().map(|embeddings| &embeddings[..]), Ok(&network.stages[0].embeddings[..]));
        assert_eq!(network.to_bytes(EMBEDDED_STEP), EMBEDDED);
    }
}
