//! The checksum of the embedded weights and their values of known boards, and the large network, by every set of kernels.

use outflank::board::{Bitboard, Board};
use outflank::eval::network::LARGE;
use outflank::eval::{Evaluator, Network, Rows};
use outflank::kernel::{Kernel, KernelTask, Kernels};
use outflank::random::scatter;

use crate::random::Random;

/// The checksum of the weights file, then boards (a1 to h8; X moves) with their values in centidiscs.
///
/// New weights need new values: the failing test prints them.
const KNOWN: &str = include_str!("../../weights/known.txt");

#[test]
pub(crate) fn known_boards_have_known_values() {
    let discs = |line: &'static str| line.split(' ').next().filter(|discs| discs.len() == 64);
    let texts: Vec<&str> =
        KNOWN.lines().skip(1).map(discs).collect::<Option<_>>().expect("64 squares in each line");
    assert!(texts.len() >= 20);
    let board = |discs: &&str| {
        let set = |disc: char| {
            let squares = discs.chars().enumerate().filter(|&(_, found)| found == disc);
            Bitboard(squares.fold(0, |set, (square, _)| set | 1 << square))
        };
        Board { player: set('X'), opponent: set('O') }
    };
    let boards: Vec<Board> = texts.iter().map(board).collect();
    let checksum = format!("{:016x}", Evaluator::checksum(Evaluator::embedded()).swap_bytes());
    let evaluator = Evaluator::default();
    for &kernel in Kernel::available() {
        let values = kernel.dispatch(Values(&evaluator, &boards));
        let lines = texts.iter().zip(values).map(|(discs, value)| format!("\n{discs} {value}"));
        let found = checksum.clone() + &lines.collect::<String>();
        assert_eq!(found, KNOWN.trim(), "{}, found:\n{found}", kernel.name());
    }
}

/// A file of the large network with weights of every size: made here, since the real one is no part of the library.
fn large() -> Evaluator {
    let mut random = Random::new(21);
    let mut network = Network::<LARGE>::zero();
    let mut word = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
    for head in network.heads.iter_mut() {
        head.matrix.as_flattened_mut().fill_with(|| word(300) as i16);
        head.bias.fill_with(|| word(20_000));
        head.output.fill_with(|| word(2000) as i16);
        head.direct.fill_with(|| word(300) as i16);
    }
    for index in 0..Rows::<LARGE>::COUNT {
        let bits = scatter(index as u64);
        network.rows.set(index, std::array::from_fn(|n| (scatter(bits + n as u64) % 41) as i8 - 20));
    }
    network.into()
}

/// The static values of boards.
struct Values<'a>(&'a Evaluator, &'a [Board]);

impl KernelTask for Values<'_> {
    type Output = Vec<i32>;

    fn run<K: Kernels>(self) -> Vec<i32> {
        let Values(evaluator, boards) = self;
        boards.iter().map(|&board| K::run(|| evaluator.value_of::<K>(board))).collect()
    }
}

#[test]
pub(crate) fn every_kernel_finds_the_values_of_the_large_network() {
    let mut random = Random::new(22);
    let boards: Vec<Board> = (0..3000).map(|_| random.board()).collect();
    let evaluator = large();
    let expected = Kernel::Portable.dispatch(Values(&evaluator, &boards));
    assert!(expected.iter().filter(|value| value.abs() < 6400).count() > 1000);
    for &kernel in Kernel::available() {
        assert_eq!(kernel.dispatch(Values(&evaluator, &boards)), expected, "{}", kernel.name());
    }
}
