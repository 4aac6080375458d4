//! The moves of a node and the order in which they are tried.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Kernels, Square};

/// More moves than any position has.
const MOST: usize = 34;

/// A move of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) square: Square,
    pub(super) flips: Bitboard,
    /// The moves of the other side afterwards.
    pub(super) moves: Bitboard,
    /// The higher the earlier it is tried.
    pub(super) rank: i32,
    /// The static value of the position after it, for the other side, where it was asked for.
    pub(super) still: Option<i32>,
}

/// The moves of a node.
pub(super) type Children = ArrayVec<Child, MOST>;

/// The moves of `board` on `moves`, with their flips and replies, not ranked yet; `met` is told each board that
/// they lead to, as early as it is known.
#[inline(always)]
pub(super) fn children<K: Kernels>(board: Board, moves: Bitboard, met: impl Fn(Board)) -> Children {
    let mut children = Children::new();
    let discs = K::discs(board.player.0, board.opponent.0);
    for square in moves {
        let flips = Bitboard(K::flips_among(square, discs));
        let next = board.placed(square, flips);
        met(next);
        let moves = Bitboard(K::moves(next.player.0, next.opponent.0));
        // Never full: no position has that many moves.
        let _ = children.try_push(Child { square, flips, moves, rank: 0, still: None });
    }
    children
}

/// Brings the child of the highest rank from `place` on to `place`: sorting as far as needed, since a cut-off
/// mostly comes early. Among equals the first stays first.
#[inline(always)]
pub(super) fn bring_best(children: &mut [Child], place: usize) {
    let mut best = place;
    for other in place + 1..children.len() {
        if children[other].rank > children[best].rank {
            best = other;
        }
    }
    children.swap(place, best);
}

/// The number of moves, corners counted twice.
#[inline(always)]
pub(super) fn weighted_mobility(moves: Bitboard) -> i32 {
    (moves.count() + (moves & Bitboard::CORNERS).count()) as i32
}

/// The number of empty squares next to a disc of `of`: moves the other side may get.
#[inline(always)]
pub(super) fn potential_mobility(of: Bitboard, empty: Bitboard) -> i32 {
    (of.grown() & empty).count() as i32
}
