//! Five to seven empty squares: no table, moves by parity.

use super::super::worker::Worker;
use super::parity::odd_quadrants;
use super::{SHALLOW, last, stability_cut};
use crate::board::{Bitboard, Board, Kernels, Square};

/// The value of `board`, with up to seven empty squares, against the null window above `alpha`.
#[inline(always)]
pub(super) fn solve<K: Kernels>(worker: &mut Worker<'_>, board: Board, moves: Bitboard, alpha: i32) -> i32 {
    let empties = board.empties();
    debug_assert!(empties <= SHALLOW);
    if empties > 4 { five_up::<K>(worker, board, moves, alpha) } else { few::<K>(worker, board, alpha) }
}

/// At most four empty squares.
#[inline(always)]
fn few<K: Kernels>(worker: &mut Worker<'_>, board: Board, alpha: i32) -> i32 {
    let (player, opponent) = (board.player.0, board.opponent.0);
    let mut squares = [Square::masked(0); 3];
    match board.empties() {
        0 => board.final_score(),
        4 => K::run(
            #[inline(always)]
            || last::solve_4::<K>(worker, player, opponent, alpha),
        ),
        count => {
            for (place, square) in squares.iter_mut().zip(board.empty()) {
                *place = square;
            }
            let [a, b, _] = squares;
            match count {
                1 => last::solve_1::<K>(a, player),
                2 => last::solve_2::<K>(worker, player, opponent, [a, b], alpha),
                _ => last::solve_3::<K>(worker, player, opponent, squares, alpha),
            }
        }
    }
}

fn five_up<K: Kernels>(worker: &mut Worker<'_>, board: Board, moves: Bitboard, alpha: i32) -> i32 {
    K::run(
        #[inline(always)]
        || body::<K>(worker, board, moves, alpha),
    )
}

#[inline(always)]
fn body<K: Kernels>(worker: &mut Worker<'_>, board: Board, moves: Bitboard, alpha: i32) -> i32 {
    worker.nodes += 1;
    let empty = board.empty();
    let empties = empty.count();
    if let Some(score) = stability_cut(board, alpha, empties) {
        return score;
    }
    if moves.is_empty() {
        let passed = board.passed();
        let replies = Bitboard(K::moves(passed.player.0, passed.opponent.0));
        if replies.is_empty() {
            return board.final_score();
        }
        return -five_up::<K>(worker, passed, replies, -alpha - 1);
    }
    let odd = moves & Bitboard(odd_quadrants(empty.0));
    let mut best = i32::MIN;
    for set in [odd, moves & !odd] {
        for square in set {
            let flips = Bitboard(K::flips(square, board.player.0, board.opponent.0));
            let next = board.placed(square, flips);
            let score = if empties == 5 {
                -last::solve_4::<K>(worker, next.player.0, next.opponent.0, -alpha - 1)
            } else {
                let replies = Bitboard(K::moves(next.player.0, next.opponent.0));
                -five_up::<K>(worker, next, replies, -alpha - 1)
            };
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    best
}
