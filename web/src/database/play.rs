//! Playing a game over, and recognising positions that are one by symmetry.

use outflank::board::{Board, Color, IllegalMove, Move, Position, Square, Symmetry};
use outflank::random::scatter;

/// The position after a disc on `square` and, where the other side has no move but the mover has, its pass: as the
/// page plays.
pub(super) fn after(position: Position, square: Square) -> Result<Position, IllegalMove> {
    Ok(position.play(Move::Place(square))?.after_forced_pass())
}

/// A position without its orientation: what all eight images have in common, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    board: Board,
    side: Color,
}

impl Shape {
    /// The shape of a position, and the symmetry that turns the position into it.
    pub(super) fn of(position: Position) -> (Shape, Symmetry) {
        let (board, symmetry) = position.board().canonical();
        (Shape { board, side: position.side() }, symmetry)
    }

    pub(super) fn side(self) -> Color {
        self.side
    }

    pub(super) fn empties(self) -> u32 {
        self.board.empties()
    }

    /// The bits that an index sorts by. Equal shapes have equal ones; the converse is checked.
    pub(super) fn hash(self) -> u64 {
        scatter(self.board.player.0 ^ scatter(self.board.opponent.0))
    }
}
