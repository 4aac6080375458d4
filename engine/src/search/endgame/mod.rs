//! The exact endgame.
//!
//! A null-window search to the end of the game, in four storeys by the number of empty squares:
//!
//! | empties | file | what it does |
//! | --- | --- | --- |
//! | 1–4 | `last` | parity by quadrant, the last flip counted, not made |
//! | 5–9 | `shallow` | a small table of the thread's own, parity, fewest replies first |
//! | 10–11 | `deep` | transposition table, enhanced transposition cut-off, fastest first |
//! | 12– | `deep` | the same, ordered by the evaluation, too, with ProbCut below full confidence |
//!
//! Scores are final disc differences for the mover. They are even, so a null window between two
//! neighbouring even scores leaves nothing open.

mod deep;
mod last;
mod shallow;

use super::moves::Child;
use super::parallel::SharedNode;
use super::worker::Worker;
use crate::board::{Bitboard, Board, Kernels};
use crate::eval::Features;

/// From this number of empty squares on nodes keep evaluation features and are ordered by them.
pub(super) const FEATURED: u32 = 12;
/// Up to this number of empty squares the shared table is not used.
const SHALLOW: u32 = 9;
/// From this number of empty squares on ProbCut is tried below full confidence.
pub(super) const PROBCUT: u32 = 14;

/// The value of `board` for its mover against the null window `alpha` to `alpha + 1` (fail-soft).
///
/// `moves` are the mover's moves; `features` are the board's where it has at least [`FEATURED`] empty
/// squares, and ignored where it has fewer; `known` is the static value where it was already asked for.
#[inline(always)]
pub(super) fn null_window<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    known: Option<i32>,
    alpha: i32,
) -> i32 {
    let empties = board.empties();
    if empties >= FEATURED {
        deep::featured::<K>(worker, board, features, moves, known, alpha)
    } else if empties > SHALLOW {
        deep::plain::<K>(worker, board, features, moves, alpha)
    } else {
        shallow::solve::<K>(worker, board, moves, alpha)
    }
}

/// The value of the position after `child` of `node`, for its mover.
#[inline(always)]
pub(super) fn search_child<K: Kernels>(worker: &mut Worker<'_>, node: &SharedNode<'_>, child: &Child) -> i32 {
    let board = node.board.placed(child.square, child.flips);
    let alpha = -node.alpha - 1;
    if node.board.empties() > FEATURED {
        let features = worker.core.evaluator.placed::<K>(node.features, child.square, child.flips);
        null_window::<K>(worker, board, &features, child.moves, child.still, alpha)
    } else {
        null_window::<K>(worker, board, node.features, child.moves, child.still, alpha)
    }
}

/// A value that stable discs already settle: with so many of the opponent's the mover cannot get above
/// `alpha`.
#[inline(always)]
fn stability_cut(board: Board, alpha: i32, empties: u32) -> Option<i32> {
    // Only a window that high can be settled often enough to pay for the count.
    if alpha < stability_threshold(empties) {
        return None;
    }
    let stable = super::stability::stable_count(board.opponent, board.player) as i32;
    let most = 64 - 2 * stable;
    (most <= alpha).then_some(most)
}

#[inline(always)]
fn stability_threshold(empties: u32) -> i32 {
    2 * empties as i32 - 6
}
