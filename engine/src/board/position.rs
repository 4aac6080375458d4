//! A board and who is to move.

use super::{Bitboard, Board, Color, IllegalMove, Move, Square};

/// A board with the side to move.
///
/// Any two disjoint disc sets are a position. [`Position::status`] tells whether the game continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    board: Board,
    side: Color,
}

/// The options of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A disc can be placed.
    ToMove,
    /// No disc can be placed, but the opponent could: the side to move must pass.
    MustPass,
    /// Neither side can place a disc.
    Over,
}

impl Position {
    /// The standard start, black to move.
    pub const START: Position = Position { board: Board::START, side: Color::Black };

    /// Makes the position in which `side` is to move on `board`.
    ///
    /// # Panics
    /// If a square has discs of both sides. [`Position::from_discs`] returns `None` in that case.
    pub const fn new(board: Board, side: Color) -> Position {
        assert!(board.player.0 & board.opponent.0 == 0, "a square has discs of both sides");
        Position { board, side }
    }

    /// Makes the position with these disc sets. `None` if they share a square.
    pub const fn from_discs(black: Bitboard, white: Bitboard, side: Color) -> Option<Position> {
        if black.0 & white.0 != 0 {
            return None;
        }
        let board = match side {
            Color::Black => Board { player: black, opponent: white },
            Color::White => Board { player: white, opponent: black },
        };
        Some(Position { board, side })
    }

    /// Returns the board from the point of view of the side to move.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Returns the side to move.
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Returns the discs of a color.
    pub fn discs(&self, color: Color) -> Bitboard {
        if color == self.side { self.board.player } else { self.board.opponent }
    }

    /// Returns the color of the disc on a square. `None` if it is empty.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        if self.board.player.contains(square) {
            Some(self.side)
        } else if self.board.opponent.contains(square) {
            Some(!self.side)
        } else {
            None
        }
    }

    /// Returns the number of empty squares.
    pub const fn empties(&self) -> u32 {
        self.board.empties()
    }

    /// Returns the squares where the side to move can place a disc.
    pub fn moves(&self) -> Bitboard {
        self.board.moves()
    }

    /// Returns what the side to move can do.
    pub fn status(&self) -> Status {
        if !self.board.moves().is_empty() {
            Status::ToMove
        } else if !self.board.after_pass().moves().is_empty() {
            Status::MustPass
        } else {
            Status::Over
        }
    }

    /// Returns the position after a pass if the side to move must pass, else the position itself.
    #[must_use]
    pub fn after_forced_pass(self) -> Position {
        match self.status() {
            Status::MustPass => Position { board: self.board.after_pass(), side: !self.side },
            Status::ToMove | Status::Over => self,
        }
    }

    /// Returns the legal moves: only a pass if it is forced, none if the game is over.
    ///
    /// ```
    /// use outflank::board::Position;
    ///
    /// // The known numbers of games of one to seven plies ("perft").
    /// fn games(position: Position, plies: u32) -> u64 {
    ///     let after = |mv| games(position.play(mv).unwrap(), plies - 1);
    ///     if plies == 0 { 1 } else { position.legal_moves().map(after).sum() }
    /// }
    /// for (plies, known) in (1..).zip([4, 12, 56, 244, 1396, 8200, 55_092]) {
    ///     assert_eq!(games(Position::START, plies), known);
    /// }
    /// ```
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> + use<> {
        let pass = (self.status() == Status::MustPass).then_some(Move::Pass);
        self.moves().into_iter().map(Move::Place).chain(pass)
    }

    /// Returns the moves that place a disc, each with the position after it and after the pass that it forces.
    pub fn successors(&self) -> impl Iterator<Item = (Square, Position)> + use<> {
        self.successors_by(self.moves())
    }

    /// Like [`successors`](Self::successors), of some of the moves. Illegal ones are omitted.
    pub(crate) fn successors_by(&self, moves: Bitboard) -> impl Iterator<Item = (Square, Position)> + use<> {
        let here = *self;
        let after = move |square| Some((square, here.play(Move::Place(square)).ok()?.after_forced_pass()));
        moves.into_iter().filter_map(after)
    }

    /// Returns the position after `mv`.
    ///
    /// # Errors
    /// If the rules forbid `mv` here.
    pub fn play(&self, mv: Move) -> Result<Position, IllegalMove> {
        let board = match mv {
            Move::Place(square) => {
                if !self.board.empty().contains(square) {
                    return Err(IllegalMove::Occupied(square));
                }
                let flips = self.board.flips(square);
                if flips.is_empty() {
                    return Err(match self.status() {
                        Status::Over => IllegalMove::GameOver,
                        _ => IllegalMove::FlipsNothing(square),
                    });
                }
                self.board.after_move(square, flips)
            }
            Move::Pass => match self.status() {
                Status::ToMove => return Err(IllegalMove::PassWithMoves),
                Status::Over => return Err(IllegalMove::GameOver),
                Status::MustPass => self.board.after_pass(),
            },
        };
        Ok(Position { board, side: !self.side })
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}
