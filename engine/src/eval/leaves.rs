//! What the leaf operations of rules and evaluation say of a board, as text: by it builds and kernels are compared.

use std::fmt::Write as _;

use super::Evaluator;
use crate::board::{Bitboard, Board, Square, perft};
use crate::kernel::{Kernel, KernelTask, Kernels};

/// Plies in which the leaves of the game tree are counted.
const PLIES: u32 = 2;

/// What one set of kernels says of `board`, in five words:
///
/// - the mover's moves, as a bitboard in base 16;
/// - the flips of a disc of the mover on each empty square from a1 on, likewise, separated by commas; `-` if there is none;
/// - two digits in base 16 for each square from a1 on: twice the discs that the mover flips by filling it, were all squares
///   but it and the mover's the opponent's;
/// - the leaves of the game tree after two plies;
/// - the static value in centidiscs.
pub fn leaves(kernel: Kernel, evaluator: &Evaluator, board: Board) -> String {
    let rules = kernel.dispatch(Leaves { evaluator, board });
    let Leaf { moves, flips, last, value } = rules;
    let flips = if flips.is_empty() { "-".to_owned() } else { flips.join(",") };
    format!("{:x} {flips} {last} {} {value}", moves.0, perft(kernel, board, PLIES))
}

struct Leaves<'e> {
    evaluator: &'e Evaluator,
    board: Board,
}

struct Leaf {
    moves: Bitboard,
    flips: Vec<String>,
    last: String,
    value: i32,
}

impl KernelTask for Leaves<'_> {
    type Output = Leaf;

    fn run<K: Kernels>(self) -> Leaf {
        let Leaves { evaluator, board } = self;
        let (player, opponent) = (board.player.0, board.opponent.0);
        let moves = Bitboard(K::moves(player, opponent));
        let flips =
            board.empty().into_iter().map(|square| format!("{:x}", K::flips(square, player, opponent)));
        let mut last = String::new();
        for square in Square::all() {
            let others = player & !Bitboard::of(square).0;
            let _ = write!(last, "{:02x}", K::last_flips(square, others));
        }
        let features = evaluator.features(board);
        let value = K::run(|| evaluator.value::<K>(&features, board, moves));
        Leaf { moves, flips: flips.collect(), last, value }
    }
}

#[cfg(all(test, feature = "embedded-weights"))]
mod tests {
    use super::*;

    #[test]
    fn the_start_by_every_kernel() {
        let evaluator = Evaluator::default();
        let expected = leaves(Kernel::Portable, &evaluator, Board::START);
        let words: Vec<&str> = expected.split(' ').collect();
        let [moves, flips, last, leaves_after_two, _] = words[..] else { panic!("five words: {expected}") };
        assert_eq!((moves, leaves_after_two, last.len()), ("102004080000", "12", 128));
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
