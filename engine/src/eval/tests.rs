//! The weights files of both networks, and the symmetry of their values. The trainer compares the values with those of a model, and
//! `kernel/layer.rs` the layer with a second implementation.

use std::fmt::Debug;

use super::evaluator::EMBEDDED;
use super::network::{LARGE, SMALL};
use super::*;
use crate::board::{Board, Symmetry};
use crate::kernel::{Kernel, KernelTask, Kernels, Portable};
use crate::random::Random;
use crate::samples::{random_games, random_network};

/// The step of the numbers in the embedded file.
const EMBEDDED_STEP: u8 = 3;

fn valid<T>(read: Result<T, impl Debug>) -> T {
    read.unwrap_or_else(|error| panic!("{error:?}"))
}

/// Returns a random network as in a file, in which mirror images have equal rows.
fn network<const WIDTH: usize>(seed: u64, every: u64) -> Network<WIDTH> {
    valid(Network::from_bytes(&random_network::<WIDTH>(seed, every).to_bytes(1)))
}

/// The static values of the boards of random games.
struct Values<'a>(&'a Evaluator);

impl KernelTask for Values<'_> {
    type Output = Vec<i32>;

    fn run<K: Kernels>(self) -> Vec<i32> {
        let mut features = Features::of(Board::START);
        let mut values = Vec::new();
        for (board, played) in random_games(7, 20) {
            if board == Board::START {
                features = Features::of(board);
            }
            assert_eq!(features, Features::of(board), "kept up to date = from scratch");
            values.push(K::run(|| self.0.value::<K>(&features, board, board.moves())));
            features = match played {
                Some((square, flips)) => K::run(|| features.after_move(square, flips)),
                None => features.after_pass(),
            };
        }
        values
    }
}

fn check_kernels(evaluator: &Evaluator) {
    let expected = Kernel::Portable.dispatch(Values(evaluator));
    for &kernel in Kernel::available() {
        assert_eq!(kernel.dispatch(Values(evaluator)), expected, "{}", kernel.name());
    }
}

#[test]
fn symmetric_boards_have_equal_values() {
    for evaluator in [Evaluator::default(), network::<LARGE>(2, 2).into()] {
        check_kernels(&evaluator);
        for (board, _) in random_games(7, 10) {
            let value = |board: Board| evaluator.value_of::<Portable>(board);
            for symmetry in Symmetry::all() {
                assert_eq!(value(symmetry.board(board)), value(board), "{board:?}");
            }
        }
    }
}

#[test]
fn embedded_file_is_complete() {
    let network = valid(Network::<SMALL>::from_bytes(EMBEDDED));
    assert_eq!(network.to_bytes(EMBEDDED_STEP), EMBEDDED);
    // The page loads the embedded file first, so it must stay small.
    assert!(EMBEDDED.len() < 1 << 20, "{}", EMBEDDED.len());
}

fn check_written_and_read<const WIDTH: usize>() {
    let network = network::<WIDTH>(3, 40);
    assert_eq!(Network::from_bytes(&network.to_bytes(1)).as_ref(), Ok(&network));
    // Rounded: each number is the nearest multiple.
    let rounded: Network<WIDTH> = valid(Network::from_bytes(&network.to_bytes(3)));
    for index in 0..Rows::<WIDTH>::COUNT {
        for (found, exact) in rounded.rows.get(index).into_iter().zip(network.rows.get(index)) {
            assert!(found % 3 == 0 && (found - exact).abs() <= 1, "{found} {exact}");
        }
    }
}

#[test]
fn networks_are_written_and_read_again() {
    check_written_and_read::<SMALL>();
    check_written_and_read::<LARGE>();
}

#[test]
fn foreign_numbers_cause_wrong_values_only() {
    let mut random = Random::new(3);
    for head in [EMBEDDED.to_vec(), Network::<LARGE>::zero().to_bytes(1)] {
        let fingerprint = u64::from_le_bytes(head[22..30].try_into().expect("eight bytes"));
        for share in [1, 16, 64, 128, 200, 240, 250, 255] {
            let noise =
                (0..20_000).map(|_| if random.below(256) < share { 255 } else { random.below(256) as u8 });
            let body: Vec<u8> = noise.collect();
            check_kernels(&valid(Evaluator::from_bytes(&weights::file(&body, fingerprint))));
        }
    }
}
