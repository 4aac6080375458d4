//! Principal variation search: nodes with an open window, and the variation.

use super::moves::Child;
use super::node::Node;
use super::table::{Entry, Key};
use super::threads::{Best, Parent, SearchChild, SplitValue, share};
use super::value::{Centidiscs, Discs};
use super::worker::Worker;
use super::{endgame, midgame};
use crate::board::{Bitboard, Board, Move};
use crate::eval::Features;
use crate::kernel::Kernels;

/// Most plies left at which a gap in the variation is closed by a search.
const CLOSE_MAX_DEPTH: u32 = 6;
/// Most empty squares left at which a gap in the variation of a solved game is closed by a search.
const CLOSE_MAX_EMPTIES: u32 = 14;

/// Returns the value of `board` for its mover: exact between `alpha` and `beta`, a bound outside (fail-soft). A `depth` of
/// all empty squares means the end of the game.
pub(super) fn search<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: Centidiscs,
    beta: Centidiscs,
    depth: u32,
) -> Centidiscs {
    let features = &Features::of(board);
    let moves = Bitboard(K::moves(board.player.0, board.opponent.0));
    open_window::<K>(worker, &Node { board, features, moves, static_eval: None }, alpha, beta, depth)
}

fn open_window<K: Kernels>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    alpha: Centidiscs,
    beta: Centidiscs,
    depth: u32,
) -> Centidiscs {
    let Node { board, features, moves, .. } = *node;
    worker.nodes += 1;
    if worker.should_halt() {
        return Centidiscs(0);
    }
    let empties = board.empties();
    if moves.is_empty() {
        let passed = board.after_pass();
        let replies = Bitboard(K::moves(passed.player.0, passed.opponent.0));
        if replies.is_empty() {
            return Discs(board.final_score()).into();
        }
        let features = &features.after_pass();
        let opponent = Node { board: passed, features, moves: replies, static_eval: None };
        return -open_window::<K>(worker, &opponent, -beta, -alpha, depth);
    }
    if depth == 0 {
        return if empties > midgame::LEAF_SOLVE_EMPTIES {
            worker.static_value::<K>(board, features, moves)
        } else {
            solved::<K>(worker, node)
        };
    }
    let to_the_end = depth >= empties;
    let depth = depth.min(empties);

    let key = Key::of(board);
    let draft = worker.draft(depth);
    let entry = worker.shared.table.get(key).unwrap_or(Entry::UNKNOWN);
    // An entry without a move would end the variation here.
    if entry.serves(draft) && entry.moves[0].is_some() {
        let (lower, upper) = (Centidiscs(entry.lower.into()), Centidiscs(entry.upper.into()));
        if lower >= beta || lower == upper {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
    }

    let mut children = midgame::ranked_children::<K>(worker, node, entry.moves);
    if worker.halted {
        return Centidiscs(0);
    }
    let mut best = Best::<Centidiscs>::NONE;
    for place in 0..children.len() {
        let window = alpha.max(best.value);
        if place > 0 {
            let parallel = children.len() - place > 1 && worker.shared.pool.has_idle();
            let rest = if parallel { place..children.len() } else { place..place + 1 };
            // Endgame values are whole discs, so the window is rounded to whole discs.
            let found = if to_the_end {
                let parent = Parent { board, features, alpha: window.floor(), depth };
                brothers(worker, &parent, &children[rest], parallel, endgame::search_child::<K>)
                    .map(|best| Best { value: best.value.into(), square: best.square })
            } else {
                let parent = Parent { board, features, alpha: window, depth };
                brothers(worker, &parent, &children[rest], parallel, midgame::search_child::<K>)
            };
            let Some(found) = found else { return Centidiscs(0) };
            if found.value <= window || found.value >= beta {
                if found.value > best.value {
                    best = found;
                }
                if parallel || found.value >= beta {
                    break;
                }
                continue;
            }
            // The better sibling is searched next. The skipped ones are searched again, and the table answers for most of
            // them.
            if let Some(better) = children.iter().position(|child| Some(child.square) == found.square) {
                children[place..=better].rotate_right(1);
            }
        }
        let child = &children[place];
        let next = Node {
            board: board.after_move(child.square, child.flips),
            features: &features.after_move(child.square, child.flips),
            moves: child.moves,
            static_eval: child.static_eval,
        };
        let value = -open_window::<K>(worker, &next, -beta, -window, depth - 1);
        if worker.halted {
            return Centidiscs(0);
        }
        if value > best.value {
            best = Best { value, square: Some(child.square) };
        }
        if best.value >= beta {
            break;
        }
    }
    worker.shared.table.put(key, draft, (alpha, beta), best.value, best.square);
    best.value
}

/// Returns the best of `children` against the null window of `parent`: the first child, or, if they are searched in
/// `parallel`, all children until one is above the window. `None` if the worker was halted.
fn brothers<V: SplitValue>(
    worker: &mut Worker<'_>,
    parent: &Parent<'_, V>,
    children: &[Child],
    parallel: bool,
    search: SearchChild<V>,
) -> Option<Best<V>> {
    if parallel {
        return share(worker, parent, children.to_vec(), Best::NONE, search);
    }
    let child = children.first()?;
    let value = -search(worker, parent, child);
    (!worker.halted).then_some(Best { value, square: Some(child.square) })
}

/// Returns the exact value of a leaf with few empty squares, by bisection.
fn solved<K: Kernels>(worker: &mut Worker<'_>, node: &Node<'_>) -> Centidiscs {
    let (mut low, mut high) = (Discs(-64), Discs(64));
    while low < high {
        let middle = Discs((low.0 + high.0).div_euclid(2));
        let value = endgame::null_window::<K>(worker, Node { static_eval: None, ..*node }, middle);
        if value > middle {
            low = value;
        } else {
            high = value;
        }
    }
    low.into()
}

/// Returns the principal variation from `board`, at most `depth` plies. Closes gaps in the table by a search if that is
/// cheap.
pub(super) fn variation<K: Kernels>(
    worker: &mut Worker<'_>,
    mut board: Board,
    mut value: Centidiscs,
    mut depth: u32,
) -> Vec<Move> {
    let mut moves = Vec::new();
    while depth > 0 {
        let legal = Bitboard(K::moves(board.player.0, board.opponent.0));
        if legal.is_empty() {
            board = board.after_pass();
            if K::moves(board.player.0, board.opponent.0) == 0 {
                break;
            }
            value = -value;
            moves.push(Move::Pass);
            continue;
        }
        let key = Key::of(board);
        let draft = worker.draft(depth.min(board.empties()));
        let known = |worker: &Worker<'_>| {
            worker
                .shared
                .table
                .get(key)
                .filter(|entry| entry.moves[0].is_some_and(|best| legal.contains(best)))
        };
        let mut entry = known(worker);
        let settled = entry.is_some_and(|entry| entry.serves(draft) && entry.lower == entry.upper);
        let to_the_end = depth >= board.empties();
        let cheap = if to_the_end { depth <= CLOSE_MAX_EMPTIES } else { depth <= CLOSE_MAX_DEPTH };
        if !settled && cheap && !worker.halted {
            let unit = if to_the_end { 100 } else { 1 };
            search::<K>(worker, board, Centidiscs(value.0 - unit), Centidiscs(value.0 + unit), depth);
            entry = known(worker);
        }
        let Some(best) = entry.and_then(|entry| entry.moves[0]) else { break };
        moves.push(Move::Place(best));
        board = board.after_move(best, board.flips(best));
        value = -value;
        depth -= 1;
    }
    moves
}
