//! A handwritten evaluation: mobility, corners, and discs at few empty squares. It plays the games from which the first weights
//! are learned.

use outflank::board::{Bitboard, Board};
use outflank::kernel::Kernels;

/// b2, g2, b7, g7.
const X_SQUARES: Bitboard = Bitboard(0x0042_0000_0000_4200);
/// The squares next to a corner along an edge.
const C_SQUARES: Bitboard = Bitboard(0x4281_0000_0000_8142);

/// The value for the mover in centidiscs.
#[inline(always)]
pub(crate) fn value<K: Kernels>(board: Board) -> i32 {
    let (player, opponent) = (board.player, board.opponent);
    let empty = board.empty();
    let empties = empty.count() as i32;
    let count = |set: Bitboard| set.count() as i32;
    let mobility = K::moves(player.0, opponent.0).count_ones() as i32
        - K::moves(opponent.0, player.0).count_ones() as i32;
    // Discs next to empty squares give the other side moves.
    let frontier = empty.dilated();
    let potential = count(opponent & frontier) - count(player & frontier);
    let difference = |set: Bitboard| count(player & set) - count(opponent & set);
    // X and C squares count against their owner while the corner next to them is empty.
    let exposed = (empty & Bitboard::CORNERS).dilated();
    let discs = difference(Bitboard::ALL);
    let late = (30 - empties).clamp(0, 30);
    let value = 120 * mobility + 50 * potential + 900 * difference(Bitboard::CORNERS)
        - 450 * difference(X_SQUARES & exposed)
        - 150 * difference(C_SQUARES & exposed)
        + 4 * late * discs;
    value.clamp(-6400, 6400)
}
