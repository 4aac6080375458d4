//! Midgame search: null-window search to a depth in plies, with the static evaluation at the leaves.
//!
//! [`null_window`] returns a fail-soft value in centidiscs for the side to move. A node with a depth of at least
//! [`TT_MIN_DEPTH`]:
//!
//! 1. returns if the search is halted. Without a legal move, it searches the position after the pass or returns the final
//!    score
//! 2. probes the transposition table
//! 3. tries ProbCut
//! 4. generates and ranks the moves, and from [`ETC_MIN_DEPTH`] tries an enhanced transposition cutoff
//! 5. searches the moves, from [`SPLIT_MIN_DEPTH`] with the help of idle threads, and stores the result
//!
//! Shallower nodes use neither the table nor other threads. Leaves with at most [`LEAF_SOLVE_EMPTIES`] empty squares are
//! solved exactly. So are the nodes above such leaves with at most [`HANDOVER_EMPTIES`]. The depth is always less than the
//! number of empty squares: [`endgame`](super::endgame) searches to the end of the game.

use super::endgame;
use super::moves::{Child, Children, weighted_mobility};
use super::node::Node;
use super::probcut;
use super::table::Key;
use super::threads::{Best, Parent, search_children};
use super::value::{Centidiscs, Value};
use super::worker::Worker;
use crate::board::{Bitboard, Board, Square};
use crate::eval::Features;
use crate::kernel::Kernels;

/// Smallest depth with the transposition table.
const TT_MIN_DEPTH: u32 = 3;
/// Most empty squares at which a leaf is solved exactly. Solving it costs little more than evaluating it.
pub const LEAF_SOLVE_EMPTIES: u32 = 6;
/// Most empty squares at which a node is solved exactly if its leaves would be. The endgame needs no features and visits fewer
/// nodes. With more empty squares, ProbCut costs less.
const HANDOVER_EMPTIES: u32 = 8;
/// Smallest depth at which all children are looked up before one is searched.
const ETC_MIN_DEPTH: u32 = 4;
/// Smallest depth at which a node can be split.
const SPLIT_MIN_DEPTH: u32 = 4;
/// Weight of one reply of the opponent in the ordering, in centidiscs.
const MOBILITY_WEIGHT: i32 = 80;

/// Returns the value of `node`, searched to `depth` plies, against the null window above `alpha` (fail-soft).
pub(super) fn null_window<K: Kernels>(
    worker: &mut Worker<'_>,
    node: Node<'_>,
    alpha: Centidiscs,
    depth: u32,
) -> Centidiscs {
    K::run(
        #[inline(always)]
        move || {
            if depth >= TT_MIN_DEPTH && node.board.empties() > HANDOVER_EMPTIES {
                search_with_table::<K>(worker, &node, alpha, depth)
            } else {
                without_table_body::<K>(worker, &node, alpha, depth)
            }
        },
    )
}

/// Returns the static evaluation of `board`, a leaf of the search.
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

/// Returns the static evaluation of `next`, the board after a disc on `square` that flips `flips`, from a board with
/// `features`. `moves` is called only if the value is not cached.
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
        || evaluator.value::<K>(&features.after_move(square, flips), next, moves()),
    );
    Centidiscs(value)
}

/// Returns the static evaluation of `next`, the board after `child` from a board with `features`, and stores it in the
/// child.
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

/// Returns the value of a position without a move for the mover: the value of the opponent's position from `search`, or
/// `None` if the game is over.
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
    let features = &node.features.after_pass();
    -search(worker, Node { board, features, moves, static_eval: None })
}

fn search_without_table<K: Kernels>(
    worker: &mut Worker<'_>,
    node: Node<'_>,
    alpha: Centidiscs,
    depth: u32,
) -> Centidiscs {
    K::run(
        #[inline(always)]
        move || without_table_body::<K>(worker, &node, alpha, depth),
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
    if depth == 0 && empties > LEAF_SOLVE_EMPTIES {
        return static_eval::<K>(worker, board, features, moves);
    }
    if empties <= HANDOVER_EMPTIES && empties <= depth + LEAF_SOLVE_EMPTIES {
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
        /// WebAssembly has no prefetch: there, a move is made when it is valued.
        const PREFETCHES: bool = !cfg!(target_family = "wasm");
        let discs = K::discs(board.player.0, board.opponent.0);
        let [mut first, mut others, mut last] = by_place(moves).map(Bitboard::into_iter);
        let mut advance = |worker: &Worker<'_>| {
            let square = first.next().or_else(|| others.next()).or_else(|| last.next())?;
            let flips = Bitboard(K::flips_among(square, discs));
            let next = board.after_move(square, flips);
            worker.tables.values.prefetch::<K>(next);
            Some((square, flips, next))
        };
        let mut coming = advance(worker);
        while let Some((square, flips, next)) = coming {
            // The cached value of the next move arrives from memory in the meantime.
            if PREFETCHES {
                coming = advance(worker);
            }
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
            if !PREFETCHES {
                coming = advance(worker);
            }
        }
        return best;
    }
    let mut children = Children::new();
    children.find::<K>(board, moves, |_| ());
    children.rank(|child| -weighted_mobility::<K>(child.moves) * 4 + PLACE[child.square.index()]);
    while let Some(child) = children.next() {
        let features = &features.after_move(child.square, child.flips);
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
    let draft = worker.draft(depth);
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
        worker.tables.values.prefetch::<K>(next);
        if depth >= ETC_MIN_DEPTH {
            worker.shared.table.prefetch::<K>(Key::of(next));
        }
    });
    if children.len() > 1 {
        rank::<K>(worker, board, features, &mut children, hash_moves);
    }
    // Ranked only now: in the meantime the entries of the children arrive from memory.
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

/// Returns the value of the position after `child`, for its mover.
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
    let features = &parent.features.after_move(child.square, child.flips);
    let board = parent.board.after_move(child.square, child.flips);
    let node = Node { board, features, moves: child.moves, static_eval: child.static_eval };
    null_window::<K>(worker, node, parent.alpha.for_opponent(), parent.depth - 1)
}

/// Ranks the children: first the moves of the table, then by the static evaluation and the opponent's mobility. A shallow
/// search would order them hardly better and costs more than it saves.
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
                -value.0 - weighted_mobility::<K>(child.moves) * MOBILITY_WEIGHT
            }
        },
    );
}

/// Returns the children of `node`, ranked for a principal node.
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

/// Splits `moves` into three sets: corners and edges, other squares, squares next to an empty corner.
#[inline(always)]
fn by_place(moves: Bitboard) -> [Bitboard; 3] {
    const NEXT_TO_CORNERS: Bitboard = Bitboard(0x42c3_0000_0000_c342);
    const FIRST: Bitboard = Bitboard(0xbd00_8181_8181_00bd & !0x4200_0000_0000_0042);
    [moves & FIRST, moves & !(FIRST | NEXT_TO_CORNERS), moves & NEXT_TO_CORNERS]
}

/// The rank of each square near the leaves.
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
