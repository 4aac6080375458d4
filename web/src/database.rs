//! The games of a database by the positions they reached, for the page's explorer of openings.
//!
//! A third set of exports, in a module of its own: the page loads it in a worker once somebody asks what was played.
//! Here are games and numbers of names; the names themselves, and the files, are the worker's.
//!
//! | module | holds |
//! | --- | --- |
//! | `play` | the position after a move, a forced pass made; what all symmetric images have in common |
//! | `draft` | games with legal moves, gathered for an index |
//! | `index` | some thousand games by the positions they reached |
//! | `source` | the indices of a file, or of the games on the device |
//! | `lookup` | what was played from a position, and by whom |
//!
//! Values are plain JavaScript objects, a fault is `{ error }`; positions travel as 65 characters, as in `rules`.

mod draft;
mod index;
mod lookup;
mod play;
mod source;
#[cfg(test)]
mod tests;

use outflank::board::{Color, Position};
use outflank::notation::squares;
use outflank::notation::wthor::{self, Names};
use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use draft::PlainGame;
use lookup::Query;
use source::Source;

/// All games that can be asked for, by the file that they came from.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Database {
    sources: Vec<Source>,
}

/// Which games are asked for, besides the names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Wanted {
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

    /// Makes room for a file of games, in place of what had its number. `header` is how the file begins:
    /// `{ records, year, written, first, size }`, the year null where the one that is written makes no sense; a game
    /// has `size` bytes, and `first` come before all.
    pub fn open(&mut self, id: u32, header: &[u8]) -> JsValue {
        let opened = Source::open(id, header).map(|(source, opened)| {
            self.remove(id);
            self.sources.push(source);
            opened
        });
        value(opened.map_err(|error| error.to_string()))
    }

    /// Takes the next records of a file, at most `part_size()`: `{ taken, faults }`.
    pub fn add_records(&mut self, id: u32, records: &[u8]) -> JsValue {
        let source = self.sources.iter_mut().find(|source| source.id == id);
        value(source.map(|source| source.add_records(records)).ok_or("there is no such file"))
    }

    /// Takes the games of the device, in place of what had that number: a list of
    /// `{ start, moves, black, white, tournament, year, result, base }`. A game that came from a file which is here
    /// is left to it.
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

    /// Forgets the games of a file.
    pub fn remove(&mut self, id: u32) {
        self.sources.retain(|source| source.id != id);
    }

    /// From now on only games of these players and tournaments are wanted: a byte for each number, 0 where it is
    /// not wanted; nothing where all are.
    pub fn want(&mut self, id: u32, players: Option<Vec<u8>>, tournaments: Option<Vec<u8>>) {
        if let Some(source) = self.sources.iter_mut().find(|source| source.id == id) {
            source.players = players;
            source.tournaments = tournaments;
        }
    }

    /// What was played from a position: `{ games, scored, share, score, moves, list }`.
    pub fn look_up(&self, position: &str, wanted: JsValue) -> JsValue {
        let wanted = serde_wasm_bindgen::from_value(wanted).map_err(|error| error.to_string());
        value(wanted.and_then(|Wanted { from, to, side, list }: Wanted| {
            let side = side.map(|side| if side == 'X' { Color::Black } else { Color::White });
            Ok(lookup::look_up(&self.sources, read(position)?, &Query { from, to, side, list }))
        }))
    }

    /// A game of a list as it passes through the position that lies on the board: `{ start, moves }`.
    pub fn game(&self, id: u32, index: usize, game: usize, ply: usize, position: &str) -> JsValue {
        #[derive(Serialize)]
        struct Moves {
            start: String,
            moves: String,
        }
        let source = self.sources.iter().find(|source| source.id == id);
        let index = source.and_then(|source| source.indices.get(index));
        value(read(position).and_then(|position| {
            let turned = index.and_then(|index| lookup::turn(index, game, ply, position));
            let turned = turned.ok_or("the game did not reach this position")?;
            let moves = turned.moves.iter().map(ToString::to_string).collect();
            Ok(Moves { start: write(&turned.start), moves })
        }))
    }

    /// All games of a file in its order, for a list of them:
    /// `[{ start, moves, number, black, white, tournament, year, result }]`.
    pub fn games(&self, id: u32) -> JsValue {
        let source = self.sources.iter().find(|source| source.id == id);
        value(source.map(Source::list).ok_or("there is no such file"))
    }

    /// Games of a file with a number that lists of so many names do not hold.
    pub fn unnamed(&self, id: u32, players: u32, tournaments: u32) -> usize {
        let source = self.sources.iter().find(|source| source.id == id);
        source.map_or(0, |source| source.unnamed(players, tournaments))
    }

    /// Bytes of memory that all games take.
    pub fn bytes(&self) -> usize {
        self.sources.iter().map(Source::bytes).sum()
    }
}

/// The names in a file of players or tournaments, in the order of their numbers, and how many there should be:
/// `{ names, records }`.
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

/// As many records as are taken at once.
#[wasm_bindgen]
pub fn part_size() -> usize {
    index::MOST_GAMES
}

fn read(position: &str) -> Result<Position, String> {
    squares::read(position).map_err(|error| error.to_string())
}

fn write(position: &Position) -> String {
    squares::write(position).replace(' ', "")
}

/// A result as a JavaScript value. Objects made of plain fields cannot fail to become one.
fn value<T: Serialize, E: Serialize>(result: Result<T, E>) -> JsValue {
    #[derive(Serialize)]
    struct Failed<E> {
        error: E,
    }
    let plain = Serializer::json_compatible();
    match result {
        Ok(found) => found.serialize(&plain),
        Err(error) => Failed { error }.serialize(&plain),
    }
    .unwrap_or(JsValue::NULL)
}
