//! The same game seen from another side of the board.

use super::{Game, RecordedMove};
use crate::board::{Move, Position, Symmetry};

impl Game {
    /// The game with all its squares turned by `symmetry`.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Game {
        let turn = |mv: Move| match mv {
            Move::Place(square) => Move::Place(symmetry.square(square)),
            Move::Pass => Move::Pass,
        };
        let start = self.start();
        let mut game = Game::new(Position::new(symmetry.board(start.board()), start.side()));
        for played in self.moves() {
            // A turned legal move is legal.
            let _ = game.play(RecordedMove { mv: turn(played.mv), ..*played });
        }
        game.tags = self.tags.clone();
        for (mv, _) in &mut game.tags.scores {
            *mv = turn(*mv);
        }
        game
    }

    /// The game turned so that it begins at the usual start, and if it has moves with f5; nothing where it begins
    /// elsewhere.
    pub fn from_usual_start(&self) -> Option<Game> {
        let first = self.moves().first().and_then(|played| played.mv.square());
        let symmetry = Symmetry::all().find(|symmetry| {
            let board = symmetry.board(self.start().board());
            let turned = Position::new(board, self.start().side());
            // f5
            turned == Position::START && first.is_none_or(|first| symmetry.square(first).index() == 37)
        })?;
        Some(if symmetry == Symmetry::IDENTITY { self.clone() } else { self.transformed(symmetry) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::transcript;

    #[test]
    fn all_eight_are_one() {
        let game = transcript::read("f5d6c3d3c4f4f6f3e6e7d7").unwrap();
        for symmetry in Symmetry::all() {
            let turned = game.transformed(symmetry);
            assert_eq!(turned.plies(), game.plies());
            assert_eq!(turned.transformed(symmetry.inverse()), game);
            assert_eq!(turned.from_usual_start().as_ref(), Some(&game), "{symmetry:?}");
            assert_eq!(transcript::read(&transcript::write(&turned)), Ok(turned));
        }
        assert_eq!(Game::new(game.position()).from_usual_start(), None);
        assert_eq!(Game::default().from_usual_start(), Some(Game::default()));
    }
}
