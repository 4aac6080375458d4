//! The midgame: a search to a depth in plies with the static evaluation at its leaves.
//!
//! Scores are centidiscs for the mover. The depth is always smaller than the number of empty squares: a
//! search that reaches the end of the game is the endgame's.

use super::moves::{Child, Children, bring_best, children, weighted_mobility};
use super::parallel::{Best, NodeGoal, SharedNode, search_child, share};
use super::probcut;
use super::table::{Draft, Key};
use super::worker::Worker;
use crate::board::{Bitboard, Board, Kernels, Square};
use crate::eval::Features;
use crate::score::Confidence;

/// From this depth on the table is used.
const TABLE: u32 = 3;
/// From this depth on the values that order moves are kept in the table.
const REMEMBERED: u32 = 2;
/// From this depth on children are looked up before any is searched.
const ENHANCED: u32 = 4;
/// From this depth on a node may be split.
const SPLIT: u32 = 6;
/// Beyond every score.
const INFINITY: i32 = 1 << 20;

/// The value of `board` for its mover, searched to `depth` plies, against the null window above `alpha`
/// (fail-soft). `moves` are the mover's moves.
pub(super) fn null_window<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    alpha: i32,
    depth: u32,
) -> i32 {
    K::run(
        #[inline(always)]
        || {
            if depth >= TABLE {
                body::<K>(worker, board, features, moves, alpha, depth)
            } else {
                low_body::<K>(worker, board, features, moves, alpha, alpha + 1, depth)
            }
        },
    )
}

/// The value of `board` for its mover, searched to `depth` plies without a window: for ordering moves.
#[inline(always)]
pub(super) fn value<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    depth: u32,
) -> i32 {
    let empties = board.empties();
    if empties == 0 {
        return board.final_score() * 100;
    }
    // A value of the static evaluation must not pass for one of the end of the game.
    let depth = depth.min(empties - 1);
    if depth < REMEMBERED {
        return low::<K>(worker, board, features, moves, -INFINITY, INFINITY, depth);
    }
    // The same node is ordered again in every round: its children's values are kept.
    let key = Key::of(board);
    if let Some(entry) = worker.core.table.get(key)
        && u32::from(entry.depth) >= depth
        && entry.lower == entry.upper
    {
        return i32::from(entry.lower);
    }
    let score = low::<K>(worker, board, features, moves, -INFINITY, INFINITY, depth);
    let draft = Draft { depth: depth as u8, level: Confidence::EXACT.level() as u8 };
    // Not by `Worker::store`: the order of moves is no progress that a slice could end on.
    worker.core.table.put(key, draft, (-INFINITY, INFINITY), score, None);
    score
}

/// A search without the table, for few plies.
fn low<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    alpha: i32,
    beta: i32,
    depth: u32,
) -> i32 {
    K::run(
        #[inline(always)]
        || low_body::<K>(worker, board, features, moves, alpha, beta, depth),
    )
}

#[inline(always)]
fn low_body<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    mut alpha: i32,
    beta: i32,
    depth: u32,
) -> i32 {
    worker.nodes += 1;
    if depth == 0 {
        return worker.core.evaluator.value::<K>(features, board);
    }
    if moves.is_empty() {
        let passed = board.passed();
        let replies = Bitboard(K::moves(passed.player.0, passed.opponent.0));
        if replies.is_empty() {
            return board.final_score() * 100;
        }
        let features = worker.core.evaluator.passed(features);
        return -low::<K>(worker, passed, &features, replies, -beta, -alpha, depth);
    }
    let mut best = -INFINITY;
    if depth == 1 {
        for set in by_place(moves) {
            for square in set {
                worker.nodes += 1;
                let flips = Bitboard(K::flips(square, board.player.0, board.opponent.0));
                let next = board.placed(square, flips);
                let features = worker.core.evaluator.placed::<K>(features, square, flips);
                let score = if next.player.is_empty() {
                    6400
                } else {
                    -worker.core.evaluator.value::<K>(&features, next)
                };
                if score > best {
                    best = score;
                    if best >= beta {
                        return best;
                    }
                }
            }
        }
        return best;
    }
    let mut children = children::<K>(board, moves);
    for child in &mut children {
        child.rank = -weighted_mobility(child.moves) * 4 + PLACE[child.square.index()];
    }
    for place in 0..children.len() {
        bring_best(&mut children, place);
        let child = &children[place];
        let next = board.placed(child.square, child.flips);
        let features = worker.core.evaluator.placed::<K>(features, child.square, child.flips);
        let score = -low::<K>(worker, next, &features, child.moves, -beta, -alpha, depth - 1);
        if score > best {
            best = score;
            alpha = alpha.max(best);
            if best >= beta {
                return best;
            }
        }
    }
    best
}

#[inline(always)]
fn body<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    alpha: i32,
    depth: u32,
) -> i32 {
    worker.nodes += 1;
    if worker.should_halt() {
        return 0;
    }
    if moves.is_empty() {
        let passed = board.passed();
        let replies = Bitboard(K::moves(passed.player.0, passed.opponent.0));
        if replies.is_empty() {
            return board.final_score() * 100;
        }
        let features = worker.core.evaluator.passed(features);
        return -null_window::<K>(worker, passed, &features, replies, -alpha - 1, depth);
    }

    let key = Key::of(board);
    let mut hash_moves = [None; 2];
    if let Some(entry) = worker.core.table.get(key) {
        if entry.serves(depth as u8, worker.level) {
            if i32::from(entry.lower) > alpha {
                return i32::from(entry.lower);
            }
            if i32::from(entry.upper) <= alpha {
                return i32::from(entry.upper);
            }
        }
        hash_moves = entry.moves;
    }

    let cut = probcut::midgame::<K>(worker, board, features, moves, alpha, depth);
    if worker.halted {
        return 0;
    }
    if let Some(score) = cut {
        return score;
    }

    let mut children = children::<K>(board, moves);
    if depth >= ENHANCED {
        for child in &children {
            let key = Key::of(board.placed(child.square, child.flips));
            if let Some(entry) = worker.core.table.get(key)
                && entry.serves(depth as u8 - 1, worker.level)
                && -i32::from(entry.upper) > alpha
            {
                return -i32::from(entry.upper);
            }
        }
    }
    if children.len() > 1 {
        rank::<K>(worker, board, features, &mut children, hash_moves, depth);
    }

    let node = SharedNode { board, features, goal: NodeGoal::Midgame(depth), alpha, level: worker.level };
    let mut best = Best { score: -INFINITY, square: None };
    for place in 0..children.len() {
        if place > 0 && depth >= SPLIT && children.len() - place > 1 && worker.core.pool.has_idle() {
            children[place..].sort_by_key(|child| -child.rank);
            best = share::<K>(worker, node, &children[place..], best);
            if worker.halted {
                return 0;
            }
            break;
        }
        bring_best(&mut children, place);
        let child = &children[place];
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
    let draft = Draft { depth: depth as u8, level: worker.level };
    worker.store(key, draft, (alpha, alpha + 1), best.score, best.square);
    best.score
}

/// Ranks the children: the table's moves, then by a shallower search and the opponent's mobility.
#[inline(always)]
pub(super) fn rank<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    children: &mut Children,
    hash_moves: [Option<Square>; 2],
    depth: u32,
) {
    for child in children.iter_mut() {
        let square = Some(child.square);
        child.rank = if square == hash_moves[0] {
            1 << 30
        } else if square == hash_moves[1] {
            1 << 29
        } else {
            let next = board.placed(child.square, child.flips);
            let features = worker.core.evaluator.placed::<K>(features, child.square, child.flips);
            let plies = ordering_depth(depth);
            let value = value::<K>(worker, next, &features, child.moves, plies);
            -value - weighted_mobility(child.moves) * MOBILITY
        };
    }
}

/// Centidiscs that one reply of the opponent counts in the ordering.
const MOBILITY: i32 = 30;

/// Plies of the ordering search.
const fn ordering_depth(depth: u32) -> u32 {
    match depth {
        ..=5 => 0,
        6..=9 => 1,
        10..=13 => 2,
        _ => 3,
    }
}

/// `moves` in three sets: corners and edges, the rest, squares next to an empty corner's.
#[inline(always)]
fn by_place(moves: Bitboard) -> [Bitboard; 3] {
    const NEXT_TO_CORNERS: Bitboard = Bitboard(0x42c3_0000_0000_c342);
    const FIRST: Bitboard = Bitboard(0xbd00_8181_8181_00bd & !0x4200_0000_0000_0042);
    [moves & FIRST, moves & !(FIRST | NEXT_TO_CORNERS), moves & NEXT_TO_CORNERS]
}

/// What a square is worth in the ordering near the leaves.
static PLACE: [i32; 64] = {
    const QUARTER: [[i32; 4]; 4] = [[18, 4, 16, 12], [4, 0, 6, 8], [16, 6, 14, 10], [12, 8, 10, 0]];
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        all[square] = QUARTER[row][column];
        square += 1;
    }
    all
};

/// The children of `board` ranked for a principal node.
pub(super) fn ranked_children<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    hash_moves: [Option<Square>; 2],
    depth: u32,
) -> Vec<Child> {
    let mut children = children::<K>(board, moves);
    rank::<K>(worker, board, features, &mut children, hash_moves, depth + 2);
    children.sort_by_key(|child| -child.rank);
    children.to_vec()
}
