//! Who plays what.

use crate::board::{Color, IllegalMove, Move, Position};
use crate::game::Game;

/// The game on the board and the engine's part in it.
#[derive(Clone, Debug)]
pub(super) struct Play {
    game: Game,
    /// Plies after each move that was sent or received. A pass that was left out counts to the move after it.
    ends: Vec<usize>,
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
        Play { game: Game::default(), ends: Vec::new(), role: Role::Player(Color::White) }
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
        self.ends.clear();
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
        self.game.play_passing(mv)?;
        self.ends.push(self.game.plies());
        Ok(())
    }

    /// Takes up to `count` moves back, each with the pass before it that was left out.
    pub(super) fn take_back(&mut self, count: usize) {
        self.ends.truncate(self.ends.len().saturating_sub(count));
        self.game.truncate(self.ends.last().copied().unwrap_or_default());
    }

    /// Number of moves the side to move has made, without passes that were left out.
    pub(super) fn moves_made(&self) -> u32 {
        let side = self.position().side();
        let before = self.game.positions().zip(1..).filter(|(before, _)| before.side() == side);
        let made = before.filter(|(_, end)| self.ends.binary_search(end).is_ok());
        u32::try_from(made.count()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;

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

    #[test]
    fn omitted_pass_is_taken_back_with_its_move() {
        let mut play = Play::new();
        let start = Position::from_discs(Bitboard(1 | 1 << 63), Bitboard(2 | 1 << 62), Color::White).unwrap();
        play.set_position(start);
        // White must pass: the GUI sends only Black's moves.
        play.play(place("c1")).unwrap();
        assert_eq!(play.moves_made(), 0);
        play.play(place("f8")).unwrap();
        play.take_back(1);
        assert_eq!(play.position().side(), Color::White);
        play.take_back(1);
        assert_eq!(play.position(), start);
    }
}
