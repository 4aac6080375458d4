//! WTHOR, the database of tournament games kept by the French federation.
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
//! discs after perfect play, and 60 moves (row × 10 + column, 0 = none, passes left out). A player's name has 20
//! bytes, a tournament's 26, in Latin-1, ended by a zero.
//!
//! Source: "Format de la base WTHOR", Fédération Française d'Othello.

mod write;

use std::fmt;

use super::error::IllegalAt;
use super::transcript;
use crate::board::{Move, Square};
use crate::game::{Ending, Game, GameResult};
use crate::score::Discs;

pub use write::{Cut, Unfit, write, write_names};

/// A file of games (`.wtb`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// The year of the games.
    pub year: u16,
    /// Number of empty squares from which on [`Record::best`] counts on perfect play.
    pub depth: u8,
    /// The games.
    pub games: Vec<Record>,
}

/// A game as it stands in the file, its moves unchecked.
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
    /// Black's discs after perfect play from [`Database::depth`] empty squares on.
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

/// The bytes are not a file of the database, or a game in it is faulty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WthorError {
    /// Shorter than the header.
    Header {
        /// Number of bytes.
        bytes: usize,
    },
    /// Not a file of games on the usual board.
    Kind {
        /// The board size as written.
        size: u8,
        /// Whether it holds solitaire problems.
        solitaires: bool,
    },
    /// The file ends before its last record.
    Truncated {
        /// Number of records by the header.
        records: usize,
        /// Number of whole records in the file.
        found: usize,
    },
    /// A byte that stands for no square.
    Unparsable {
        /// Which move, from 1.
        number: usize,
        /// The byte.
        byte: u8,
    },
    /// A move against the rules.
    Illegal(IllegalAt),
}

/// Bytes of the header of a file.
pub const HEADER: usize = 16;
/// Bytes of a game.
pub const RECORD: usize = 68;

/// What the header of a file of games says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Number of games.
    pub records: usize,
    /// The year of the games.
    pub year: u16,
    /// Number of empty squares from which on [`Record::best`] counts on perfect play.
    pub depth: u8,
}
/// The tag of the score after perfect play, Black's discs first, and that of the number of empty squares it counts from.
const BEST: &str = "TheoreticalScore";
const BEST_FROM: &str = "TheoreticalEmpties";

/// Reads a file of games. Their moves are checked by [`Record::game`], one game at a time.
pub fn read(bytes: &[u8]) -> Result<Database, WthorError> {
    match read_found(bytes)? {
        (database, 0) => Ok(database),
        (database, missing) => {
            let found = database.games.len();
            Err(WthorError::Truncated { records: found + missing, found })
        }
    }
}

/// Like [`read`], for a file that may have been cut off: also tells how many games are missing at its end.
pub fn read_found(bytes: &[u8]) -> Result<(Database, usize), WthorError> {
    let Header { records, year, depth } = read_header(bytes)?;
    let (_, body) = split_header(bytes)?;
    let games: Vec<Record> = read_records(body).take(records).collect();
    let missing = records - games.len();
    Ok((Database { year, depth, games }, missing))
}

/// Reads the header of a file of games, whatever follows it.
pub fn read_header(bytes: &[u8]) -> Result<Header, WthorError> {
    let (header, _) = split_header(bytes)?;
    let (size, solitaires) = (header[12], header[13] == 1);
    if !matches!(size, 0 | 8) || solitaires {
        return Err(WthorError::Kind { size, solitaires });
    }
    let records = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    Ok(Header { records, year: u16::from_le_bytes([header[10], header[11]]), depth: header[14] })
}

/// The whole records in a part of a file that begins with one: for who reads a large file in parts, or takes what a
/// file cut short still holds.
pub fn read_records(part: &[u8]) -> impl Iterator<Item = Record> {
    part.chunks_exact(RECORD).map(read_record)
}

/// Reads a file of names, in the order of their numbers.
pub fn read_names(bytes: &[u8], names: Names) -> Result<Vec<String>, WthorError> {
    let (found, records) = read_whole_names(bytes, names)?;
    if found.len() < records {
        return Err(WthorError::Truncated { records, found: found.len() });
    }
    Ok(found)
}

/// Reads the names that a file holds, which may have been cut short, and how many it is meant to hold.
pub fn read_whole_names(bytes: &[u8], names: Names) -> Result<(Vec<String>, usize), WthorError> {
    let (header, body) = split_header(bytes)?;
    let size = match names {
        Names::Players => 20,
        Names::Tournaments => 26,
    };
    let records = match u16::from_le_bytes([header[8], header[9]]) {
        // Some programs count names where games are counted.
        0 => u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize,
        records => usize::from(records),
    };
    let name = |bytes: &[u8]| {
        let latin_1 = bytes.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte));
        latin_1.collect::<String>().trim().to_owned()
    };
    Ok((body.chunks_exact(size).take(records).map(name).collect(), records))
}

fn split_header(bytes: &[u8]) -> Result<(&[u8; HEADER], &[u8]), WthorError> {
    bytes.split_first_chunk().ok_or(WthorError::Header { bytes: bytes.len() })
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
    /// The squares in the order of play, each as it can be read.
    pub fn squares(&self) -> impl Iterator<Item = Result<Square, WthorError>> {
        let bytes = self.moves.iter().take_while(|&&byte| byte != 0);
        bytes
            .enumerate()
            .map(|(index, &byte)| square_of(byte).ok_or(WthorError::Unparsable { number: index + 1, byte }))
    }

    /// Plays the moves; missing passes are put in. Players and tournament stay numbers: see [`Database::game`].
    pub fn game(&self) -> Result<Game, WthorError> {
        let mut game = Game::default();
        for (index, square) in self.squares().enumerate() {
            let number = index + 1;
            let mv = Move::Place(square?);
            if index == 0 {
                game = Game::new(transcript::start_of(mv));
            }
            game.play_passing(mv).map_err(|reason| WthorError::Illegal(IllegalAt { number, mv, reason }))?;
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
    /// Plays the moves of a record and names its players, tournament and year; a number without a name stays
    /// without.
    pub fn game(
        &self,
        record: &Record,
        players: &[String],
        tournaments: &[String],
    ) -> Result<Game, WthorError> {
        let mut game = record.game()?;
        let name = |names: &[String], number: u16| {
            names.get(usize::from(number)).filter(|name| !name.is_empty()).cloned()
        };
        game.tags.black.name = name(players, record.black);
        game.tags.white.name = name(players, record.white);
        game.tags.place = name(tournaments, record.tournament);
        game.tags.date = Some(self.year.to_string());
        // As Cassio names it.
        if self.depth > 0 {
            game.tags.keep(BEST, &format!("{}-{}", record.best, 64 - record.best.min(64)));
            game.tags.keep(BEST_FROM, &self.depth.to_string());
        }
        Ok(game)
    }
}

/// The square of a move byte.
fn square_of(byte: u8) -> Option<Square> {
    Square::at((byte % 10).checked_sub(1)?, (byte / 10).checked_sub(1)?)
}

impl fmt::Display for WthorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WthorError::Header { bytes } => write!(f, "the file has {bytes} bytes, less than its header"),
            WthorError::Kind { solitaires: true, .. } => {
                f.write_str("the file holds solitaire problems, not games")
            }
            WthorError::Kind { size, .. } => write!(f, "the board has {size} columns instead of 8"),
            WthorError::Truncated { records, found } => {
                write!(f, "the file ends after {found} of {records} records")
            }
            WthorError::Unparsable { number, byte } => {
                write!(f, "move {number} cannot be read: {byte} is not row x 10 + column")
            }
            WthorError::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl std::error::Error for WthorError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    /// A file of `games`, whose transcripts are given.
    fn file(games: &[&str]) -> Vec<u8> {
        let mut bytes = vec![20, 3, 1, 31];
        bytes.extend((games.len() as u32).to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(2002u16.to_le_bytes());
        bytes.extend([8, 0, 22, 0]);
        for game in games {
            bytes.extend([1, 0, 2, 0, 0, 1, 40, 36]);
            let moves = game.as_bytes().chunks(2).map(|m| (m[1] - b'0') * 10 + m[0] - b'a' + 1);
            let mut moves: Vec<u8> = moves.collect();
            moves.resize(60, 0);
            bytes.extend(moves);
        }
        bytes
    }

    #[test]
    fn games_with_their_names() {
        let bytes = file(&["f5d6c3", "c4c3e6b4a4a5b2a3c1", "d6"]);
        let database = read(&bytes).unwrap();
        assert_eq!((database.year, database.depth, database.games.len()), (2002, 22, 3));
        let players: Vec<String> = ["Ann", "Bob", "Cem"].map(str::to_owned).to_vec();
        let game = database.game(&database.games[0], &players, &[]).unwrap();
        assert_eq!(transcript::write(&game), "f5d6c3");
        assert_eq!(game.tags.black.name.as_deref(), Some("Cem"));
        assert_eq!(game.tags.white.name, None);
        assert_eq!(game.tags.result.map(|r| r.score), Some(Score::from(Discs::new(16))));
        assert_eq!(database.games[1].game().unwrap().plies(), 10);
        assert!(database.games[2].game().is_ok());
        let blank = read_records(&[0; RECORD]).next().unwrap();
        assert_eq!(blank.game().unwrap().tags.result, None);
        let lost = Record { moves: database.games[0].moves, ..blank };
        assert_eq!(lost.score(), Some(Discs::new(-64)));
        assert_eq!(Record { discs: 65, ..lost }.score(), None);
    }

    #[test]
    fn names_in_latin_1() {
        let mut bytes = vec![20, 3, 1, 31, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(b"J\xe9r\xf4me\0garbage------");
        bytes.extend([b'x'; 20]);
        let names = read_names(&bytes, Names::Players).unwrap();
        assert_eq!(names, ["Jérôme".to_owned(), "x".repeat(20)]);
        assert_eq!(
            read_names(&bytes, Names::Tournaments),
            Err(WthorError::Truncated { records: 2, found: 1 })
        );
    }

    #[test]
    fn the_fault_is_named() {
        let bytes = file(&["f5d6c3"]);
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length}");
        }
        let three = file(&["f5d6c3", "f5", "d3"]);
        for length in HEADER..three.len() {
            let (database, missing) = read_found(&three[..length]).unwrap();
            assert_eq!(database.games.len() + missing, 3);
            assert_eq!(database.games.len(), (length - HEADER) / RECORD);
        }
        let with = |at: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            read(&bytes).and_then(|database| database.games[0].game()).unwrap_err().to_string()
        };
        assert_eq!(with(12, 10), "the board has 10 columns instead of 8");
        assert_eq!(with(13, 1), "the file holds solitaire problems, not games");
        assert_eq!(with(7, 255), "the file ends after 1 of 4278190081 records");
        assert_eq!(with(25, 9), "move 2 cannot be read: 9 is not row x 10 + column");
        assert_eq!(with(25, 99), "move 2 cannot be read: 99 is not row x 10 + column");
        assert_eq!(with(25, 11), "move 2 (a1) is illegal: a1 flips nothing");
    }
}
