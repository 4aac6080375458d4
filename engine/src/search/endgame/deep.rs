//! Ten empty squares and more: transposition table, cut-offs, ordering, splitting.

use super::super::moves::{Children, potential_mobility, weighted_mobility};
use super::super::parallel::{Best, NodeGoal, SharedNode, search_child, share};
use super::super::table::{Draft, Key};
use super::super::worker::Worker;
use super::super::{midgame, probcut};
use super::{PROBCUT, stability_cut};
use crate::board::{Bitboard, Board, Kernels, Square};
use crate::eval::Features;
use crate::score::Confidence;

/// From this number of empty squares on children are looked up before any is searched.
const ENHANCED: u32 = 11;
/// From this number of empty squares on a node may be split.
const SPLIT: u32 = 11;

/// A node that keeps evaluation features.
pub(super) fn featured<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    known: Option<i32>,
    alpha: i32,
) -> i32 {
    K::run(
        #[inline(always)]
        || body::<K, true>(worker, board, features, moves, known, alpha),
    )
}

/// A node without features: those given are only handed on.
pub(super) fn plain<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    alpha: i32,
) -> i32 {
    K::run(
        #[inline(always)]
        || body::<K, false>(worker, board, features, moves, None, alpha),
    )
}

#[inline(always)]
fn body<K: Kernels, const FEATURES: bool>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    known: Option<i32>,
    alpha: i32,
) -> i32 {
    worker.nodes += 1;
    if worker.should_halt() {
        return 0;
    }
    let empties = board.empties();
    if let Some(score) = stability_cut(board, alpha, empties) {
        return score;
    }
    if moves.is_empty() {
        let passed = board.passed();
        let replies = Bitboard(K::moves(passed.player.0, passed.opponent.0));
        if replies.is_empty() {
            return board.final_score();
        }
        if FEATURES {
            let features = worker.core.evaluator.passed(features);
            return -featured::<K>(worker, passed, &features, replies, None, -alpha - 1);
        }
        return -plain::<K>(worker, passed, features, replies, -alpha - 1);
    }

    let key = Key::of(board);
    let level = if FEATURES && empties >= PROBCUT { worker.level } else { Confidence::EXACT.level() as u8 };
    let entry = worker.core.table.get(key);
    let mut hash_moves = [None; 2];
    if let Some(entry) = entry {
        if entry.serves(empties as u8, level) {
            if i32::from(entry.lower) > alpha * 100 {
                return i32::from(entry.lower) / 100;
            }
            if i32::from(entry.upper) <= alpha * 100 {
                return i32::from(entry.upper) / 100;
            }
        }
        hash_moves = entry.moves;
    }

    if FEATURES && empties >= PROBCUT {
        let cut = probcut::endgame::<K>(worker, board, features, moves, known, alpha);
        if worker.halted {
            return 0;
        }
        if let Some(score) = cut {
            return score;
        }
    }

    // The table answers while the replies are counted.
    let mut children = Children::new();
    children.find::<K>(board, moves, |next| {
        if empties >= ENHANCED {
            worker.core.table.prefetch::<K>(Key::of(next));
        }
    });
    if children.all().iter().any(|child| child.flips == board.opponent) {
        // Nothing left of the opponent: the best there is.
        return 64;
    }
    if empties >= ENHANCED
        && let Some(score) = worker.enhanced_cut(board, children.all(), alpha * 100, empties, level)
    {
        return score / 100;
    }
    if children.len() > 1 {
        rank::<K, FEATURES>(worker, board, features, &mut children, hash_moves);
        if worker.halted {
            return 0;
        }
    }

    let node = SharedNode { board, features, goal: NodeGoal::Endgame, alpha, level: worker.level };
    let mut best = Best { score: i32::MIN, square: None };
    for place in 0..children.len() {
        if place > 0 && empties >= SPLIT && children.len() - place > 1 && worker.core.pool.has_idle() {
            best = share::<K>(worker, node, children.rest(place), best);
            if worker.halted {
                return 0;
            }
            break;
        }
        let child = children.pick(place);
        let score = -search_child::<K>(worker, &node, child);
        if worker.halted {
            return 0;
        }
        if score > best.score {
            best = Best { score, square: Some(child.square) };
            if score > alpha {
                break;
            }
        }
    }
    let draft = Draft { depth: empties as u8, level };
    worker.store(key, draft, (alpha * 100, alpha * 100 + 100), best.score * 100, best.square);
    best.score
}

/// Ranks the children: the table's moves, then few replies for the opponent now and later, an odd region, and
/// a good evaluation or, without one, a corner.
#[inline(always)]
fn rank<K: Kernels, const FEATURES: bool>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    children: &mut Children,
    hash_moves: [Option<Square>; 2],
) {
    let empty = board.empty();
    let odd = empty.odd_quadrants();
    children.rank(
        #[inline(always)]
        |child| {
            let square = Some(child.square);
            if square == hash_moves[0] {
                return 1 << 30;
            }
            if square == hash_moves[1] {
                return 1 << 29;
            }
            let next = board.placed(child.square, child.flips);
            let mobility = weighted_mobility(child.moves);
            let mut rank = -mobility * 96;
            rank -= potential_mobility(next.opponent, next.empty()) * 8;
            if odd.contains(child.square) {
                rank += 32;
            }
            if FEATURES {
                let features = worker.core.evaluator.placed::<K>(features, child.square, child.flips);
                let still = midgame::still::<K>(worker, next, &features, child.moves);
                child.still = Some(still);
                rank -= still / 4;
            } else if Bitboard::CORNERS.contains(child.square) {
                rank += 32;
            }
            rank
        },
    );
}
