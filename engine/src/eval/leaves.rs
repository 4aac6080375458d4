//! The results of the leaf operations of rules and evaluation as text, for comparisons between builds and kernels.

use std::fmt::Write as _;

use super::Evaluator;
use crate::board::{Bitboard, Board, Square};
use crate::kernel::{Kernel, KernelTask, Kernels};

/// Returns the results of one kernel for `board`, in four words:
///
/// - the mover's moves, as a hexadecimal bitboard
/// - for each empty square from a1: the flips of a disc of the mover, likewise, separated by commas. `-` if there are none
/// - for each square from a1: two hexadecimal digits, twice the discs that the mover flips there if all other squares
///   without a disc of the mover are the opponent's
/// - the static evaluation in centidiscs
pub fn leaves(kernel: Kernel, evaluator: &Evaluator, board: Board) -> String {
    kernel.dispatch(Leaves { evaluator, board })
}

struct Leaves<'e> {
    evaluator: &'e Evaluator,
    board: Board,
}

impl KernelTask for Leaves<'_> {
    type Output = String;

    fn run<K: Kernels>(self) -> String {
        let Leaves { evaluator, board } = self;
        let (player, opponent) = (board.player.0, board.opponent.0);
        let moves = Bitboard(K::moves(player, opponent));
        let flips =
            board.empty().into_iter().map(|square| format!("{:x}", K::flips(square, player, opponent)));
        let flips = flips.collect::<Vec<_>>().join(",");
        let mut last = String::new();
        for square in Square::all() {
            let others = player & !Bitboard::of(square).0;
            let _ = write!(last, "{:02x}", K::last_flips(square, others));
        }
        let value = K::run(|| evaluator.value_of::<K>(board));
        format!("{:x} {} {last} {value}", moves.0, if flips.is_empty() { "-" } else { &flips })
    }
}

#[cfg(all(test, feature = "embedded-weights"))]
mod tests {
    use super::*;

    #[test]
    fn start_position_by_every_kernel() {
        let evaluator = Evaluator::default();
        let expected = leaves(Kernel::Portable, &evaluator, Board::START);
        let words: Vec<&str> = expected.split(' ').collect();
        let [moves, flips, last, _] = words[..] else { panic!("four words: {expected}") };
        assert_eq!((moves, last.len()), ("102004080000", 128));
        // d3 flips d4, c4 flips d4, f5 flips e5, e6 flips e5.
        let flipping: Vec<&str> = flips.split(',').filter(|flips| *flips != "0").collect();
        assert_eq!(
            (flips.split(',').count(), flipping),
            (60, vec!["8000000", "8000000", "1000000000", "1000000000"])
        );
        for &kernel in Kernel::available() {
            assert_eq!(leaves(kernel, &evaluator, Board::START), expected, "{}", kernel.name());
        }
    }
}
