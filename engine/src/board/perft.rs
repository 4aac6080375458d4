//! Counts the leaves of the game tree, to check the rules.

use super::{Bitboard, Board};
use crate::kernel::{Kernel, KernelTask, Kernels};

/// Returns the number of positions after `depth` plies. A pass is a ply. A finished game is one leaf at any depth.
///
/// Known results from the start position: 4, 12, 56, 244, 1,396, 8,200, 55,092, 390,216, 3,005,288, 24,571,284,
/// 212,258,800 for depths 1 to 11.
pub fn perft(kernel: Kernel, board: Board, depth: u32) -> u64 {
    struct Task(Board, u32);
    impl KernelTask for Task {
        type Output = u64;
        fn run<K: Kernels>(self) -> u64 {
            count::<K>(self.0, self.1)
        }
    }
    kernel.dispatch(Task(board, depth))
}

fn count<K: Kernels>(board: Board, depth: u32) -> u64 {
    K::run(
        #[inline(always)]
        || count_body::<K>(board, depth),
    )
}

#[inline(always)]
fn count_body<K: Kernels>(board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = Bitboard(K::moves(board.player.0, board.opponent.0));
    if moves.is_empty() {
        let passed = board.after_pass();
        if K::moves(passed.player.0, passed.opponent.0) == 0 {
            return 1;
        }
        return count::<K>(passed, depth - 1);
    }
    if depth == 1 {
        return u64::from(moves.count());
    }
    let mut leaves = 0;
    for square in moves {
        let flips = Bitboard(K::flips(square, board.player.0, board.opponent.0));
        leaves += count::<K>(board.after_move(square, flips), depth - 1);
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_the_start_with_every_kernel() {
        let known = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288];
        for &kernel in Kernel::available() {
            for (depth, &leaves) in known.iter().enumerate() {
                assert_eq!(perft(kernel, Board::START, depth as u32), leaves, "{kernel:?} {depth}");
            }
        }
    }

    #[test]
    fn a_pass_is_a_ply_and_a_finished_game_a_leaf() {
        // Black has a disc on a1, White on b1. Black can move to c1, then neither side can move.
        let one_move = Board { player: Bitboard(1), opponent: Bitboard(2) };
        assert_eq!(perft(Kernel::Portable, one_move, 5), 1);
        assert_eq!(perft(Kernel::Portable, one_move.after_pass(), 1), 1);
        assert_eq!(perft(Kernel::Portable, one_move.after_pass(), 2), 1);
    }
}
