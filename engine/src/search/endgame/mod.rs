//! The exact endgame.
//!
//! A null-window search to the end of the game, in four stages by the number of empty squares:
//!
//! | empties | file | what it does |
//! | --- | --- | --- |
//! | 1–4 | `last` | parity by quadrant, last flip counted but not made |
//! | 5–10 | `shallow` | a small table for each thread, parity, fewest replies first |
//! | 11–12 | `deep` | transposition table, enhanced transposition cutoff, fewest replies first |
//! | 13– | `deep` | the same, with the best moves ordered by the evaluation, and ProbCut below 100 % confidence |
//!
//! Values are final disc differences for the mover. They are even, so a null window between two neighboring even values
//! suffices.

mod deep;
mod last;
mod move_list;
mod shallow;

use super::moves::Child;
use super::node::Node;
use super::stability;
use super::threads::Parent;
use super::value::{Discs, Value};
use super::worker::Worker;
use crate::board::{Bitboard, Board};
use crate::kernel::Kernels;

/// Fewest empty squares at which nodes have evaluation features and are ordered by them.
const EVAL_MIN_EMPTIES: u32 = 13;
/// Fewest empty squares with the shared table.
const TT_MIN_EMPTIES: u32 = 11;
/// Fewest empty squares with ProbCut, below 100 % confidence.
pub(super) const PROBCUT_MIN_EMPTIES: u32 = 14;

/// Returns the value of `node` against the null window above `alpha` (fail-soft).
#[inline(always)]
pub(super) fn null_window<K: Kernels>(worker: &mut Worker<'_>, node: Node<'_>, alpha: Discs) -> Discs {
    let empties = node.board.empties();
    if empties >= EVAL_MIN_EMPTIES {
        deep::evaluated::<K>(worker, node, alpha)
    } else if empties >= TT_MIN_EMPTIES {
        deep::plain::<K>(worker, node, alpha)
    } else {
        shallow::solve::<K>(worker, node.board, node.moves, alpha)
    }
}

/// Returns the value of the position after `child`, for its mover.
pub(super) fn search_child<K: Kernels>(
    worker: &mut Worker<'_>,
    parent: &Parent<'_, Discs>,
    child: &Child,
) -> Discs {
    search_child_body::<K>(worker, parent, child)
}

#[inline(always)]
fn search_child_body<K: Kernels>(
    worker: &mut Worker<'_>,
    parent: &Parent<'_, Discs>,
    child: &Child,
) -> Discs {
    let board = parent.board.after_move(child.square, child.flips);
    let (moves, static_eval) = (child.moves, child.static_eval);
    let alpha = parent.alpha.for_opponent();
    if parent.board.empties() > EVAL_MIN_EMPTIES {
        let features = &parent.features.after_move(child.square, child.flips);
        null_window::<K>(worker, Node { board, features, moves, static_eval }, alpha)
    } else {
        null_window::<K>(worker, Node { board, features: parent.features, moves, static_eval }, alpha)
    }
}

/// Returns an upper bound by the opponent's stable discs if it is at most `alpha`.
#[inline(always)]
fn stability_cut(board: Board, alpha: Discs, empties: u32) -> Option<Discs> {
    // Only high windows are decided often enough to pay for the count.
    if alpha < stability_threshold(empties) {
        return None;
    }
    // If nearly all of the opponent's discs would have to be stable, the count is useless. The fewer corners the opponent
    // has, the fewer discs are stable.
    let bound = |stable: u32| Discs(64 - 2 * stable as i32);
    let corners = (board.opponent & Bitboard::CORNERS).count() as i32;
    if bound(board.opponent.count()).0 > alpha.0 - 30 + 8 * corners {
        return None;
    }
    let most = bound(stability::stable(board.opponent, board.player).count());
    (most <= alpha).then_some(most)
}

#[inline(always)]
fn stability_threshold(empties: u32) -> Discs {
    Discs(2 * empties as i32 - 6)
}
