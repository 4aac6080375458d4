//! Games with legal moves, gathered for an index.

use std::num::NonZeroU16;

use outflank::board::{Color, Move, Position, Square, Status};
use outflank::notation::transcript;
use outflank::notation::wthor::{Record, WthorError};
use outflank::notation::{IllegalAt, squares};
use serde::{Deserialize, Serialize};

use super::play::{after, settled};

/// What is known of a game besides its moves. Names are numbers in lists of the worker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A game with its moves in the list of all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game {
    /// Which of the first positions.
    pub(super) start: u16,
    pub(super) length: u8,
    /// Where the moves begin.
    pub(super) first: u32,
    pub(super) facts: Facts,
}

/// A game of the device: the first position as 65 characters, the moves one after the other.
#[derive(Debug, Deserialize)]
pub(super) struct PlainGame {
    start: String,
    moves: String,
    black: u32,
    white: u32,
    tournament: u32,
    year: Option<u16>,
    result: Option<f64>,
    /// The file it came from, where it did.
    pub(super) base: Option<u32>,
}

/// What is wrong with a game, for the page's sentences.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Fault {
    /// The number of the record, from 1.
    pub(super) record: u32,
    /// Which sentence of the page says it.
    pub(super) code: &'static str,
    /// The number of the move at fault, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<usize>,
    /// The move at fault.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) mv: Option<String>,
    /// The byte or number at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) found: Option<u32>,
}

impl Fault {
    pub(super) fn new(record: u32, code: &'static str) -> Fault {
        Fault { record, code, number: None, mv: None, found: None }
    }
}

/// Games, each as it came.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) starts: Vec<Position>,
    pub(super) squares: Vec<Square>,
    pub(super) games: Vec<Game>,
}

impl Draft {
    /// Takes a game whose moves are legal; otherwise nothing changes, and the fault is told. The result is counted
    /// where the game was played to its end and nobody wrote one down.
    pub(super) fn push(
        &mut self,
        start: Position,
        moves: impl Iterator<Item = Result<Square, WthorError>>,
        mut facts: Facts,
    ) -> Result<(), WthorError> {
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
            facts.result = Some(if last.side() == Color::Black { score } else { -score });
        }
        // A board has no room for more than 64 moves.
        let length = (self.squares.len() - first) as u8;
        let start = self.start(start);
        self.games.push(Game { start, length, first: first as u32, facts });
        Ok(())
    }

    /// Takes a record of a WTHOR file. A score that makes no sense is left out.
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
        self.push(start, record.squares(), facts).map_err(|error| fault(number + 1, &error))
    }

    /// Takes a game of the device; false where it cannot be played.
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
        moves: impl Iterator<Item = Result<Square, WthorError>>,
    ) -> Result<Position, WthorError> {
        let mut position = start;
        for (index, square) in moves.enumerate() {
            let square = square?;
            let illegal = |reason| IllegalAt { number: index + 1, mv: Move::Place(square), reason };
            position = after(position, square).map_err(|reason| WthorError::Illegal(illegal(reason)))?;
            self.squares.push(square);
        }
        Ok(position)
    }

    /// The number of a first position. There are few different ones.
    fn start(&mut self, start: Position) -> u16 {
        let known = self.starts.iter().rposition(|&known| known == start);
        known.unwrap_or_else(|| {
            self.starts.push(start);
            self.starts.len() - 1
        }) as u16
    }
}

impl PlainGame {
    /// The first position and the moves, where they can be read.
    pub(super) fn moves(&self) -> Option<(Position, Vec<Square>)> {
        let start = settled(squares::read(&self.start).ok()?);
        let pairs = self.moves.as_bytes().chunks(2);
        let moves: Option<Vec<Square>> =
            pairs.map(|pair| std::str::from_utf8(pair).ok()?.parse().ok()).collect();
        Some((start, moves?))
    }
}

fn fault(record: u32, error: &WthorError) -> Fault {
    match error {
        WthorError::Illegal(at) => {
            Fault { number: Some(at.number), mv: Some(at.mv.to_string()), ..Fault::new(record, "illegal") }
        }
        WthorError::Unparsable { number, byte } => {
            Fault { number: Some(*number), found: Some(u32::from(*byte)), ..Fault::new(record, "wthor-move") }
        }
        _ => Fault::new(record, "wthor"),
    }
}
