//! The midgame: a search to a depth in plies with the static evaluation at its leaves, or the exact value
//! where only a few squares are empty.
//!
//! The depth is always smaller than the number of empty squares: a search that reaches the end of the game is the
//! endgame's.

use super::endgame;
use super::moves::{Child, Children, weighted_mobility};
use super::node::Node;
use super::probcut;
use super::table::{Draft, Key};
use super::threads::{Best, Parent, search_children};
use super::value::{Centidiscs, Value};
use super::worker::Worker;
use crate::board::{Bitboard, Board, Square};
use crate::eval::Features;
use crate::kernel::Kernels;

/// From this depth on the transposition table is used.
const TT_MIN_DEPTH: u32 = 3;
/// Up to this number of empty squares a leaf of a midgame search is solved: that costs little more than its evaluation.
pub const LEAF_SOLVE_EMPTIES: u32 = 6;
/// From this depth on children are looked up before any is searched.
const ETC_MIN_DEPTH: u32 = 4;
/// From this depth on a node may be split.
const SPLIT_MIN_DEPTH: u32 = 4;
/// Centidiscs that one reply of the opponent counts in the ordering.
const MOBILITY_WEIGHT: i32 = 80;

/// The value of `node`, searched to `depth` plies, against the null window above `alpha` (fail-soft).
pub(super) fn null_window<K: Kernels>(
    worker: &mut Worker<'_>,
    node: Node<'_>,
    alpha: Centidiscs,
    depth: u32,
) -> Centidiscs {
    K::run(
        #[inline(always)]
        || {
            if depth >= TT_MIN_DEPTH {
                search_with_table::<K>(worker, &node, alpha, depth)
            } else {
                without_table_body::<K>(worker, &node, alpha, depth)
            }
        },
    )
}

/// The static evaluation of `board`, where the midgame search ends.
#[inline(always)]
pub(super) fn static_eval<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
) -> Centidiscs {
    worker.nodes += 1;
    worker.static_value::<K>(board, features, moves)
}

/// The static evaluation of `next`, to which a disc on `square` leads, flipping `flips`, from a board with `features`.
/// `moves` are asked for only where its value is not known.
#[inline(always)]
fn static_eval_after<K: Kernels>(
    worker: &mut Worker<'_>,
    next: Board,
    features: &Features,
    square: Square,
    flips: Bitboard,
    moves: impl FnOnce() -> Bitboard,
) -> Centidiscs {
    worker.nodes += 1;
    let evaluator = &worker.shared.evaluator;
    let value = worker.tables.values.value(
        next,
        #[inline(always)]
        || evaluator.value::<K>(&evaluator.after_move::<K>(features, square, flips), next, moves()),
    );
    Centidiscs(value)
}

/// The static evaluation of `next`, to which `child` leads from a board with `features`; it is kept with the child.
#[inline(always)]
pub(super) fn evaluate_child<K: Kernels>(
    worker: &mut Worker<'_>,
    next: Board,
    features: &Features,
    child: &mut Child,
) -> Centidiscs {
    let Child { square, flips, moves, .. } = *child;
    let value = static_eval_after::<K>(
        worker,
        next,
        features,
        square,
        flips,
        #[inline(always)]
        || moves,
    );
    child.static_eval = Some(value);
    value
}

/// The value of a position without a move for the mover, or nothing when the game is over: `search` is asked for the
/// opponent's.
#[inline(always)]
fn after_pass<K: Kernels>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    search: impl Fn(&mut Worker<'_>, Node<'_>) -> Centidiscs,
) -> Centidiscs {
    let board = node.board.after_pass();
    let moves = Bitboard(K::moves(board.player.0, board.opponent.0));
    if moves.is_empty() {
        return Centidiscs(node.board.final_score() * 100);
    }
    let features = &worker.shared.evaluator.after_pass(node.features);
    -search(worker, Node { board, features, moves, static_eval: None })
}

/// A search without the table, for few plies.
fn search_without_table<K: Kernels>(
    worker: &mut Worker<'_>,
    node: Node<'_>,
    alpha: Centidiscs,
    depth: u32,
) -> Centidiscs {
    K::run(
        #[inline(always)]
        || without_table_body::<K>(worker, &node, alpha, depth),
    )
}

#[inline(always)]
fn without_table_body<K: Kernels>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    alpha: Centidiscs,
    depth: u32,
) -> Centidiscs {
    let Node { board, features, moves, .. } = *node;
    let empties = board.empties();
    if depth == 0 {
        if empties > LEAF_SOLVE_EMPTIES {
            return static_eval::<K>(worker, board, features, moves);
        }
        return endgame::null_window::<K>(worker, Node { static_eval: None, ..*node }, alpha.floor()).into();
    }
    worker.nodes += 1;
    if moves.is_empty() {
        return after_pass::<K>(
            worker,
            node,
            #[inline(always)]
            |worker, passed| search_without_table::<K>(worker, passed, alpha.for_opponent(), depth),
        );
    }
    if let Some(value) = probcut::midgame::<K>(worker, node, alpha, depth) {
        return value;
    }
    let mut best = Centidiscs::LOWEST;
    if depth == 1 && empties > LEAF_SOLVE_EMPTIES + 1 {
        let discs = K::discs(board.player.0, board.opponent.0);
        for set in by_place(moves) {
            for square in set {
                let flips = Bitboard(K::flips_among(square, discs));
                let next = board.after_move(square, flips);
                let value = if next.player.is_empty() {
                    Centidiscs(6400)
                } else {
                    -static_eval_after::<K>(
                        worker,
                        next,
                        features,
                        square,
                        flips,
                        #[inline(always)]
                        || Bitboard(K::moves(next.player.0, next.opponent.0)),
                    )
                };
                if value > best {
                    best = value;
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
    while let Some(child) = children.next() {
        let features = &worker.shared.evaluator.after_move::<K>(features, child.square, child.flips);
        let value = -search_without_table::<K>(
            worker,
            Node {
                board: board.after_move(child.square, child.flips),
                features,
                moves: child.moves,
                static_eval: None,
            },
            alpha.for_opponent(),
            depth - 1,
        );
        if value > best {
            best = value;
            if best > alpha {
                return best;
            }
        }
    }
    best
}

/// A search with the table.
#[inline(always)]
fn search_with_table<K: Kernels>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    alpha: Centidiscs,
    depth: u32,
) -> Centidiscs {
    let Node { board, features, moves, .. } = *node;
    worker.nodes += 1;
    if worker.should_halt() {
        return Centidiscs(0);
    }
    if moves.is_empty() {
        return after_pass::<K>(
            worker,
            node,
            #[inline(always)]
            |worker, passed| null_window::<K>(worker, passed, alpha.for_opponent(), depth),
        );
    }

    let key = Key::of(board);
    let draft = Draft { depth: depth as u8, confidence: worker.confidence };
    let mut hash_moves = [None; 2];
    if let Some(entry) = worker.shared.table.get(key) {
        if entry.serves(draft)
            && let Some(value) = entry.outside(alpha)
        {
            return value;
        }
        hash_moves = entry.moves;
    }

    let cut = probcut::midgame::<K>(worker, node, alpha, depth);
    if worker.halted {
        return Centidiscs(0);
    }
    if let Some(value) = cut {
        return value;
    }

    let mut children = Children::new();
    children.find::<K>(board, moves, |next| {
        if depth >= ETC_MIN_DEPTH {
            worker.shared.table.prefetch::<K>(Key::of(next));
        }
    });
    if children.len() > 1 {
        rank::<K>(worker, board, features, &mut children, hash_moves);
    }
    // Only now, since their entries come from memory meanwhile: to wait costs more than an order made in vain.
    if depth >= ETC_MIN_DEPTH
        && let Some(value) = worker.enhanced_cut(board, children.all(), alpha, draft)
    {
        return value;
    }

    let parent = Parent { board, features, alpha, depth };
    let may_split = depth >= SPLIT_MIN_DEPTH;
    let best = search_children(
        worker,
        &parent,
        &mut children,
        may_split,
        #[inline(always)]
        |worker, parent, child| search_child_body::<K>(worker, parent, child),
        search_child::<K>,
    );
    let Some(Best { value, square }) = best else { return Centidiscs(0) };
    worker.shared.table.put(key, draft, (alpha, Centidiscs(alpha.0 + 1)), value, square);
    value
}

/// The value of the position after `child`, for its mover.
pub(super) fn search_child<K: Kernels>(
    worker: &mut Worker<'_>,
    parent: &Parent<'_, Centidiscs>,
    child: &Child,
) -> Centidiscs {
    search_child_body::<K>(worker, parent, child)
}

#[inline(always)]
fn search_child_body<K: Kernels>(
    worker: &mut Worker<'_>,
    parent: &Parent<'_, Centidiscs>,
    child: &Child,
) -> Centidiscs {
    let features = &worker.shared.evaluator.after_move::<K>(parent.features, child.square, child.flips);
    let board = parent.board.after_move(child.square, child.flips);
    let node = Node { board, features, moves: child.moves, static_eval: child.static_eval };
    null_window::<K>(worker, node, parent.alpha.for_opponent(), parent.depth - 1)
}

/// Ranks the children: the table's moves, then by the static evaluation and the opponent's mobility. A shallow
/// search would order hardly better, and costs as much as it saves and more.
#[inline(always)]
fn rank<K: Kernels>(
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
                let next = board.after_move(child.square, child.flips);
                let value = evaluate_child::<K>(worker, next, features, child);
                -value.0 - weighted_mobility(child.moves) * MOBILITY_WEIGHT
            }
        },
    );
}

/// The children of `node` ranked for a principal node.
pub(super) fn ranked_children<K: Kernels>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    hash_moves: [Option<Square>; 2],
) -> Vec<Child> {
    let mut children = Children::new();
    children.find::<K>(node.board, node.moves, |_| ());
    rank::<K>(worker, node.board, node.features, &mut children, hash_moves);
    children.rest()
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
