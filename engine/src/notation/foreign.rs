//! Opening books of other programs, which are bytes. Numbers are little-endian.
//!
//! Edax, `book.dat`: `XADEKOOB`, version 4, release, eight bytes of a date, level, number of empty squares, two errors,
//! verbosity, number of positions (four bytes each); then of each position the two boards (a1 is bit 0), games won, drawn,
//! lost and lines (four bytes each), value, lower and upper bound (two bytes each), number of links and level (a byte each),
//! the links and the best of the other moves (score and square, a byte each; 64 is a pass, 65 none). A position is the smallest of
//! its eight symmetric boards. A forced pass is a position with one link.
//!
//! Egaroucid, `.egbk3`: `DICUORAGE`, version 3, number of positions (four bytes); then of each position the two boards
//! (a1 is bit 63, which a symmetry undoes), value and level (a byte each), number of lines (four bytes), and value,
//! square and level of the best of the moves that the book does not have (a byte each; 64 and above is none). A position is the
//! smallest of its eight symmetric boards; the reader does not turn the square with the board.
//! Version 2, `.egbk2`: after the boards value, level, number of moves, and of each move its value and square (a byte each). The
//! position after such a move is an entry of its own with that value, unless the book has it.
//!
//! Sources for the file layout: `src/book.c` of Edax 4.5 (<https://github.com/abulmo/edax-reversi>) and `src/engine/book.hpp`
//! of Egaroucid 7 (<https://github.com/Nyanyan/Egaroucid>).

use std::collections::HashSet;

use super::{ReadError, ReadErrorCode};
use crate::board::{Bitboard, Board, Color, Move, Position, Square, Status};

/// A program whose books can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// Edax.
    Edax,
    /// Egaroucid.
    Egaroucid,
}

/// A position of a book. Values are in discs for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignEntry {
    /// The position.
    pub board: Board,
    /// Its value, `None` if it is not known.
    pub value: Option<i32>,
    /// The best of the moves that are not in the book, and its value.
    pub other: Option<(Square, i32)>,
    /// The level of the search.
    pub level: u8,
    /// The number of games or lines.
    pub games: u32,
}

/// What the header of a book states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of records.
    pub positions: u32,
    /// The highest level of a position.
    pub level: u8,
    /// The least number of empty squares of a position.
    pub empties: u8,
}

/// A pass, and no move, as a square of Edax.
const PASS: u8 = 64;
const NO_MOVE: u8 = 65;
/// No value of Edax.
const NO_SCORE: i8 = -127;
/// Value, square and level of no move of Egaroucid.
const NO_LEAF: [u8; 3] = [NO_VALUE as u8, 125, -1_i8 as u8];
/// Highest value that means no value in the books of both programs.
const NO_VALUE: i8 = -126;

impl Foreign {
    /// Returns the program whose books have this ending of a file name, `None` if their format is not written.
    pub fn of_ending(ending: &str) -> Option<Foreign> {
        match ending {
            "dat" => Some(Foreign::Edax),
            "egbk3" => Some(Foreign::Egaroucid),
            _ => None,
        }
    }

    /// Returns the header of a book.
    pub fn new_header(self, summary: Summary) -> Vec<u8> {
        let Summary { positions, level, empties } = summary;
        let mut bytes = self.magic().to_vec();
        match self {
            Foreign::Edax => {
                // Version, release, and no date.
                bytes.extend([4, 6, 0, 0, 0, 0, 0, 0, 0, 0]);
                // The errors of values and the verbosity have their defaults in Edax.
                for number in [level.into(), empties.into(), 2, 0, 0] {
                    bytes.extend(u32::to_le_bytes(number));
                }
            }
            Foreign::Egaroucid => bytes.push(3),
        }
        bytes.extend(positions.to_le_bytes());
        bytes
    }

    /// Appends the records of a canonical position that has a value. `links` are its moves to other positions of the book, and
    /// their values for the side to move. Edax also has the position before, if the other side passes there.
    pub fn write(self, entry: &ForeignEntry, links: &[(u8, i8)], bytes: &mut Vec<u8>) {
        let value = entry.value.unwrap_or_default() as i8;
        let other = entry.other.map(|(square, value)| (square.index() as u8, value as i8));
        if self == Foreign::Egaroucid {
            boards(entry.board, bytes);
            bytes.extend([value as u8, entry.level]);
            bytes.extend(entry.games.to_le_bytes());
            bytes.extend(other.map_or(NO_LEAF, |(square, value)| [value as u8, square, entry.level]));
            return;
        }
        let mut record = |board: Board, value: i8, links: &[(u8, i8)], (square, score): (u8, i8)| {
            boards(board, bytes);
            // Games won, drawn and lost; the results of the lines are not known.
            bytes.extend([0; 12]);
            bytes.extend(entry.games.to_le_bytes());
            for bound in [value.into(), -64, 64] {
                bytes.extend(i16::to_le_bytes(bound));
            }
            bytes.extend([links.len() as u8, entry.level]);
            for (square, score) in links {
                bytes.extend([*score as u8, *square]);
            }
            bytes.extend([score as u8, square]);
        };
        record(entry.board, value, links, other.unwrap_or((NO_MOVE, NO_SCORE)));
        if let Some(board) = self.pass_before(entry.board) {
            record(board, -value, &[(PASS, -value)], (NO_MOVE, NO_SCORE));
        }
    }

    /// Returns the position in which the other side passes before this one, if the books of the program have it.
    pub fn pass_before(self, board: Board) -> Option<Board> {
        let before = board.after_pass();
        let is_pass = Position::new(before, Color::Black).status() == Status::MustPass;
        (self == Foreign::Edax && is_pass).then(|| before.canonical().0)
    }

    /// Returns the program of a book with these first bytes, `None` if it is another file.
    pub fn of(bytes: &[u8]) -> Option<Foreign> {
        [Foreign::Edax, Foreign::Egaroucid].into_iter().find(|program| bytes.starts_with(program.magic()))
    }

    /// Reads a book. Returns the valid positions, and the errors of the others. A forced pass is replaced by the position after it,
    /// which keeps its own record if it has one.
    ///
    /// # Errors
    /// The invalid field of the header.
    pub fn read(self, bytes: &[u8]) -> Result<(Vec<ForeignEntry>, Vec<String>), ReadError> {
        let invalid = |message: String| ReadError::new(ReadErrorCode::Book, message);
        let mut fields = Fields(bytes);
        let (version, count) = self.header(&mut fields).map_err(invalid)?;
        let known: &[u8] = if self == Foreign::Edax { &[4] } else { &[2, 3] };
        if !known.contains(&version) {
            let known: Vec<String> = known.iter().map(u8::to_string).collect();
            return Err(invalid(format!("the version of the book is {version}, not {}", known.join(" or "))));
        }
        let count =
            u32::try_from(count).map_err(|_| invalid(format!("the number of positions is {count}")))?;
        let (mut positions, mut after, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for number in 1..=count {
            // After an incomplete position, the rest cannot be read.
            let (position, moves) = match self.position(&mut fields, version) {
                Ok(read) => read,
                Err(error) => {
                    errors.push(format!("position {number} of {count}: {error}"));
                    fields.0 = &[];
                    break;
                }
            };
            let failed = |error| format!("position {number}: {error}");
            if let Err(error) = position.check() {
                errors.push(failed(error));
                continue;
            }
            let here = Position::new(position.board, Color::Black);
            if here.status() == Status::MustPass {
                let board = here.after_forced_pass().board();
                after.push(ForeignEntry {
                    board,
                    value: position.value.map(|value| -value),
                    other: None,
                    ..position
                });
                continue;
            }
            for listed in moves {
                match position.after(listed) {
                    Ok(entry) => after.push(entry),
                    Err(error) => errors.push(failed(error)),
                }
            }
            positions.push(position);
        }
        if !after.is_empty() {
            let canonical = |entry: &ForeignEntry| entry.board.canonical().0;
            let mut known: HashSet<Board> = positions.iter().map(canonical).collect();
            positions.extend(after.into_iter().filter(|entry| known.insert(canonical(entry))));
        }
        if !fields.0.is_empty() {
            errors.push(format!("{} bytes follow the {count} positions of the header", fields.0.len()));
        }
        Ok((positions, errors))
    }

    fn magic(self) -> &'static [u8] {
        match self {
            Foreign::Edax => b"XADEKOOB",
            Foreign::Egaroucid => b"DICUORAGE",
        }
    }

    /// Reads the version and the number of positions.
    fn header(self, fields: &mut Fields) -> Result<(u8, i32), String> {
        fields.skip("name of the program", self.magic().len())?;
        let [version] = fields.array("version")?;
        if self == Foreign::Edax {
            // Release, date, level, empty squares, two errors, verbosity.
            fields.skip("settings", 1 + 8 + 5 * 4)?;
        }
        Ok((version, i32::from_le_bytes(fields.array("number of positions")?)))
    }

    /// Reads a position, and the values and squares of its moves in version 2 of Egaroucid's books.
    fn position(self, fields: &mut Fields, version: u8) -> Result<(ForeignEntry, Vec<[u8; 2]>), String> {
        let player = Bitboard(u64::from_le_bytes(fields.array("discs of the side to move")?));
        let opponent = Bitboard(u64::from_le_bytes(fields.array("discs of the other side")?));
        let (games, value, level, score, square);
        let mut moves = Vec::new();
        match self {
            Foreign::Edax => {
                let mut count = |field| fields.array(field).map(u32::from_le_bytes);
                games = count("games won")?
                    .saturating_add(count("games drawn")?)
                    .saturating_add(count("games lost")?)
                    // The solved lines are counted in both.
                    .max(count("number of lines")?);
                value = i32::from(i16::from_le_bytes(fields.array("value")?));
                fields.skip("bounds", 4)?;
                let links;
                [links, level] = fields.array("number of links and level")?;
                fields.skip("links", 2 * usize::from(links))?;
                [score, square] = fields.array("best other move")?;
            }
            Foreign::Egaroucid => {
                let [own, depth] = fields.array::<2>("value and level")?.map(|byte| byte as i8);
                (value, level) = (i32::from(own), depth.max(0) as u8);
                if version == 2 {
                    let [count] = fields.array("number of moves")?;
                    for _ in 0..count {
                        moves.push(fields.array("moves")?);
                    }
                    (games, score, square) = (1, 0, 64);
                } else {
                    games = u32::from_le_bytes(fields.array("number of lines")?);
                    [score, square, _] = fields.array("best other move")?;
                }
            }
        }
        let valued = |value: i32| (-64..=64).contains(&value).then_some(value);
        let known = Some(i32::from(score as i8)).filter(|&score| score > NO_VALUE.into());
        let other = Square::new(square).zip(known);
        let board = Board { player, opponent };
        Ok((ForeignEntry { board, value: valued(value), other, level, games }, moves))
    }
}

impl ForeignEntry {
    /// Returns the position after a move, given by its value and square.
    fn after(&self, [value, square]: [u8; 2]) -> Result<ForeignEntry, String> {
        let square = Square::new(square).ok_or_else(|| format!("the square {square} is not on the board"))?;
        let value = i32::from(value as i8);
        check_value(square, value)?;
        let after = Position::new(self.board, Color::Black).play(Move::Place(square));
        let after = after.map_err(|_| format!("the move {square} is illegal"))?.after_forced_pass();
        let value = Some(if after.side() == Color::Black { value } else { -value });
        Ok(ForeignEntry { board: after.board(), value, other: None, level: self.level, games: 0 })
    }

    fn check(&self) -> Result<(), String> {
        if !(self.board.player & self.board.opponent).is_empty() {
            return Err("a square has two discs".to_owned());
        }
        if let Some((square, value)) = self.other {
            if !self.board.moves().contains(square) {
                return Err(format!("the move {square} is illegal"));
            }
            check_value(square, value)?;
        }
        if self.value.is_none() && self.other.is_none() {
            return Err("the value is missing".to_owned());
        }
        Ok(())
    }
}

fn check_value(square: Square, value: i32) -> Result<(), String> {
    let message = || format!("the value {value} of the move {square} is not between -64 and 64");
    if value.abs() > 64 { Err(message()) } else { Ok(()) }
}

fn boards(board: Board, bytes: &mut Vec<u8>) {
    bytes.extend(board.player.0.to_le_bytes());
    bytes.extend(board.opponent.0.to_le_bytes());
}

/// The bytes that are not read yet.
struct Fields<'b>(&'b [u8]);

fn short(field: &str) -> String {
    format!("the file ends in the field `{field}`")
}

impl Fields<'_> {
    fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], String> {
        let (taken, rest) = self.0.split_first_chunk().ok_or_else(|| short(field))?;
        self.0 = rest;
        Ok(*taken)
    }

    fn skip(&mut self, field: &'static str, count: usize) -> Result<(), String> {
        self.0 = self.0.get(count..).ok_or_else(|| short(field))?;
        Ok(())
    }
}
