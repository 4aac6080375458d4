//! The nodes of the principal variation: a search with an open window, and the variation itself.

use super::parallel::{Best, NodeGoal, SharedNode, search_child, share};
use super::table::{Draft, Entry, Key};
use super::worker::Worker;
use super::{endgame, midgame};
use crate::board::{Bitboard, Board, Kernels, Move};
use crate::eval::Features;

/// Plies left at which a gap in the variation is closed by a search.
const CLOSE_MIDGAME: u32 = 6;
/// Empty squares left at which a gap in the variation of a solved game is closed by a search.
const CLOSE_ENDGAME: u32 = 14;

/// The value of `board` for its mover in centidiscs: exact between `alpha` and `beta`, a bound outside
/// (fail-soft). A `depth` of all empty squares goes to the end of the game.
pub(super) fn search<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    alpha: i32,
    beta: i32,
    depth: u32,
) -> i32 {
    let features = worker.core.evaluator.features(board);
    let moves = Bitboard(K::moves(board.player.0, board.opponent.0));
    node::<K>(worker, board, &features, moves, alpha, beta, depth)
}

fn node<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    alpha: i32,
    beta: i32,
    depth: u32,
) -> i32 {
    worker.nodes += 1;
    if worker.should_halt() {
        return 0;
    }
    let empties = board.empties();
    if moves.is_empty() {
        let passed = board.passed();
        let replies = Bitboard(K::moves(passed.player.0, passed.opponent.0));
        if replies.is_empty() {
            return board.final_score() * 100;
        }
        let features = worker.core.evaluator.passed(features);
        return -node::<K>(worker, passed, &features, replies, -beta, -alpha, depth);
    }
    if depth == 0 {
        return if empties > midgame::SOLVED {
            worker.core.evaluator.value::<K>(features, board, moves)
        } else {
            solved::<K>(worker, board, features, moves)
        };
    }
    let to_the_end = depth >= empties;
    let depth = depth.min(empties);

    let key = Key::of(board);
    let entry = worker.core.table.get(key).unwrap_or(Entry::UNKNOWN);
    // An entry without a move would end the variation here.
    if entry.serves(depth as u8, worker.level) && entry.moves[0].is_some() {
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if lower >= beta || lower == upper {
            return lower;
        }
        if upper <= alpha {
            return upper;
        }
    }

    let mut children = midgame::ranked_children::<K>(worker, board, features, moves, entry.moves);
    if worker.halted {
        return 0;
    }
    // Endgame scores are whole discs: above a window means above its whole discs.
    let (goal, unit) = if to_the_end { (NodeGoal::Endgame, 100) } else { (NodeGoal::Midgame(depth), 1) };
    let mut best = Best { score: i32::MIN, square: None };
    for place in 0..children.len() {
        let window = alpha.max(best.score);
        let shared =
            SharedNode { board, features, goal, alpha: window.div_euclid(unit), level: worker.level };
        if place > 0 {
            let parallel = children.len() - place > 1 && worker.core.pool.has_idle();
            let found = if parallel {
                let none = Best { score: i32::MIN, square: None };
                share::<K>(worker, shared, children[place..].to_vec(), none)
            } else {
                let score = -search_child::<K>(worker, &shared, &children[place]);
                Best { score, square: Some(children[place].square) }
            };
            if worker.halted {
                return 0;
            }
            let score = found.score * unit;
            if score <= window || score >= beta {
                if score > best.score {
                    best = Best { score, square: found.square };
                }
                if parallel || score >= beta {
                    break;
                }
                continue;
            }
            // The better brother comes next; those passed over are asked again, mostly the table answers.
            if let Some(better) = children.iter().position(|child| Some(child.square) == found.square) {
                children[place..=better].rotate_right(1);
            }
        }
        let child = &children[place];
        let next = board.placed(child.square, child.flips);
        let features = worker.core.evaluator.placed::<K>(features, child.square, child.flips);
        let score = -node::<K>(worker, next, &features, child.moves, -beta, -window, depth - 1);
        if worker.halted {
            return 0;
        }
        if score > best.score {
            best = Best { score, square: Some(child.square) };
        }
        if best.score >= beta {
            break;
        }
    }
    let draft = Draft { depth: depth as u8, level: worker.level };
    worker.store(key, draft, (alpha, beta), best.score, best.square);
    best.score
}

/// The exact value of a leaf with few empty squares, by halving the interval it lies in.
fn solved<K: Kernels>(worker: &mut Worker<'_>, board: Board, features: &Features, moves: Bitboard) -> i32 {
    let (mut low, mut high) = (-64_i32, 64_i32);
    while low < high {
        let middle = (low + high).div_euclid(2);
        let score = endgame::null_window::<K>(worker, board, features, moves, None, middle);
        if score > middle {
            low = score;
        } else {
            high = score;
        }
    }
    low * 100
}

/// The moves of the principal variation from `board` on, at most `depth` plies; gaps in the table are closed
/// by a search where that is cheap.
pub(super) fn variation<K: Kernels>(
    worker: &mut Worker<'_>,
    mut board: Board,
    mut score: i32,
    mut depth: u32,
) -> Vec<Move> {
    let mut moves = Vec::new();
    while depth > 0 {
        let legal = Bitboard(K::moves(board.player.0, board.opponent.0));
        if legal.is_empty() {
            board = board.passed();
            if K::moves(board.player.0, board.opponent.0) == 0 {
                break;
            }
            score = -score;
            moves.push(Move::Pass);
            continue;
        }
        let key = Key::of(board);
        let depth_here = depth.min(board.empties());
        let known = |worker: &Worker<'_>| {
            worker.core.table.get(key).filter(|entry| entry.moves[0].is_some_and(|best| legal.contains(best)))
        };
        let mut entry = known(worker);
        let settled = entry
            .is_some_and(|entry| entry.serves(depth_here as u8, worker.level) && entry.lower == entry.upper);
        let to_the_end = depth >= board.empties();
        let cheap = if to_the_end { depth <= CLOSE_ENDGAME } else { depth <= CLOSE_MIDGAME };
        if !settled && cheap && !worker.halted {
            let unit = if to_the_end { 100 } else { 1 };
            search::<K>(worker, board, score - unit, score + unit, depth);
            entry = known(worker);
        }
        let Some(best) = entry.and_then(|entry| entry.moves[0]) else { break };
        moves.push(Move::Place(best));
        board = board.placed(best, board.flips(best));
        score = -score;
        depth -= 1;
    }
    moves
}
