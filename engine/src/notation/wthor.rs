//! WTHOR, the database of tournament games of the French federation.
//!
//! Three kinds of binary files share a header of 16 bytes (numbers are little-endian):
//!
//! | byte | holds |
//! | --- | --- |
//! | 0–3 | date of creation: century, year, month, day |
//! | 4–7 | number of games (`.wtb`) |
//! | 8–9 | number of names (`.jou`, `.trn`) |
//! | 10–11 | year of the games |
//! | 12 | board size, 0 or 8 |
//! | 13 | 1 for solitaire problems instead of games |
//! | 14 | number of empty squares at which the theoretical score was computed |
//! | 15 | unused |
//!
//! A game has 68 bytes: numbers of tournament, black and white player (two bytes each), Black's discs, Black's
//! discs after perfect play, and 60 moves (row × 10 + column, 0 = none, passes omitted). A player's name has 20
//! bytes, a tournament's 26, in Latin-1, ended by a zero.
//!
//! Source: "Format de la base WTHOR", Fédération Française d'Othello.

mod write;

use super::ReadError;
use super::ReadErrorCode::{Wthor, WthorMove, WthorShort};
use super::transcript;
use crate::board::{Move, Square};
use crate::game::{Ending, Game, GameResult};
use crate::score::Discs;

pub use write::{write, write_names};

/// A file of games (`.wtb`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// The year of the games.
    pub year: u16,
    /// [`Record::best`] is the score after perfect play from this number of empty squares.
    pub depth: u8,
    /// The games.
    pub games: Vec<Record>,
}

/// A game as it is in the file. Its moves are unchecked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Number of the tournament in the file of tournaments.
    pub tournament: u16,
    /// Number of the black player in the file of players.
    pub black: u16,
    /// Number of the white player.
    pub white: u16,
    /// Black's discs at the end, 0 to 64, empty squares given to the winner.
    pub discs: u8,
    /// Black's discs after perfect play from [`Database::depth`] empty squares.
    pub best: u8,
    /// The moves: row × 10 + column, 0 = none.
    pub moves: [u8; 60],
}

/// Which file of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// `.jou`
    Players,
    /// `.trn`
    Tournaments,
}

/// Bytes of the header of a file.
pub const HEADER: usize = 16;
/// Bytes of a game.
pub const RECORD: usize = 68;

/// The header of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Number of games.
    pub records: usize,
    /// The year of the games.
    pub year: u16,
    /// [`Record::best`] is the score after perfect play from this number of empty squares.
    pub depth: u8,
}

/// The tag of the score after perfect play, Black's discs first.
const BEST: &str = "TheoreticalScore";
/// The tag of [`Database::depth`].
const BEST_DEPTH: &str = "TheoreticalEmpties";

/// Reads a file of games. Their moves are checked by [`Record::game`], one game at a time. The error beside the games is that of
/// a file that does not end with the last game of its header.
pub fn read(bytes: &[u8]) -> Result<(Database, Option<ReadError>), ReadError> {
    let Header { records, year, depth } = read_header(bytes)?;
    let (_, body) = split_header(bytes)?;
    let games: Vec<Record> = read_records(body).take(records).collect();
    let error = wrong_end(body.len(), RECORD, games.len(), records);
    Ok((Database { year, depth, games }, error))
}

/// Reads the header of a file of games.
pub fn read_header(bytes: &[u8]) -> Result<Header, ReadError> {
    let (header, _) = split_header(bytes)?;
    let (size, solitaires) = (header[12], header[13] == 1);
    if solitaires {
        return Err(ReadError::new(Wthor, "the file holds solitaire problems, not games"));
    }
    if !matches!(size, 0 | 8) {
        return Err(ReadError::new(Wthor, format!("the board has {size} columns instead of 8")));
    }
    Ok(Header {
        records: number_of_games(header),
        year: u16::from_le_bytes([header[10], header[11]]),
        depth: header[14],
    })
}

/// The complete records in a part of a file that begins with a record.
pub fn read_records(part: &[u8]) -> impl Iterator<Item = Record> {
    part.chunks_exact(RECORD).map(read_record)
}

/// Reads a file of names, in the order of their numbers.
pub fn read_names(bytes: &[u8], names: Names) -> Result<Vec<String>, ReadError> {
    let (found, records) = read_whole_names(bytes, names)?;
    wrong_end(bytes.len() - HEADER, names.size(), found.len(), records).map_or(Ok(found), Err)
}

/// Reads the names of a file that may be truncated. Also returns the number of names in its header.
pub fn read_whole_names(bytes: &[u8], names: Names) -> Result<(Vec<String>, usize), ReadError> {
    let (header, body) = split_header(bytes)?;
    let records = match u16::from_le_bytes([header[8], header[9]]) {
        // Some programs write the number of names in the field of the games.
        0 => number_of_games(header),
        records => usize::from(records),
    };
    let name = |bytes: &[u8]| {
        let latin_1 = bytes.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte));
        latin_1.collect::<String>().trim().to_owned()
    };
    Ok((body.chunks_exact(names.size()).take(records).map(name).collect(), records))
}

impl Names {
    /// Bytes of a name.
    fn size(self) -> usize {
        if self == Names::Players { 20 } else { 26 }
    }
}

fn split_header(bytes: &[u8]) -> Result<(&[u8; HEADER], &[u8]), ReadError> {
    bytes.split_first_chunk().ok_or_else(|| {
        let bytes = bytes.len();
        ReadError::new(Wthor, format!("the file has {bytes} bytes, less than its header of {HEADER}"))
    })
}

fn number_of_games(header: &[u8; HEADER]) -> usize {
    u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize
}

fn read_record(bytes: &[u8]) -> Record {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let word = |at: usize| u16::from_le_bytes([byte(at), byte(at + 1)]);
    Record {
        tournament: word(0),
        black: word(2),
        white: word(4),
        discs: byte(6),
        best: byte(7),
        moves: std::array::from_fn(|index| byte(8 + index)),
    }
}

impl Record {
    /// The squares in the order of play.
    pub fn squares(&self) -> impl Iterator<Item = Result<Square, ReadError>> {
        let bytes = self.moves.iter().take_while(|&&byte| byte != 0);
        bytes.enumerate().map(|(index, &byte)| square_of(byte).ok_or_else(|| no_square(index + 1, byte)))
    }

    /// Plays the moves and inserts passes. The game has no names: see [`Database::game`].
    pub fn game(&self) -> Result<Game, ReadError> {
        let mut game = Game::default();
        for (index, square) in self.squares().enumerate() {
            let number = index + 1;
            let mv = Move::Place(square?);
            if index == 0 {
                game = Game::new(transcript::start_of(mv));
            }
            game.play_passing(mv).map_err(|reason| ReadError::illegal(number, mv, reason))?;
        }
        let result = |score: Discs| GameResult { score: score.into(), ending: Ending::Played };
        game.tags.result = self.score().map(result);
        Ok(game)
    }

    /// The result for Black. `None` if the discs are more than 64, or if the record has neither discs nor moves.
    pub fn score(&self) -> Option<Discs> {
        let blank = self.discs == 0 && self.moves[0] == 0;
        (self.discs <= 64 && !blank).then(|| Discs::new(2 * i32::from(self.discs) - 64))
    }
}

impl Database {
    /// Plays the moves of a record and adds its players, tournament and year. A number without a name adds nothing.
    pub fn game(
        &self,
        record: &Record,
        players: &[String],
        tournaments: &[String],
    ) -> Result<Game, ReadError> {
        let mut game = record.game()?;
        let name = |names: &[String], number: u16| {
            names.get(usize::from(number)).filter(|name| !name.is_empty()).cloned()
        };
        game.tags.black.name = name(players, record.black);
        game.tags.white.name = name(players, record.white);
        game.tags.place = name(tournaments, record.tournament);
        game.tags.date = Some(self.year.to_string());
        // Cassio's names.
        if self.depth > 0 {
            game.tags.keep(BEST, &format!("{}-{}", record.best, 64 - record.best.min(64)));
            game.tags.keep(BEST_DEPTH, &self.depth.to_string());
        }
        Ok(game)
    }
}

/// The square of a move byte.
fn square_of(byte: u8) -> Option<Square> {
    Square::at((byte % 10).checked_sub(1)?, (byte / 10).checked_sub(1)?)
}

fn no_square(number: usize, byte: u8) -> ReadError {
    let message = format!("move {number} cannot be read: {byte} is not row x 10 + column");
    ReadError { excerpt: byte.to_string(), ..ReadError::new(WthorMove, message) }.at_move(number)
}

/// The error of a body of `length` bytes that does not end with the last of its records.
fn wrong_end(length: usize, size: usize, found: usize, records: usize) -> Option<ReadError> {
    let more = length - found * size;
    if found < records {
        let message = format!("the file ends after {found} of {records} records");
        return Some(ReadError::new(WthorShort, message));
    }
    (more > 0)
        .then(|| ReadError::new(Wthor, format!("{more} bytes follow the {records} records of the header")))
}
