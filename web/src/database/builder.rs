//! Collects games with legal moves for an index.

use std::num::NonZeroU16;

use outflank::board::{IllegalMove, Move, Position, Square, Status};
use outflank::notation::wthor::Record;
use outflank::notation::{ReadError, ReadErrorCode, squares, transcript};
use serde::{Deserialize, Serialize};

/// The position after a disc on `square` and after the pass that it forces, as the page plays.
pub(super) fn after(position: Position, square: Square) -> Result<Position, IllegalMove> {
    Ok(position.play(Move::Place(square))?.after_forced_pass())
}

/// The facts of a game besides its moves. Names are numbers in lists of the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Facts {
    /// The number of the record in its file, or of the game on the device, from 0.
    pub(super) number: u32,
    pub(super) black: u32,
    pub(super) white: u32,
    pub(super) tournament: u32,
    pub(super) year: Option<NonZeroU16>,
    /// Black's discs over White's.
    pub(super) result: Option<i8>,
}

/// A game. Its moves are in the list of all moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game {
    /// The index of the first position.
    pub(super) start: u16,
    pub(super) length: u8,
    /// The index of the first move.
    pub(super) first: u32,
    pub(super) facts: Facts,
}

/// A game of the device: the first position as 65 characters, the moves in sequence.
#[derive(Debug, Deserialize)]
pub(super) struct PlainGame {
    start: String,
    moves: String,
    black: u32,
    white: u32,
    tournament: u32,
    year: Option<u16>,
    result: Option<f64>,
    /// The file that the game came from.
    pub(super) base: Option<u32>,
}

/// The error of a game, for a sentence of the page.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Fault {
    /// The number of the record, from 1.
    pub(super) record: u32,
    /// Selects the sentence of the page.
    pub(super) code: &'static str,
    /// The number of the move, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<usize>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) mv: Option<String>,
    /// The invalid byte or number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) found: Option<u32>,
}

impl Fault {
    pub(super) fn new(record: u32, code: &'static str) -> Fault {
        Fault { record, code, number: None, mv: None, found: None }
    }

    fn of(record: u32, error: ReadError) -> Fault {
        let found = error.excerpt.parse().ok();
        let mv = Some(error.excerpt).filter(|_| error.code == ReadErrorCode::Illegal);
        Fault { number: error.place.number, mv, found, ..Fault::new(record, error.code.as_str()) }
    }
}

/// Games in the order of their arrival.
#[derive(Debug, Default)]
pub(super) struct IndexBuilder {
    pub(super) starts: Vec<Position>,
    pub(super) squares: Vec<Square>,
    pub(super) games: Vec<Game>,
}

impl IndexBuilder {
    /// Adds a game. A finished game without a result gets its final score.
    ///
    /// # Errors
    ///
    /// An illegal or unreadable move. Nothing changes then.
    pub(super) fn push(
        &mut self,
        start: Position,
        moves: impl Iterator<Item = Result<Square, ReadError>>,
        mut facts: Facts,
    ) -> Result<(), ReadError> {
        let first = self.squares.len();
        let last = match self.play(start, moves) {
            Ok(last) => last,
            Err(error) => {
                self.squares.truncate(first);
                return Err(error);
            }
        };
        if facts.result.is_none() && last.status() == Status::Over {
            let score = last.board().final_score() as i8;
            facts.result = Some(last.side().for_black(score));
        }
        // No game has more than 64 moves.
        let length = (self.squares.len() - first) as u8;
        let start = self.start(start);
        self.games.push(Game { start, length, first: first as u32, facts });
        Ok(())
    }

    /// Adds a record of a WTHOR file. An invalid score is omitted.
    pub(super) fn push_record(
        &mut self,
        number: u32,
        year: Option<NonZeroU16>,
        record: &Record,
    ) -> Result<(), Fault> {
        let start = match record.squares().next() {
            Some(Ok(square)) => transcript::start_of(Move::Place(square)),
            _ => Position::START,
        };
        let facts = Facts {
            number,
            black: record.black.into(),
            white: record.white.into(),
            tournament: record.tournament.into(),
            year,
            result: record.score().map(|score| score.get() as i8),
        };
        self.push(start, record.squares(), facts).map_err(|error| Fault::of(number + 1, error))
    }

    /// Adds a game of the device. Returns `false` if its moves are invalid.
    pub(super) fn push_plain(&mut self, number: u32, game: &PlainGame) -> bool {
        let Some((start, moves)) = game.moves() else { return false };
        let facts = Facts {
            number,
            black: game.black,
            white: game.white,
            tournament: game.tournament,
            year: game.year.and_then(NonZeroU16::new),
            result: game.result.map(f64::round).filter(|score| score.abs() <= 64.0).map(|score| score as i8),
        };
        self.push(start, moves.into_iter().map(Ok), facts).is_ok()
    }

    fn play(
        &mut self,
        start: Position,
        moves: impl Iterator<Item = Result<Square, ReadError>>,
    ) -> Result<Position, ReadError> {
        let mut position = start;
        for (index, square) in moves.enumerate() {
            let square = square?;
            let illegal = |reason| ReadError::illegal(index + 1, Move::Place(square), reason);
            position = after(position, square).map_err(illegal)?;
            self.squares.push(square);
        }
        Ok(position)
    }

    /// The index of a first position. There are few different ones.
    fn start(&mut self, start: Position) -> u16 {
        let known = self.starts.iter().rposition(|&known| known == start);
        known.unwrap_or_else(|| {
            self.starts.push(start);
            self.starts.len() - 1
        }) as u16
    }
}

impl PlainGame {
    /// The first position and the moves. `None` if they are invalid.
    pub(super) fn moves(&self) -> Option<(Position, Vec<Square>)> {
        let start = squares::read(&self.start).ok()?.after_forced_pass();
        let pairs = self.moves.as_bytes().chunks(2);
        let moves: Option<Vec<Square>> =
            pairs.map(|pair| std::str::from_utf8(pair).ok()?.parse().ok()).collect();
        Some((start, moves?))
    }
}
