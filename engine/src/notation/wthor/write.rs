//! Games and names to the files of the database.

use super::{BEST, Database, Names, RECORD, Record};
use crate::board::Color;
use crate::game::Game;

impl Record {
    /// The record of a game, transformed to begin with f5. The caller sets the numbers of its names.
    ///
    /// An unfinished game without a result has the difference of its discs. `None` if the game has another start.
    pub fn of(game: &Game) -> Option<Record> {
        let game = game.from_usual_start()?;
        let mut moves = [0; 60];
        let squares = game.moves().iter().filter_map(|played| played.mv.square());
        for (slot, square) in moves.iter_mut().zip(squares) {
            *slot = 10 * (square.row() + 1) + square.column() + 1;
        }
        let count = |color| game.position().discs(color).count() as i32;
        let current = || 100 * (count(Color::Black) - count(Color::White));
        let discs = 32 + game.result().map_or_else(current, |result| result.score.centidiscs()) / 200;
        let discs = discs.clamp(0, 64) as u8;
        let best = game.tags.other(BEST).and_then(|text| text.split_once('-')?.0.trim().parse().ok());
        let best = best.filter(|best| *best <= 64).unwrap_or(discs);
        Some(Record { tournament: 0, black: 0, white: 0, discs, best, moves })
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

/// Writes a file of names in the order of their numbers. Also returns the names that it cannot hold whole.
pub fn write_names(names: &[String], kind: Names, created: [u8; 4]) -> (Vec<u8>, Vec<String>) {
    let size = kind.size();
    let mut bytes = header(created, 0, names.len() as u16, 0, 0);
    let mut cut = Vec::new();
    for name in names {
        let latin_1: Vec<u8> = name.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
        let is_held = |c: char| (1..256).contains(&u32::from(c));
        if latin_1.len() >= size || !name.chars().all(is_held) || name.trim() != name {
            cut.push(name.clone());
        }
        let end = bytes.len() + size;
        bytes.extend(latin_1.into_iter().take(size - 1));
        bytes.resize(end, 0);
    }
    (bytes, cut)
}

fn header(created: [u8; 4], games: u32, names: u16, year: u16, depth: u8) -> Vec<u8> {
    let [names, year] = [names, year].map(u16::to_le_bytes);
    [&created[..], &games.to_le_bytes(), &names, &year, &[8, 0, depth, 0]].concat()
}
