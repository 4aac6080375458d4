//! Games and names to the files of the database.

use std::fmt;

use super::{BEST, Database, HEADER, Names, RECORD, Record};
use crate::board::{Color, Move};
use crate::game::Game;

/// The database cannot hold the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WthorWriteError {
    /// It does not begin at the usual start.
    Start,
}

/// A name that was truncated, or that has characters outside Latin-1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The whole name.
    pub name: String,
}

impl Record {
    /// The record of a game, transformed to begin with f5. The caller sets the numbers of its names.
    ///
    /// The score of an unfinished game without a result is the difference of its discs.
    pub fn of(game: &Game) -> Result<Record, WthorWriteError> {
        let game = game.from_usual_start().ok_or(WthorWriteError::Start)?;
        let mut moves = [0; 60];
        let places = game.moves().iter().filter_map(|played| match played.mv {
            Move::Place(square) => Some(10 * (square.row() + 1) + square.column() + 1),
            Move::Pass => None,
        });
        for (slot, byte) in moves.iter_mut().zip(places) {
            *slot = byte;
        }
        let last = game.position();
        let current = || {
            let (black, white) =
                (last.discs(Color::Black).count() as i32, last.discs(Color::White).count() as i32);
            100 * (black - white)
        };
        let over = game.final_score().map(|result| result.score);
        let score = game.tags.result.map(|result| result.score).or(over);
        let discs = 32 + score.map_or_else(current, |score| score.centidiscs()) / 200;
        let discs = discs.clamp(0, 64) as u8;
        let best = game.tags.other(BEST).and_then(|text| text.split_once('-')?.0.trim().parse().ok());
        Ok(Record {
            tournament: 0,
            black: 0,
            white: 0,
            discs,
            best: best.filter(|best| *best <= 64).unwrap_or(discs),
            moves,
        })
    }
}

/// Writes a file of games. `created` is its date: century, year of the century, month, day.
pub fn write(database: &Database, created: [u8; 4]) -> Vec<u8> {
    let mut bytes = header(created, database.games.len() as u32, 0, database.year, database.depth);
    bytes.reserve(RECORD * database.games.len());
    for record in &database.games {
        for number in [record.tournament, record.black, record.white] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([record.discs, record.best]);
        bytes.extend(record.moves);
    }
    bytes
}

/// Writes a file of names in the order of their numbers. Also returns the names that were changed.
pub fn write_names(names: &[String], kind: Names, created: [u8; 4]) -> (Vec<u8>, Vec<Cut>) {
    let size = match kind {
        Names::Players => 20,
        Names::Tournaments => 26,
    };
    let mut bytes = header(created, 0, names.len() as u16, 0, 0);
    let mut cut = Vec::new();
    for name in names {
        let latin_1: Vec<u8> = name.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
        if latin_1.len() >= size || name.chars().any(|c| u32::from(c) > 255) {
            cut.push(Cut { name: name.clone() });
        }
        let end = bytes.len() + size;
        bytes.extend(latin_1.into_iter().take(size - 1));
        bytes.resize(end, 0);
    }
    (bytes, cut)
}

fn header(created: [u8; 4], games: u32, names: u16, year: u16, depth: u8) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend(created);
    bytes.extend(games.to_le_bytes());
    bytes.extend(names.to_le_bytes());
    bytes.extend(year.to_le_bytes());
    bytes.extend([8, 0, depth, 0]);
    bytes
}

impl fmt::Display for WthorWriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WthorWriteError::Start => f.write_str("it does not begin at the usual start"),
        }
    }
}

impl std::error::Error for WthorWriteError {}
