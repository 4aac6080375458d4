//! Who plays what.

use crate::board::{Color, IllegalMove, Move, Position};
use crate::game::Game;

/// The game on the board and the engine's part in it.
#[derive(Clone, Debug)]
pub(super) struct Play {
    game: Game,
    role: Role,
}

/// The engine's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// None: force mode.
    Watcher,
    /// One side.
    Player(Color),
    /// It analyses.
    Analyst,
}

impl Play {
    /// A new game, in which the engine plays the side that moves second.
    pub(super) fn new() -> Play {
        Play { game: Game::default(), role: Role::Player(Color::White) }
    }

    /// The position on the board.
    pub(super) fn position(&self) -> Position {
        self.game.position()
    }

    /// The engine's part.
    pub(super) fn role(&self) -> Role {
        self.role
    }

    /// Gives the engine another part.
    pub(super) fn set_role(&mut self, role: Role) {
        self.role = role;
    }

    /// Sets up a position; the game begins there.
    pub(super) fn set_position(&mut self, position: Position) {
        self.game = Game::new(position);
    }

    /// Whether the engine is to move.
    pub(super) fn is_own_turn(&self) -> bool {
        self.role == Role::Player(self.position().side())
    }

    /// Whether the engine plays and the other side is to move.
    pub(super) fn is_others_turn(&self) -> bool {
        self.role == Role::Player(!self.position().side())
    }

    /// Whether the game is over.
    pub(super) fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// Whether a move has been made.
    pub(super) fn has_begun(&self) -> bool {
        self.game.plies() > 0
    }

    /// Makes a move, and before it a pass that was left out; an illegal one changes nothing.
    pub(super) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play_passing(mv)
    }

    /// Takes up to `count` moves back.
    pub(super) fn take_back(&mut self, count: usize) {
        self.game.truncate(self.game.plies().saturating_sub(count));
    }

    /// Number of moves the side to move has made.
    pub(super) fn moves_made(&self) -> u32 {
        let side = self.position().side();
        let made = self.game.positions().take(self.game.plies()).filter(|before| before.side() == side);
        u32::try_from(made.count()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Move {
        Move::Place(text.parse().unwrap())
    }

    #[test]
    fn turns() {
        let mut play = Play::new();
        assert!(!play.is_own_turn() && play.is_others_turn() && !play.has_begun());
        play.play(place("f5")).unwrap();
        assert!(play.is_own_turn());
        play.play(place("d6")).unwrap();
        assert_eq!(play.moves_made(), 1);
        play.take_back(5);
        assert_eq!((play.position(), play.moves_made()), (Position::START, 0));
        play.set_role(Role::Watcher);
        assert!(!play.is_own_turn() && !play.is_others_turn());
    }
}
