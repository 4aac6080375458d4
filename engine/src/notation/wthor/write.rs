//! Games and names to the files of the database.

use std::fmt;

use super::{BEST, Database, HEADER, Names, RECORD, Record};
use crate::board::{Color, Move};
use crate::game::Game;

/// The database has no place for the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It does not begin at the usual start.
    Start,
}

/// A name that had to be cut to its field, or to Latin-1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The whole name.
    pub name: String,
}

impl Record {
    /// The record of a game, turned to begin with f5; the numbers of its names are left to the caller.
    ///
    /// A game without a result that is not over counts the discs as they lie.
    pub fn of(game: &Game) -> Result<Record, Unfit> {
        let game = game.from_usual_start().ok_or(Unfit::Start)?;
        let mut moves = [0; 60];
        let places = game.moves().iter().filter_map(|played| match played.mv {
            Move::Place(square) => Some(10 * (square.row() + 1) + square.column() + 1),
            Move::Pass => None,
        });
        for (slot, byte) in moves.iter_mut().zip(places) {
            *slot = byte;
        }
        let last = game.position();
        let lying = || {
            let (black, white) =
                (last.discs(Color::Black).count() as i32, last.discs(Color::White).count() as i32);
            100 * (black - white)
        };
        let over = game.final_score().map(|result| result.score);
        let score = game.tags.result.map(|result| result.score).or(over);
        let discs = 32 + score.map_or_else(lying, |score| score.centidiscs()) / 200;
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

/// Writes a file of games; `created` is its date: century, year of the century, month, day.
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

/// Writes a file of names in the order of their numbers, and tells which had to be cut.
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

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Start => f.write_str("it does not begin at the usual start"),
        }
    }
}

impl std::error::Error for Unfit {}

#[cfg(test)]
mod tests {
    use super::super::{read, read_names};
    use super::*;
    use crate::notation::transcript;

    #[test]
    fn written_and_read_back() {
        let texts = ["f5d6c3", "e6f4e3f6g5d6e7f5c5", "c4c3e6b4a4a5b2a3c1", "f4d3c6"];
        let games = texts.map(|text| transcript::read(text).unwrap());
        let records = games.each_ref().map(|game| Record::of(game).unwrap());
        let database = Database { year: 2002, depth: 22, games: records.to_vec() };
        assert_eq!(read(&write(&database, [20, 3, 1, 31])), Ok(database.clone()));
        for (record, game) in database.games.iter().zip(&games) {
            let again = record.game().unwrap();
            assert_eq!(again.moves(), game.from_usual_start().unwrap().moves());
        }
        assert_eq!(database.games[1].discs, 64);
        assert_eq!(Record::of(&Game::new(games[0].position())), Err(Unfit::Start));
    }

    #[test]
    fn names_as_far_as_they_fit() {
        let names = ["Jérôme".to_owned(), "x".repeat(19), "y".repeat(20), "石田".to_owned()];
        let (bytes, cut) = write_names(&names, Names::Players, [20, 3, 1, 31]);
        assert_eq!(cut.iter().map(|cut| &cut.name).collect::<Vec<_>>(), [&names[2], &names[3]]);
        let again = read_names(&bytes, Names::Players).unwrap();
        assert_eq!(again, ["Jérôme", &"x".repeat(19), &"y".repeat(19), "??"]);
    }
}
