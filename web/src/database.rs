//! The games of a database by the positions they reached, for the openings explorer of the page.
//!
//! The page loads this module in a worker when the explorer is opened. The worker has the names and the files.
//!
//! Values are plain JavaScript objects, an error is `{ error }`. Positions are 65 characters, as in `rules`.

mod book;
mod builder;
mod index;
mod lookup;
mod similar;
mod source;
#[cfg(test)]
mod tests;

use outflank::board::{Color, Position};
use outflank::notation::wthor::{self, Names};
use outflank::notation::{squares, transcript};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::exchange::{value, write};
use book::BookFile;
use builder::PlainGame;
use lookup::Query;
use similar::Part;
use source::Source;

/// All games, by file.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Database {
    sources: Vec<Source>,
    books: Vec<BookFile>,
}

/// The games that are requested, besides their names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Filter {
    from: Option<u16>,
    to: Option<u16>,
    /// The side of the player, `X` or `O`.
    side: Option<char>,
    list: usize,
}

#[wasm_bindgen]
impl Database {
    /// A database without games.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Database {
        Database::default()
    }

    /// Opens a file of games and replaces the source with this number. `header` is the beginning of the file. Returns
    /// `{ records, year, written, first, size }`. An invalid year is null. A game has `size` bytes, after `first` bytes.
    pub fn open(&mut self, id: u32, header: &[u8]) -> JsValue {
        let opened = Source::open(id, header).map(|(source, opened)| {
            self.remove(id);
            self.sources.push(source);
            opened
        });
        value(opened.map_err(|error| error.to_string()))
    }

    /// Adds the next records of a file, at most `part_size()`. Returns `{ taken, faults }`.
    pub fn add_records(&mut self, id: u32, records: &[u8]) -> JsValue {
        let part = self.source_mut(id).map(|source| source.add_records(records));
        value(part.ok_or("there is no such file"))
    }

    /// Adds the games of the device and replaces the source with this number. `games` is a list of
    /// `{ start, moves, black, white, tournament, year, result, base }`. A game from an open file is skipped.
    pub fn add_games(&mut self, id: u32, games: JsValue) -> JsValue {
        let games: Result<Vec<PlainGame>, String> =
            serde_wasm_bindgen::from_value(games).map_err(|error| error.to_string());
        value(games.map(|games| {
            self.remove(id);
            let mut source = Source::new(id);
            source.add_games(&games, &self.sources);
            let taken = source.games();
            self.sources.push(source);
            taken
        }))
    }

    /// Removes the games or the book of a file.
    pub fn remove(&mut self, id: u32) {
        self.sources.retain(|source| source.id != id);
        self.books.retain(|book| book.id != id);
    }

    /// Opens a book and replaces the file with this number. Returns `{ positions, faults }`. Later numbers come first in answers.
    pub fn open_book(&mut self, id: u32, bytes: &[u8]) -> JsValue {
        value(BookFile::open(id, bytes).map(|(book, opened)| {
            self.remove(id);
            self.books.push(book);
            self.books.sort_by_key(|book| book.id);
            opened
        }))
    }

    /// The moves of a position in the last book that contains it, best first: `[{ move, value }]`.
    pub fn book_moves(&self, position: &str) -> JsValue {
        value(read(position).map(|position| {
            let mut found = self.books.iter().rev().map(|book| book.rows(&position));
            found.find(|rows| !rows.is_empty()).unwrap_or_default()
        }))
    }

    /// The values of positions in the last book that knows the value of each, and of the positions after their moves in the last book
    /// that contains them: `[position, value, moves from there on]`.
    pub fn book_values(&self, positions: Vec<String>) -> JsValue {
        let values = |position: String| Ok(book::values(&self.books, &read(&position)?));
        let values = positions.into_iter().map(values).collect::<Result<Vec<_>, String>>();
        value(values.map(|values| values.concat()))
    }

    /// The positions that each side must know to play a line and the best moves of the last book that contains its end:
    /// `{ ply, black, white }`, or null.
    pub fn to_know(&self, moves: &str) -> JsValue {
        value(
            transcript::read(moves)
                .map_err(|error| error.to_string())
                .map(|game| self.books.iter().rev().find_map(|book| book.to_know(&game))),
        )
    }

    /// A book in text form, `undefined` if there is no such book.
    pub fn book_text(&self, id: u32) -> Option<String> {
        self.books.iter().find(|book| book.id == id).map(BookFile::text)
    }

    /// Restricts lookups to games of players and tournaments: one byte per number, 0 excludes it. Undefined includes all.
    pub fn want(&mut self, id: u32, players: Option<Vec<u8>>, tournaments: Option<Vec<u8>>) {
        if let Some(source) = self.source_mut(id) {
            source.players = players;
            source.tournaments = tournaments;
        }
    }

    /// Looks up a position. Returns `{ games, scored, share, score, moves, list }`.
    pub fn look_up(&self, position: &str, filter: JsValue) -> JsValue {
        value(query(filter).and_then(|query| Ok(lookup::look_up(&self.sources, read(position)?, &query))))
    }

    /// Looks for games with a similar position: the same `edge`, `corner`, `block` or `half`. Returns
    /// `{ games, scored, share, score, list }`.
    pub fn similar(&self, position: &str, part: &str, filter: JsValue) -> JsValue {
        let known = Part::ALL.into_iter().find(|(name, _)| *name == part);
        value(known.ok_or_else(|| format!("part: `{part}` is unknown")).and_then(|(_, part)| {
            Ok(similar::similar(&self.sources, read(position)?, part, &query(filter)?))
        }))
    }

    /// A game of a list in the orientation of the position on the board: `{ start, moves }`.
    pub fn game(&self, id: u32, index: usize, game: usize, ply: usize, position: &str) -> JsValue {
        #[derive(Serialize)]
        struct Moves {
            start: String,
            moves: String,
        }
        let index = self.source(id).and_then(|source| source.indices.get(index));
        value(read(position).and_then(|position| {
            let transformed = index.and_then(|index| lookup::transform(index, game, ply, position));
            let (start, moves) = transformed.ok_or("the game did not reach this position")?;
            Ok(Moves { start: write(&start), moves: moves.iter().map(ToString::to_string).collect() })
        }))
    }

    /// All games of a file in its order:
    /// `[{ start, moves, number, black, white, tournament, year, result }]`.
    pub fn games(&self, id: u32) -> JsValue {
        value(self.source(id).map(Source::list).ok_or("there is no such file"))
    }

    /// The number of games of a file with a player or tournament that is not in lists of these lengths.
    pub fn unnamed(&self, id: u32, players: u32, tournaments: u32) -> usize {
        self.source(id).map_or(0, |source| source.unnamed(players, tournaments))
    }

    /// Bytes of memory of all games.
    pub fn bytes(&self) -> usize {
        self.sources.iter().map(Source::bytes).sum()
    }

    fn source(&self, id: u32) -> Option<&Source> {
        self.sources.iter().find(|source| source.id == id)
    }

    fn source_mut(&mut self, id: u32) -> Option<&mut Source> {
        self.sources.iter_mut().find(|source| source.id == id)
    }
}

/// The names in a file of players or tournaments in order, and the number in its header: `{ names, records }`.
#[wasm_bindgen]
pub fn names_read(bytes: &[u8], tournaments: bool) -> JsValue {
    #[derive(Serialize)]
    struct Read {
        names: Vec<String>,
        records: usize,
    }
    let kind = if tournaments { Names::Tournaments } else { Names::Players };
    let read = wthor::read_whole_names(bytes, kind).map(|(names, records)| Read { names, records });
    value(read.map_err(|error| error.to_string()))
}

/// The most records per call of `add_records`.
#[wasm_bindgen]
pub fn part_size() -> usize {
    index::MAX_GAMES
}

fn query(filter: JsValue) -> Result<Query, String> {
    let Filter { from, to, side, list } =
        serde_wasm_bindgen::from_value(filter).map_err(|error| error.to_string())?;
    let side = side.map(|side| if side == 'X' { Color::Black } else { Color::White });
    Ok(Query { from, to, side, list })
}

fn read(position: &str) -> Result<Position, String> {
    squares::read(position).map_err(|error| error.to_string())
}
