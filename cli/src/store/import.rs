//! Books of other programs.
//!
//! Edax, `book.dat` (numbers are little-endian): `XADEKOOB`, version 4, release, eight bytes of a date, level, number of
//! empty squares, two errors, verbosity, number of positions (four bytes each); then of each position the two boards
//! (a1 is bit 0), games won, drawn, lost and lines (four bytes each), value, lower and upper bound (two bytes each),
//! number of links and level (a byte each), the links and the best of the other moves (score and square, a byte each;
//! 64 is a pass, 65 none).
//!
//! Egaroucid, `.egbk3`: `DICUORAGE`, version 3, number of positions (four bytes); then of each position the two boards
//! (a1 is bit 63, which a symmetry undoes), value and level (a byte each), number of lines (four bytes), and value,
//! square and level of the best of the moves that the book does not have (a byte each; 64 and above is none).
//!
//! Sources for the file layout: `src/book.c` of Edax 4.5 (<https://github.com/abulmo/edax-reversi>) and `src/engine/book.hpp` of Egaroucid 7
//! (<https://github.com/Nyanyan/Egaroucid>).

use std::collections::HashSet;

use outflank::board::{Bitboard, Board, Color, Position, Square, Status};
use outflank::book::{Key, OwnValue};
use outflank::score::{Discs, Score};

use super::edit::digest;
use super::error::StoreError;
use super::store::Store;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    Edax,
    Egaroucid,
}

/// Returns the program of a book with these first bytes, `None` if it is another file.
pub fn foreign(bytes: &[u8]) -> Option<Foreign> {
    [Foreign::Edax, Foreign::Egaroucid].into_iter().find(|program| bytes.starts_with(program.magic()))
}

/// Number of positions between two reports of progress.
const BATCH: usize = 4096;

struct ForeignEntry {
    board: Board,
    value: Option<i32>,
    /// The best of the moves that are not in the book, and its value.
    other: Option<(Square, i32)>,
    level: u8,
    games: u32,
}

impl Foreign {
    /// Adds all positions of a book in one transaction. The caller backs the values up. Returns the number of positions and
    /// the errors of skipped positions, or `None` if the file was added before. `report` receives the number of positions done
    /// and the number of all.
    pub fn import(
        self,
        bytes: &[u8],
        store: &Store,
        mut report: impl FnMut(u64, u64),
    ) -> Result<(Option<u64>, Vec<String>), StoreError> {
        let mut errors = Vec::new();
        let mut boards = HashSet::new();
        let mut positions = Vec::new();
        let mut rest = bytes;
        let count = self.header(&mut rest).map_err(StoreError::new)?;
        for number in 1..=count {
            // After an incomplete position, the rest cannot be read.
            let Some(position) = self.position(&mut rest) else {
                errors.push(format!("position {number} of {count}: the file ends in the middle of it"));
                break;
            };
            match position.check() {
                Ok(()) => {
                    boards.insert(Key::of(position.board).0);
                    positions.push(position);
                }
                Err(error) => errors.push(format!("position {number}: {error}")),
            }
        }
        let all = positions.len() as u64;
        let new = store.change_deferred(|edit| {
            if !edit.add_source(&digest(bytes.iter().copied()))? {
                return Ok(false);
            }
            for (done, position) in positions.iter().enumerate() {
                let (key, symmetry) = Key::of(position.board);
                let linked = key.children().any(|child| boards.contains(&child.key));
                let own = position.own(linked, |square| symmetry.square(square));
                edit.positions.change(&key, |entry| entry.add(position.games, own))?;
                if done % BATCH == 0 {
                    report(done as u64, all);
                }
            }
            Ok(true)
        })?;
        Ok((new.then_some(all), errors))
    }

    fn magic(self) -> &'static [u8] {
        match self {
            Foreign::Edax => b"XADEKOOB",
            Foreign::Egaroucid => b"DICUORAGE",
        }
    }

    /// Reads the header and returns the number of positions.
    fn header(self, rest: &mut &[u8]) -> Result<u64, String> {
        // Edax: release, date, level, empty squares, two errors, verbosity.
        let (version, skipped) = if self == Foreign::Edax { (4, 1 + 8 + 5 * 4) } else { (3, 0) };
        let short = || "the file ends in its header".to_owned();
        skip(rest, self.magic().len()).ok_or_else(short)?;
        let [found] = array(rest).ok_or_else(short)?;
        if found != version {
            return Err(format!("the book is of version {found}, not {version}"));
        }
        skip(rest, skipped).ok_or_else(short)?;
        let count = i32::from_le_bytes(array(rest).ok_or_else(short)?);
        u64::try_from(count).map_err(|_| format!("{count} positions"))
    }

    fn position(self, rest: &mut &[u8]) -> Option<ForeignEntry> {
        let [player, opponent] = [array(rest)?, array(rest)?].map(u64::from_le_bytes).map(Bitboard);
        let (games, value, level, score, square);
        match self {
            Foreign::Edax => {
                let [won, drawn, lost] = [array(rest)?, array(rest)?, array(rest)?].map(u32::from_le_bytes);
                games = won.saturating_add(drawn).saturating_add(lost);
                skip(rest, 4)?;
                value = i32::from(i16::from_le_bytes(array(rest)?));
                skip(rest, 4)?;
                let links;
                [links, level] = array(rest)?;
                skip(rest, 2 * usize::from(links))?;
                [score, square] = array(rest)?;
            }
            Foreign::Egaroucid => {
                let [own, depth] = array::<2>(rest)?.map(|byte| byte as i8);
                (value, level) = (i32::from(own), depth.max(0) as u8);
                games = u32::from_le_bytes(array(rest)?);
                [score, square, _] = array(rest)?;
            }
        }
        let valued = |value: i32| (-64..=64).contains(&value).then_some(value);
        let other = Square::new(square).zip(valued(i32::from(score as i8)));
        Some(ForeignEntry { board: Board { player, opponent }, value: valued(value), other, level, games })
    }
}

impl ForeignEntry {
    fn check(&self) -> Result<(), String> {
        if !(self.board.player & self.board.opponent).is_empty() {
            return Err("a square has two discs".to_owned());
        }
        if let Some((square, _)) = self.other
            && !self.board.moves().contains(square)
        {
            return Err(format!("the move {square} is illegal"));
        }
        match Position::new(self.board, Color::Black).status() {
            // The position after the pass is in the book instead.
            Status::MustPass => Err("the side to move must pass".to_owned()),
            _ if self.value.is_none() && self.other.is_none() => Err("the value is missing".to_owned()),
            _ => Ok(()),
        }
    }

    /// Returns the value of a position without children in the book, else that of the best move that is not in the book.
    fn own(&self, linked: bool, transform: impl Fn(Square) -> Square) -> Option<OwnValue> {
        if self.board.is_over() {
            return Some(OwnValue::of_end(self.board));
        }
        let score = |value| Score::from(Discs::new(value));
        let own =
            |value, best| OwnValue { score: score(value), exact: false, best, depth: self.level.min(60) };
        match (self.other, self.value) {
            (Some((square, value)), _) if linked => Some(own(value, Some(transform(square)))),
            (None, _) if linked => None,
            (other, Some(value)) => Some(own(value, other.map(|(square, _)| transform(square)))),
            (Some((square, value)), None) => Some(own(value, Some(transform(square)))),
            (None, None) => None,
        }
    }
}

/// Takes the first bytes of `rest`. `None` if there are fewer.
fn array<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*taken)
}

fn skip(rest: &mut &[u8], count: usize) -> Option<()> {
    *rest = rest.get(count..)?;
    Some(())
}
