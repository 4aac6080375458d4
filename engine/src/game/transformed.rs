//! Games transformed by a symmetry of the board.

use super::{Game, RecordedMove};
use crate::board::{Move, Position, Symmetry};

impl Game {
    /// The game with all its squares mapped by `symmetry`.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Game {
        let map = |mv: Move| match mv {
            Move::Place(square) => Move::Place(symmetry.square(square)),
            Move::Pass => Move::Pass,
        };
        let start = self.start();
        let mut game = Game::new(Position::new(symmetry.board(start.board()), start.side()));
        for played in self.moves() {
            // A symmetry keeps legal moves legal.
            let _ = game.play(RecordedMove { mv: map(played.mv), ..*played });
        }
        game.tags = self.tags.clone();
        for (mv, _) in &mut game.tags.scores {
            *mv = map(*mv);
        }
        game
    }

    /// The game transformed to begin at the usual start, with f5 if it has moves. `None` if it begins at another position.
    pub fn from_usual_start(&self) -> Option<Game> {
        let first = self.moves().first().and_then(|played| played.mv.square());
        let symmetry = Symmetry::all().find(|symmetry| {
            let board = symmetry.board(self.start().board());
            let start = Position::new(board, self.start().side());
            // f5
            start == Position::START && first.is_none_or(|first| symmetry.square(first).index() == 37)
        })?;
        Some(if symmetry == Symmetry::IDENTITY { self.clone() } else { self.transformed(symmetry) })
    }
}
