//! The checksum of the embedded weights and their values of known boards, and the large network, by every set of kernels.

use outflank::board::{Bitboard, Board};
use outflank::eval::Evaluator;
use outflank::eval::network::LARGE;
use outflank::kernel::{Kernel, KernelTask, Kernels};

use crate::random::{random_boards, random_network};

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
    let boards: Vec<Board> = random_boards(22).take(3000).collect();
    // The real one is not part of the library.
    let evaluator = Evaluator::from(random_network::<LARGE>(21, 1));
    let expected = Kernel::Portable.dispatch(Values(&evaluator, &boards));
    assert!(expected.iter().filter(|value| value.abs() < 6400).count() > 1000);
    for &kernel in Kernel::available() {
        assert_eq!(kernel.dispatch(Values(&evaluator, &boards)), expected, "{}", kernel.name());
    }
}
