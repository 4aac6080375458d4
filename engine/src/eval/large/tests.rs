//! The files of the large network, and its symmetry. The trainer compares its values with those of a model, and
//! `kernel/wide.rs` its layer with a second implementation.

use super::*;
use crate::board::Symmetry;
use crate::board::random::random_games;
use crate::eval::{Evaluator, WeightsError, mobility};
use crate::kernel::{Longs, Portable, WideMatrix, Words};
use crate::random::{Random, scatter};

/// Returns a network of pseudo-random numbers in which one of `every` rows is not zero. Mirror images have equal rows, as in
/// a file.
fn network(seed: u64, every: u64) -> LargeNetwork {
    let mut random = Random::new(seed);
    let mut network = LargeNetwork::zero();
    let mut word = |most: i32| random.below(2 * most as u32 + 1) as i32 - most;
    for bias in network.biases.as_flattened_mut() {
        *bias = word(90) as i16;
    }
    for head in network.heads.iter_mut() {
        head.layer = WideLayer {
            matrix: WideMatrix(std::array::from_fn(|_| {
                std::array::from_fn(|_| [word(300) as i16, word(300) as i16])
            })),
            bias: Longs(std::array::from_fn(|_| word(20_000))),
            direct: WideWords(std::array::from_fn(|_| word(300) as i16)),
            output: Words(std::array::from_fn(|_| word(2000) as i16)),
        };
        head.bias = word(100_000);
    }
    let states = MOVES_START..MOVES_START + move_start(MOVE_PATTERNS.len());
    for index in (0..mobility::END).chain(states) {
        let bits = scatter(seed ^ (index as u64) << 8);
        if bits.is_multiple_of(every) {
            network.rows.set(index, std::array::from_fn(|n| (scatter(bits + n as u64) % 41) as i8 - 20));
        }
    }
    LargeNetwork::from_bytes(&network.to_bytes(1)).unwrap_or_else(|error| panic!("{error}"))
}

/// Boards of random games, with incremental features.
fn boards(games: u32) -> Vec<(Board, Features)> {
    let mut features = Features::of(Board::START);
    let with_features = |(board, played)| {
        if board == Board::START {
            features = Features::of(board);
        }
        let here = features;
        features = match played {
            Some((square, flips)) => features.after_move(square, flips),
            None => features.after_pass(),
        };
        (board, here)
    };
    random_games(11, games).into_iter().map(with_features).collect()
}

#[test]
fn symmetric_boards_have_equal_values() {
    let network = network(2, 2);
    for (board, features) in boards(4) {
        let expected = network.value::<Portable>(&features, board, board.moves());
        for symmetry in Symmetry::all() {
            let board = symmetry.board(board);
            let found = network.value::<Portable>(&Features::of(board), board, board.moves());
            assert_eq!(found, expected, "{board:?}");
        }
    }
}

#[test]
fn written_and_read_again() {
    let network = network(3, 40);
    let bytes = network.to_bytes(1);
    assert_eq!(LargeNetwork::from_bytes(&bytes).as_ref(), Ok(&network));
    // Rounded: each number is the nearest multiple.
    let rounded = LargeNetwork::from_bytes(&network.to_bytes(3)).unwrap_or_else(|error| panic!("{error}"));
    for index in 0..ROWS {
        for (found, exact) in rounded.rows.get(index).into_iter().zip(network.rows.get(index)) {
            assert!(found % 3 == 0 && (found - exact).abs() <= 1, "{found} {exact}");
        }
    }
}

#[test]
fn invalid_files_are_rejected() {
    let bytes = network(4, 40).to_bytes(1);
    let read = |bytes: &[u8]| LargeNetwork::from_bytes(bytes).map(|_| ());
    assert_eq!(read(&bytes), Ok(()));
    let cut = bytes.len() - 1;
    assert_eq!(read(&bytes[..cut]), Err(WeightsError::Length { expected: bytes.len(), found: cut }));
    // Each form refuses the files of the other.
    let small = crate::eval::Network::zero(1).to_bytes(1);
    assert!(matches!(read(&small), Err(WeightsError::Fingerprint { .. })));
    assert!(matches!(crate::eval::Network::from_bytes(&bytes), Err(WeightsError::Fingerprint { .. })));
}

#[test]
fn evaluator_reads_either_form() {
    let network = network(5, 40);
    let bytes = network.to_bytes(1);
    let large = Evaluator::from_bytes(&bytes).unwrap_or_else(|error| panic!("{error}"));
    for (board, features) in boards(2) {
        let expected = network.value::<Portable>(&features, board, board.moves());
        assert_eq!(large.value::<Portable>(&features, board, board.moves()), expected);
    }
    // A file of neither form is refused like a small one. A damaged file is reported as damaged.
    let mut damaged = bytes.clone();
    damaged[1000] ^= 1;
    assert_eq!(Evaluator::from_bytes(&damaged).map(|_| ()), Err(WeightsError::Checksum));
    damaged[29] ^= 1;
    assert!(matches!(Evaluator::from_bytes(&damaged), Err(WeightsError::Fingerprint { .. })));
}
