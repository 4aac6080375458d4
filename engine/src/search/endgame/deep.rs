//! Endgame with 11 or more empty squares: transposition table, cutoffs, ordering, splitting.

use super::{
    EVAL_MIN_EMPTIES, PROBCUT_MIN_EMPTIES, TT_MIN_EMPTIES, search_child, search_child_body, stability_cut,
};
use crate::board::{Bitboard, Square};
use crate::kernel::Kernels;
use crate::score::Confidence;
use crate::search::midgame::evaluate_child;
use crate::search::moves::{Children, ordering_cost, potential_mobility, square_ordering_cost};
use crate::search::node::Node;
use crate::search::probcut;
use crate::search::stability;
use crate::search::table::{Draft, Key};
use crate::search::threads::{Best, Parent, search_children};
use crate::search::value::{Discs, Value};
use crate::search::worker::Worker;

/// Fewest empty squares at which all children are looked up before one is searched.
const ETC_MIN_EMPTIES: u32 = TT_MIN_EMPTIES + 1;
/// Number of empty squares above which moves are evaluated: each further empty square allows one more.
const UNEVALUATED: u32 = EVAL_MIN_EMPTIES - 3;
/// A node whose static value is this many discs below the window is expected to fail low.
const HOPELESS: i32 = 12;
/// Fewest empty squares at which a node can be split.
const SPLIT_MIN_EMPTIES: u32 = 11;

/// A node with evaluation features.
pub(super) fn evaluated<K: Kernels>(worker: &mut Worker<'_>, node: Node<'_>, alpha: Discs) -> Discs {
    K::run(
        #[inline(always)]
        move || body::<K, true>(worker, &node, alpha),
    )
}

/// A node without features. Those of the parent are passed on unchanged.
pub(super) fn plain<K: Kernels>(worker: &mut Worker<'_>, node: Node<'_>, alpha: Discs) -> Discs {
    K::run(
        #[inline(always)]
        move || body::<K, false>(worker, &node, alpha),
    )
}

#[inline(always)]
fn body<K: Kernels, const EVALUATED: bool>(worker: &mut Worker<'_>, node: &Node<'_>, alpha: Discs) -> Discs {
    worker.nodes += 1;
    if worker.should_halt() {
        return Discs(0);
    }
    let Node { board, features, moves, .. } = *node;
    let empties = board.empties();
    debug_assert!(EVALUATED == (empties >= EVAL_MIN_EMPTIES));
    if let Some(value) = stability_cut(board, alpha, empties) {
        return value;
    }
    if moves.is_empty() {
        let passed = board.after_pass();
        let replies = Bitboard(K::moves(passed.player.0, passed.opponent.0));
        if replies.is_empty() {
            return Discs(board.final_score());
        }
        let opponent = Node { board: passed, features, moves: replies, static_eval: None };
        if EVALUATED {
            let features = &features.after_pass();
            return -evaluated::<K>(worker, Node { features, ..opponent }, alpha.for_opponent());
        }
        return -plain::<K>(worker, opponent, alpha.for_opponent());
    }

    let key = Key::of(board);
    let probcut = EVALUATED && empties >= PROBCUT_MIN_EMPTIES;
    let confidence = if probcut { worker.confidence } else { Confidence::EXACT };
    let draft = Draft::exactly(empties as u8, confidence);
    let entry = worker.shared.table.get(key);
    let mut hash_moves = [None; 2];
    if let Some(entry) = entry {
        if entry.serves(draft)
            && let Some(value) = entry.outside(alpha.into())
        {
            return Discs(value.0 / 100);
        }
        hash_moves = entry.moves;
    }

    if probcut {
        let cut = probcut::endgame::<K>(worker, node, alpha);
        if worker.halted {
            return Discs(0);
        }
        if let Some(value) = cut {
            return value;
        }
    }

    // The entry arrives from memory while the replies are counted.
    let mut children = Children::new();
    let looks_up = empties >= ETC_MIN_EMPTIES;
    children.find::<K>(board, moves, |next| {
        if EVALUATED {
            worker.tables.values.prefetch::<K>(next);
        }
        if looks_up {
            worker.shared.table.prefetch::<K>(Key::of(next));
        }
    });
    if children.all().iter().any(|child| child.flips == board.opponent) {
        // The opponent has no discs left: the best possible result.
        return Discs(64);
    }
    let known = |worker: &Worker<'_>, children: &Children| {
        let value = worker.enhanced_cut(board, children.all(), alpha.into(), draft)?;
        Some(Discs(value.0 / 100))
    };
    if !EVALUATED
        && looks_up
        && let Some(value) = known(worker, &children)
    {
        return value;
    }
    if children.len() > 1 {
        rank::<K, EVALUATED>(worker, node, &mut children, hash_moves, alpha);
        if worker.halted {
            return Discs(0);
        }
    }
    // Ranked only now: in the meantime the entries of the children arrive from memory.
    if EVALUATED && let Some(value) = known(worker, &children) {
        return value;
    }

    let parent = Parent { board, features, alpha, depth: empties };
    let best = search_children(
        worker,
        &parent,
        &mut children,
        empties >= SPLIT_MIN_EMPTIES,
        #[inline(always)]
        |worker, parent, child| search_child_body::<K>(worker, parent, child),
        search_child::<K>,
    );
    let Some(Best { value, square }) = best else { return Discs(0) };
    let window = (alpha.into(), Discs(alpha.0 + 1).into());
    worker.shared.table.put(key, draft, window, value.into(), square);
    value
}

/// Ranks the children: first the moves of the table, then by few replies of the opponent now and later, odd regions and the
/// border. The best ones are evaluated and ordered by the evaluation and by stable discs.
///
/// Evaluating a child takes as long as half a dozen nodes. It is skipped if the node is expected to fail low, since all
/// moves are then searched in any order, and for moves that would hardly be tried.
#[inline(always)]
fn rank<K: Kernels, const EVALUATED: bool>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    children: &mut Children,
    hash_moves: [Option<Square>; 2],
    alpha: Discs,
) {
    let Node { board, features, static_eval: own, .. } = *node;
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
            let next = board.after_move(child.square, child.flips);
            // In eightieths of a reply.
            -ordering_cost::<K>(child.square, child.moves, odd) * 20
                - potential_mobility(next.opponent, next.empty()) * 12
        },
    );
    let hopeless = own.is_some_and(|value| value < Discs(alpha.0 - HOPELESS).into());
    if EVALUATED && !hopeless {
        let count = (empty.count() - UNEVALUATED) as usize;
        children.refine(
            count,
            #[inline(always)]
            |child| {
                let next = board.after_move(child.square, child.flips);
                let value = evaluate_child::<K>(worker, next, features, child);
                let stable = stability::stable(next.opponent, next.player).count() as i32;
                // The evaluation includes the value of a square.
                stable * 16 - value.0 * 3 / 8 + square_ordering_cost(child.square) * 20
            },
        );
    }
}
