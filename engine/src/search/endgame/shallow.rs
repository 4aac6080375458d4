//! Endgame with 5 to 10 empty squares: a small table for each thread, parity, fewest replies first.

use super::move_list::MoveList;
use super::{TT_MIN_EMPTIES, last, stability_cut};
use crate::board::{Bitboard, Board, Square};
use crate::kernel::{Kernels, Reply};
use crate::search::table::LocalKey;
use crate::search::value::{Discs, Value};
use crate::search::worker::Worker;

/// Returns the value of `board`, with at most 10 empty squares, against the null window above `alpha`.
#[inline(always)]
pub(super) fn solve<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    moves: Bitboard,
    alpha: Discs,
) -> Discs {
    let empties = board.empties();
    debug_assert!(empties < TT_MIN_EMPTIES);
    if empties > 4 {
        five_up::<K>(worker, board, moves, alpha)
    } else {
        K::run(
            #[inline(always)]
            move || few::<K>(worker, board, alpha),
        )
    }
}

/// At most four empty squares.
#[inline(always)]
fn few<K: Kernels>(worker: &mut Worker<'_>, board: Board, alpha: Discs) -> Discs {
    let discs = K::discs(board.player.0, board.opponent.0);
    let squares = last::Squares::of(board.empty().0);
    let [a, b, c] = [squares.at(0), squares.at(1), squares.at(2)];
    match board.empties() {
        0 => Discs(board.final_score()),
        1 => Discs(K::last_score(a, discs)),
        2 => last::solve_2::<K>(worker, discs, [a, b], alpha),
        3 => last::solve_3::<K>(worker, discs, [a, b, c], alpha),
        _ => last::solve_4::<K>(worker, discs, squares, alpha),
    }
}

fn five_up<K: Kernels>(worker: &mut Worker<'_>, board: Board, moves: Bitboard, alpha: Discs) -> Discs {
    K::call(
        worker,
        board,
        moves,
        alpha,
        #[inline(always)]
        |worker, board, moves, alpha| body::<K>(worker, board, moves, alpha),
    )
}

#[inline(always)]
fn body<K: Kernels>(worker: &mut Worker<'_>, board: Board, moves: Bitboard, alpha: Discs) -> Discs {
    worker.nodes += 1;
    let key = LocalKey::of(board);
    let empty = board.empty();
    let empties = empty.count();
    if let Some(value) = stability_cut(board, alpha, empties) {
        return value;
    }
    if moves.is_empty() {
        let passed = board.after_pass();
        let replies = Bitboard(K::moves(passed.player.0, passed.opponent.0));
        if replies.is_empty() {
            return Discs(board.final_score());
        }
        return -five_up::<K>(worker, passed, replies, alpha.for_opponent());
    }
    let entry = worker.tables.results.get(key, board);
    if entry.lower() > alpha {
        return entry.lower();
    }
    if entry.upper() <= alpha {
        return entry.upper();
    }
    let odd = empty.odd_quadrants();
    let value = if empties == 5 {
        by_parity::<K>(worker, board, moves, odd, alpha)
    } else {
        by_mobility::<K>(worker, board, moves, odd, alpha)
    };
    worker.tables.results.put(key, board, entry, alpha, value);
    value
}

/// Five empty squares: moves in odd regions first.
#[inline(always)]
fn by_parity<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    moves: Bitboard,
    odd: Bitboard,
    alpha: Discs,
) -> Discs {
    let (discs, empty) = (K::discs(board.player.0, board.opponent.0), board.empty());
    let mut best = Discs::LOWEST;
    for set in [moves & odd, moves & !odd] {
        for square in set {
            let Some(next) = K::after(square, discs) else { continue };
            let squares = last::Squares::of(empty.0 & !Bitboard::of(square).0);
            best = best.max(-last::solve_4::<K>(worker, next, squares, alpha.for_opponent()));
            if best > alpha {
                return best;
            }
        }
    }
    best
}

/// Six or more empty squares: the moves that leave the fewest replies first.
///
/// A best move from the table would hardly help: one position in five thousand has one without being answered by the table.
#[inline(always)]
fn by_mobility<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    moves: Bitboard,
    odd: Bitboard,
    alpha: Discs,
) -> Discs {
    let mut children = MoveList::new();
    K::replies(moves.0, board.player.0, board.opponent.0, |square, reply| {
        let next = board.after_move(square, Bitboard(reply.flips));
        worker.tables.results.prefetch::<K>(LocalKey::of(next));
        children.add::<K>(square, reply, odd)
    });
    let search = |worker: &mut Worker<'_>, (square, reply): (Square, Reply)| {
        let next = board.after_move(square, Bitboard(reply.flips));
        -five_up::<K>(worker, next, Bitboard(reply.moves), alpha.for_opponent())
    };
    let mut best = search(worker, children.first());
    if best > alpha {
        return best;
    }
    // The list returns the move just searched first.
    children.next::<K>();
    while let Some(child) = children.next::<K>() {
        best = best.max(search(worker, child));
        if best > alpha {
            break;
        }
    }
    best
}
