//! A start position and the moves played from it.

use std::time::Duration;

use super::{Ending, GameResult, GameTree, Tags};
use crate::board::{Board, Color, IllegalMove, Move, Position, Status};
use crate::score::{Discs, Score};

/// Number of moves of an XOT opening.
const XOT_MOVES: usize = 8;

/// A game: a start position, the moves played from it, and tags.
///
/// Every recorded move was legal. Plies count from the start position and include passes: the position at ply 0 is the start.
/// A game that was read may have variations ([`Game::tree`]). They are lost when its moves change.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Names, clocks, result.
    pub tags: Tags,
    start: Position,
    moves: Vec<RecordedMove>,
    /// The position after each move.
    after: Vec<Position>,
    variations: Option<Box<GameTree>>,
}

/// A move as it was played, with the evaluation and time of its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The move.
    pub mv: Move,
    /// The evaluation of the player, for the player. `None` if it is unknown.
    pub eval: Option<Score>,
    /// The time used for the move. `None` if it is unknown.
    pub time: Option<Duration>,
}

impl From<Move> for RecordedMove {
    fn from(mv: Move) -> RecordedMove {
        RecordedMove { mv, eval: None, time: None }
    }
}

impl Game {
    /// A game without moves from `start`.
    pub fn new(start: Position) -> Game {
        Game { tags: Tags::default(), start, moves: Vec::new(), after: Vec::new(), variations: None }
    }

    /// The moves, comments and variations.
    pub fn tree(&self) -> GameTree {
        GameTree::from(self)
    }

    /// The tree with the variations, with the moves of the game as its main line. `None` if there are no variations.
    pub fn variations(&self) -> Option<&GameTree> {
        self.variations.as_deref()
    }

    pub(super) fn set_tree(&mut self, tree: GameTree) {
        self.variations = Some(Box::new(tree));
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        self.start
    }

    /// The moves in order, passes included.
    pub fn moves(&self) -> &[RecordedMove] {
        &self.moves
    }

    /// Number of moves, passes included.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The position after all moves.
    pub fn position(&self) -> Position {
        self.after.last().copied().unwrap_or(self.start)
    }

    /// The position after `ply` moves. `None` if the game is shorter.
    pub fn position_at(&self, ply: usize) -> Option<Position> {
        match ply.checked_sub(1) {
            None => Some(self.start),
            Some(last) => self.after.get(last).copied(),
        }
    }

    /// All positions in order: the start, then one after each move.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        std::iter::once(self.start).chain(self.after.iter().copied())
    }

    /// Number of discs placed. Players number moves in this way, without passes.
    pub fn discs_placed(&self) -> usize {
        self.moves.iter().filter(|played| played.mv != Move::Pass).count()
    }

    /// Number of moves at the beginning that no player has chosen: eight of an XOT game from the usual start, which its event,
    /// place, kind or variant names. Otherwise 0.
    pub fn given(&self) -> usize {
        let names = ["Variant", "Event", "Opening"].map(|name| self.tags.other(name));
        let mut names =
            names.into_iter().chain([self.tags.kind.as_deref(), self.tags.place.as_deref()]).flatten();
        let is_xot = |name: &str| {
            let mut words = name.split(|c: char| !c.is_alphanumeric());
            words.any(|word| word.eq_ignore_ascii_case("xot") || word.eq_ignore_ascii_case("xothello"))
        };
        if self.start() == Position::START && names.any(is_xot) { XOT_MOVES.min(self.plies()) } else { 0 }
    }

    /// Appends a move. An illegal move leaves the game unchanged.
    pub fn play(&mut self, played: impl Into<RecordedMove>) -> Result<(), IllegalMove> {
        let played = played.into();
        let next = self.position().play(played.mv)?;
        self.variations = None;
        self.moves.push(played);
        self.after.push(next);
        Ok(())
    }

    /// Sets the time of the last move. Returns `false` if there is none or its time is known.
    pub(crate) fn set_time(&mut self, time: Duration) -> bool {
        match self.moves.last_mut() {
            Some(last) if last.time.is_none() => {
                last.time = Some(time);
                true
            }
            _ => false,
        }
    }

    /// Appends a move, and a pass before it if only the other side can move. An illegal move leaves the game unchanged.
    pub fn play_passing(&mut self, played: impl Into<RecordedMove>) -> Result<(), IllegalMove> {
        let played = played.into();
        let here = self.position();
        if played.mv == Move::Pass || here.status() != Status::MustPass {
            return self.play(played);
        }
        let passed = here.play(Move::Pass)?;
        let next = passed.play(played.mv)?;
        self.variations = None;
        self.moves.extend([RecordedMove::from(Move::Pass), played]);
        self.after.extend([passed, next]);
        Ok(())
    }

    /// Removes the last move and returns it. `None` if there is none.
    pub fn undo(&mut self) -> Option<RecordedMove> {
        self.variations = None;
        self.after.pop();
        self.moves.pop()
    }

    /// Removes moves until at most `plies` are left.
    pub fn truncate(&mut self, plies: usize) {
        self.variations = None;
        self.moves.truncate(plies);
        self.after.truncate(plies);
    }

    /// Returns the game cut off after `plies` moves.
    #[must_use]
    pub fn prefix(&self, plies: usize) -> Game {
        let mut game = self.clone();
        game.truncate(plies);
        game
    }

    /// Returns `true` if neither side can move.
    pub fn is_over(&self) -> bool {
        self.position().status() == Status::Over
    }

    /// The result in the tags, otherwise the final score. `None` if both are unknown.
    pub fn result(&self) -> Option<GameResult> {
        self.tags.result.or_else(|| self.final_score())
    }

    /// The score of the last position. `None` if the game is not over.
    pub fn final_score(&self) -> Option<GameResult> {
        let last = self.position();
        let board = Board { player: last.discs(Color::Black), opponent: last.discs(Color::White) };
        let score = || Score::from(Discs::new(board.final_score()));
        self.is_over().then(|| GameResult { score: score(), ending: Ending::Played })
    }

    /// The sum of the recorded times of `color`.
    pub fn time_used(&self, color: Color) -> Duration {
        self.positions()
            .zip(&self.moves)
            .filter(|(before, _)| before.side() == color)
            .filter_map(|(_, played)| played.time)
            .fold(Duration::ZERO, Duration::saturating_add)
    }
}

impl Default for Game {
    /// A game without moves from the usual start.
    fn default() -> Game {
        Game::new(Position::START)
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
    fn omitted_passes_are_inserted() {
        // Black can take b1 from c1; White, to move, can do nothing.
        let start = Position::from_discs(Bitboard(1), Bitboard(2), Color::White).unwrap();
        let mut game = Game::new(start);
        assert!(game.play(place("c1")).is_err());
        assert!(game.play_passing(place("d1")).is_err());
        assert_eq!(game.plies(), 0);
        game.play_passing(place("c1")).unwrap();
        assert_eq!((game.plies(), game.discs_placed(), game.is_over()), (2, 1, true));
        // Three black discs, and the empty squares for the winner.
        assert_eq!(game.result().map(|result| result.score), Some(Score::MAX));
        let agreed = GameResult { score: Score::ZERO, ending: Ending::Agreed };
        game.tags.result = Some(agreed);
        assert_eq!(game.result(), Some(agreed));
        assert_eq!(Game::default().result(), None);
    }
}
