//! The embedded weights: what they are, and what known boards are worth by every set of kernels.

use outflank::board::{Bitboard, Board};
use outflank::eval::Evaluator;
use outflank::kernel::{Kernel, KernelTask, Kernels};

/// The checksum of the weights file, then boards (a1 to h8; X moves) with their values in centidiscs.
const KNOWN: &str = include_str!("../../weights/known.txt");
const WEIGHTS: &[u8] = include_bytes!("../../weights/outflank.weights");

/// Compares the values of a set of kernels with the known ones.
struct Compare<'a>(&'a [(Board, i32)]);

impl KernelTask for Compare<'_> {
    type Output = ();

    fn run<K: Kernels>(self) {
        let evaluator = Evaluator::default();
        for &(board, expected) in self.0 {
            let value = K::run(|| evaluator.value::<K>(&evaluator.features(board), board, board.moves()));
            assert_eq!(value, expected, "{:?} {board:?}", K::KERNEL);
        }
    }
}

fn known(line: &str) -> Option<(Board, i32)> {
    let (discs, value) = line.split_once(' ')?;
    let of = |disc: char| {
        let squares = discs.chars().enumerate().filter(|&(_, found)| found == disc);
        Bitboard(squares.fold(0, |set, (square, _)| set | 1 << square))
    };
    let board = Board { player: of('X'), opponent: of('O') };
    (discs.len() == 64).then_some((board, value.parse().ok()?))
}

#[test]
pub(crate) fn known_boards_have_their_known_values() {
    let mut lines = KNOWN.lines();
    let checksum: String = WEIGHTS[14..22].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(lines.next(), Some(&*checksum));
    let boards: Option<Vec<(Board, i32)>> = lines.map(known).collect();
    let boards = boards.expect("a board and its value in each line");
    assert!(boards.len() >= 20);
    for &kernel in Kernel::available() {
        kernel.dispatch(Compare(&boards));
    }
}
