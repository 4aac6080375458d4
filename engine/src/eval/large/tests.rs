//! The large network against a second implementation without tables, vectors and incremental features.

use std::collections::BTreeSet;

use super::*;
use crate::board::random::random_games;
use crate::board::{Square, Symmetry};
use crate::eval::patterns::{PATTERN_COUNT, pattern_length, pattern_start};
use crate::eval::{Evaluator, WeightsError, mobility};
use crate::kernel::{Kernel, KernelTask, Longs, Portable, WideMatrix, Words};
use crate::random::{Random, scatter};

/// The patterns of discs, a second time.
const DISCS: [&str; PATTERN_COUNT] = [
    "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "a2 b2 c2 d2 e2 f2 g2 h2",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    "a1 b2 c3 d4 e5 f6 g7 h8",
    "b1 c2 d3 e4 f5 g6 h7",
    "c1 d2 e3 f4 g5 h6",
    "d1 e2 f3 g4 h5",
    "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
];

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

/// The different images of a pattern, each with its squares in the order of the pattern.
fn images(text: &str) -> Vec<Vec<Square>> {
    let parse = |word: &str| word.parse().unwrap_or_else(|_| panic!("{word}"));
    let squares: Vec<Square> = text.split(' ').map(parse).collect();
    let mut seen = BTreeSet::new();
    let mut images = Vec::new();
    for symmetry in Symmetry::all() {
        let image: Vec<Square> = squares.iter().map(|&square| symmetry.square(square)).collect();
        if seen.insert(image.iter().map(|square| square.index()).collect::<BTreeSet<usize>>()) {
            images.push(image);
        }
    }
    images
}

/// The rows of a board, each by the states of its squares.
fn rows(board: Board) -> Vec<usize> {
    let (own, other) = (board.moves(), board.after_pass().moves());
    let has = |set: Bitboard, square: &Square| set.0 >> square.index() & 1 != 0;
    let mut rows = Vec::new();
    for (pattern, text) in DISCS.iter().enumerate() {
        assert_eq!(text.split(' ').count(), pattern_length(pattern));
        for image in images(text) {
            let digit = |square| {
                1 + usize::from(has(board.player, square)) - usize::from(has(board.opponent, square))
            };
            let number = image.iter().rev().fold(0, |number, square| 3 * number + digit(square));
            rows.push(pattern_start(pattern) + number);
        }
    }
    let mut start = MOVES_START;
    for text in MOVE_PATTERNS {
        for image in images(text) {
            let bits =
                |set| image.iter().rev().fold(0, |bits, square| 2 * bits + usize::from(has(set, square)));
            rows.push(start + bits(own) + (bits(other) << image.len()));
        }
        start += 1 << (2 * text.split(' ').count());
    }
    assert_eq!(start, MOVES_START + move_start(MOVE_PATTERNS.len()));
    rows.extend(mobility_indices(own.0, other.0, board.empty().0));
    rows
}

/// Computes the value with numbers that cannot overflow.
fn plain(network: &LargeNetwork, board: Board) -> i32 {
    let empties = (board.empties() & 63) as usize;
    let rows = rows(board);
    assert_eq!(rows.len(), 46 + 20 + 10);
    let sum = |n: usize| {
        let rows: i64 = rows.iter().map(|&row| i64::from(network.rows.get(row)[n])).sum();
        i64::from(network.biases[empties][n]) + rows
    };
    let cut = |n: usize| sum(n).clamp(0, 127);
    let inputs: Vec<i64> = (0..32).map(cut).chain((0..16).map(|n| cut(n) * cut(n + 16) / 128)).collect();
    let head = &network.heads[(empties / 2).min(30)];
    let mut value = i64::from(head.bias);
    for n in 0..32 {
        value += sum(n) * i64::from(head.layer.direct.0[n]);
    }
    for neuron in 0..16 {
        let weighted: i64 =
            (0..48).map(|n| inputs[n] * i64::from(head.layer.matrix.0[n / 2][neuron][n % 2])).sum();
        let neuron_value = (i64::from(head.layer.bias.0[neuron]) + weighted).max(0) / 256;
        value += neuron_value * i64::from(head.layer.output.0[neuron]);
    }
    value.div_euclid(256).clamp(-6400, 6400) as i32
}

struct Values<'a>(&'a LargeNetwork);

impl KernelTask for Values<'_> {
    type Output = Vec<i32>;

    fn run<K: Kernels>(self) -> Vec<i32> {
        let value = |(board, features): (Board, Features)| {
            K::run(|| self.0.value::<K>(&features, board, board.moves()))
        };
        boards(60).into_iter().map(value).collect()
    }
}

#[test]
fn every_kernel_finds_the_plain_value() {
    let network = network(1, 2);
    let expected: Vec<i32> = boards(60).into_iter().map(|(board, _)| plain(&network, board)).collect();
    assert!(expected.len() > 3000);
    let different: BTreeSet<i32> = expected.iter().copied().filter(|value| value.abs() < 6400).collect();
    assert!(different.len() > 1000, "{}", different.len());
    for &kernel in Kernel::available() {
        assert_eq!(kernel.dispatch(Values(&network)), expected, "{}", kernel.name());
    }
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
