//! The embedded weights: what they are, and what known boards are worth by every set of kernels.

use std::fmt::Write;

use outflank::board::{Bitboard, Board};
use outflank::eval::Evaluator;
use outflank::kernel::{Kernel, KernelTask, Kernels};

/// The checksum of the weights file, then boards (a1 to h8; X moves) with their values in centidiscs.
///
/// New weights need new values: the failing test prints them.
const KNOWN: &str = include_str!("../../weights/known.txt");

/// Writes the file with the values that a set of kernels finds.
struct Found<'a>(&'a [&'a str]);

impl KernelTask for Found<'_> {
    type Output = String;

    fn run<K: Kernels>(self) -> String {
        let evaluator = Evaluator::default();
        let mut text = format!("{:016x}\n", Evaluator::checksum(Evaluator::embedded()).swap_bytes());
        for discs in self.0 {
            let set = |disc: char| {
                let squares = discs.chars().enumerate().filter(|&(_, found)| found == disc);
                Bitboard(squares.fold(0, |set, (square, _)| set | 1 << square))
            };
            let board = Board { player: set('X'), opponent: set('O') };
            let value = K::run(|| evaluator.value::<K>(&evaluator.features(board), board, board.moves()));
            writeln!(text, "{discs} {value}").expect("a string takes everything");
        }
        text
    }
}

#[test]
pub(crate) fn known_boards_have_their_known_values() {
    let discs = |line: &'static str| line.split(' ').next().filter(|discs| discs.len() == 64);
    let boards: Option<Vec<&str>> = KNOWN.lines().skip(1).map(discs).collect();
    let boards = boards.expect("a board of 64 squares in each line");
    assert!(boards.len() >= 20);
    for &kernel in Kernel::available() {
        let found = kernel.dispatch(Found(&boards));
        assert_eq!(found.trim(), KNOWN.trim(), "{}, found:\n{found}", kernel.name());
    }
}
