//! The midgame: a search to a depth in plies with the static evaluation at its leaves, or the exact value
//! where only a few squares are empty.
//!
//! Scores are centidiscs for the mover. The depth is always smaller than the number of empty squares: a
//! search that reaches the end of the game is the endgame's.

use super::endgame;
use super::moves::{Child, Children, weighted_mobility};
use super::parallel::{Best, NodeGoal, SharedNode, search_child, share};
use super::probcut;
use super::table::{Draft, Key};
use super::worker::Worker;
use crate::board::{Bitboard, Board, Kernels, Square};
use crate::eval::Features;

/// From this depth on the table is used.
const TABLE: u32 = 3;
/// Up to this number of empty squares a leaf of a midgame search is solved: that costs little more than its evaluation.
pub const SOLVED: u32 = 6;
/// From this depth on children are looked up before any is searched.
const ENHANCED: u32 = 4;
/// From this depth on a node may be split.
const SPLIT: u32 = 4;
/// Beyond every score.
const INFINITY: i32 = 1 << 20;

/// The value of `board` for its mover, searched to `depth` plies, against the null window above `alpha`
/// (fail-soft). `moves` are the mover's moves, `known` is the static value where it was already asked for.
pub(super) fn null_window<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    known: Option<i32>,
    alpha: i32,
    depth: u32,
) -> i32 {
    K::run(
        #[inline(always)]
        || {
            if depth >= TABLE {
                body::<K>(worker, board, features, moves, known, alpha, depth)
            } else {
                low_body::<K>(worker, board, features, moves, known, alpha, depth)
            }
        },
    )
}

/// The value of `board` for its mover where the midgame search ends: the static evaluation.
#[inline(always)]
pub(super) fn still<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
) -> i32 {
    worker.nodes += 1;
    worker.core.evaluator.value::<K>(features, board, moves)
}

/// A search without the table, for few plies.
fn low<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    alpha: i32,
    depth: u32,
) -> i32 {
    K::run(
        #[inline(always)]
        || low_body::<K>(worker, board, features, moves, None, alpha, depth),
    )
}

#[inline(always)]
fn low_body<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    known: Option<i32>,
    alpha: i32,
    depth: u32,
) -> i32 {
    let empties = board.empties();
    if depth == 0 {
        if empties > SOLVED {
            return still::<K>(worker, board, features, moves);
        }
        return endgame::null_window::<K>(worker, board, features, moves, None, alpha.div_euclid(100)) * 100;
    }
    worker.nodes += 1;
    if moves.is_empty() {
        let passed = board.passed();
        let replies = Bitboard(K::moves(passed.player.0, passed.opponent.0));
        if replies.is_empty() {
            return board.final_score() * 100;
        }
        let features = worker.core.evaluator.passed(features);
        return -low::<K>(worker, passed, &features, replies, -alpha - 1, depth);
    }
    if let Some(score) = probcut::midgame::<K>(worker, board, features, moves, known, alpha, depth) {
        return score;
    }
    let mut best = -INFINITY;
    if depth == 1 && empties > SOLVED + 1 {
        let discs = K::discs(board.player.0, board.opponent.0);
        for set in by_place(moves) {
            for square in set {
                let flips = Bitboard(K::flips_among(square, discs));
                let next = board.placed(square, flips);
                let features = worker.core.evaluator.placed::<K>(features, square, flips);
                let replies = Bitboard(K::moves(next.player.0, next.opponent.0));
                let score =
                    if next.player.is_empty() { 6400 } else { -still::<K>(worker, next, &features, replies) };
                if score > best {
                    best = score;
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        return best;
    }
    let mut children = Children::new();
    children.find::<K>(board, moves, |_| ());
    children.rank(|child| -weighted_mobility(child.moves) * 4 + PLACE[child.square.index()]);
    for place in 0..children.len() {
        let child = children.pick(place);
        let next = board.placed(child.square, child.flips);
        let features = worker.core.evaluator.placed::<K>(features, child.square, child.flips);
        let score = -low::<K>(worker, next, &features, child.moves, -alpha - 1, depth - 1);
        if score > best {
            best = score;
            if best > alpha {
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
    known: Option<i32>,
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
        return -null_window::<K>(worker, passed, &features, replies, None, -alpha - 1, depth);
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

    let cut = probcut::midgame::<K>(worker, board, features, moves, known, alpha, depth);
    if worker.halted {
        return 0;
    }
    if let Some(score) = cut {
        return score;
    }

    let mut children = Children::new();
    children.find::<K>(board, moves, |_| ());
    if depth >= ENHANCED
        && let Some(score) = worker.enhanced_cut(board, children.all(), alpha, depth, worker.level)
    {
        return score;
    }
    if children.len() > 1 {
        rank::<K>(worker, board, features, &mut children, hash_moves);
    }

    let node = SharedNode { board, features, goal: NodeGoal::Midgame(depth), alpha, level: worker.level };
    let mut best = Best { score: -INFINITY, square: None };
    for place in 0..children.len() {
        if place > 0 && depth >= SPLIT && children.len() - place > 1 && worker.core.pool.has_idle() {
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
    let draft = Draft { depth: depth as u8, level: worker.level };
    worker.store(key, draft, (alpha, alpha + 1), best.score, best.square);
    best.score
}

/// Ranks the children: the table's moves, then by the static evaluation and the opponent's mobility. A shallow
/// search would order hardly better, and costs as much as it saves and more.
#[inline(always)]
pub(super) fn rank<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    children: &mut Children,
    hash_moves: [Option<Square>; 2],
) {
    children.rank(
        #[inline(always)]
        |child| {
            let square = Some(child.square);
            if square == hash_moves[0] {
                1 << 30
            } else if square == hash_moves[1] {
                1 << 29
            } else {
                let next = board.placed(child.square, child.flips);
                let features = worker.core.evaluator.placed::<K>(features, child.square, child.flips);
                let still = still::<K>(worker, next, &features, child.moves);
                child.still = Some(still);
                -still - weighted_mobility(child.moves) * MOBILITY
            }
        },
    );
}

/// Centidiscs that one reply of the opponent counts in the ordering.
const MOBILITY: i32 = 80;

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
) -> Vec<Child> {
    let mut children = Children::new();
    children.find::<K>(board, moves, |_| ());
    rank::<K>(worker, board, features, &mut children, hash_moves);
    children.rest(0)
}
