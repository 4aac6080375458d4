//! Playing games, and recognizing symmetric positions.

use outflank::board::{Board, Color, IllegalMove, Move, Position, Square, Symmetry};
use outflank::random::scatter;

/// The position after a disc on `square` and after the pass that it forces, as the page plays.
pub(super) fn after(position: Position, square: Square) -> Result<Position, IllegalMove> {
    Ok(position.play(Move::Place(square))?.after_forced_pass())
}

/// A position without its orientation: the same for all eight images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CanonicalPosition {
    board: Board,
    side: Color,
}

impl CanonicalPosition {
    /// The canonical form of a position, and the symmetry that maps the position to it.
    pub(super) fn of(position: Position) -> (CanonicalPosition, Symmetry) {
        let (board, symmetry) = position.board().canonical();
        (CanonicalPosition { board, side: position.side() }, symmetry)
    }

    pub(super) fn side(self) -> Color {
        self.side
    }

    pub(super) fn empties(self) -> u32 {
        self.board.empties()
    }

    /// The hash by which an index sorts. Two positions may share a hash.
    pub(super) fn hash(self) -> u64 {
        scatter(self.board.player.0 ^ scatter(self.board.opponent.0))
    }
}
