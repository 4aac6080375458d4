//! Opening books in text form.
//!
//! Blank lines and lines that begin with `%` are skipped. Every other line has one of these forms:
//!
//! ```text
//! % moves from the start, then the value of the position they lead to, for Black
//! f5d6c3d3c4 +0.50
//! f5f6e6f4 -4
//! % a finished game needs no value
//! f5d6c3…h8
//! % a position with the values of some of its moves, for the side to move (OBF)
//! ---------------------------OX------XO--------------------------- X; F5:+0.20; E6:+0.20;
//! % a position with its own value, for the side to move, and the move of the value if it is known
//! ---------------------------OX------XO--------------------------- X; +0.20 f5;
//! % a finished game in GGF
//! (;GM[Othello]PB[a]PW[b]TY[8]BO[8 …]B[F5]W[D6]…;)
//! ```
//!
//! A value has a sign. Without decimals it is a proven final score, with decimals an estimate.

use std::borrow::Cow;

use super::{ReadError, ReadErrorCode, ggf, moves, number, obf, squares, transcript};
use crate::board::{Move, Position, Square};
use crate::game::Game;
use crate::score::Score;

/// A line of a book.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Moves, and the value for Black of the position after them.
    Line(Box<Game>, BookValue),
    /// A position, its own value with its move, and the values of some of its moves, for the side to move.
    Position(Position, Option<(BookValue, Option<Square>)>, Vec<(Move, BookValue)>),
}

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookValue {
    /// The value.
    pub score: Score,
    /// The value is the proven final score, not an estimate.
    pub exact: bool,
}

impl std::ops::Neg for BookValue {
    type Output = BookValue;

    fn neg(self) -> BookValue {
        BookValue { score: -self.score, ..self }
    }
}

/// Reads a book.
///
/// # Errors
///
/// The first invalid line.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !obf::is_silent(line)) {
        read_line(line, &mut entries).map_err(|error| error.in_line(index + 1))?;
    }
    Ok(entries)
}

fn read_line(line: &str, entries: &mut Vec<Entry>) -> Result<(), ReadError> {
    let valued = |text: &str| {
        let message = "the value {} is not a number from -64 to 64";
        read_value(text).ok_or_else(|| ReadError::quoting(ReadErrorCode::Book, text, message))
    };
    let unfinished = || ReadError::new(ReadErrorCode::Book, "the value is missing, and the game is not over");
    if ggf::begins(line) {
        for game in ggf::read_all(line)? {
            let value = final_score(&game).ok_or_else(unfinished)?;
            entries.push(Entry::Line(Box::new(game), value));
        }
    } else if squares::begins(line) {
        let (line, own) = split_own(line);
        let (position, values) = obf::read_valued(&line, "value", "a number", read_value)?;
        let own = own.map(|own| {
            let (value, best) = own.split_once(char::is_whitespace).unwrap_or((own, ""));
            let best = if best.is_empty() { None } else { Some(moves::read(best)?) };
            if let Some(mv) = best {
                position.play(mv).map_err(|reason| ReadError::illegal(1, mv, reason))?;
            }
            Ok::<_, ReadError>((valued(value)?, best.and_then(Move::square)))
        });
        entries.push(Entry::Position(position, own.transpose()?, values));
    } else {
        let (moves, value) = split_value(line);
        let game = transcript::read(moves)?;
        let value = match value {
            Some(text) => valued(text)?,
            None => final_score(&game).ok_or_else(unfinished)?,
        };
        entries.push(Entry::Line(Box::new(game), value));
    }
    Ok(())
}

/// The final score of a finished game, for Black. `None` if the game is not over.
fn final_score(game: &Game) -> Option<BookValue> {
    game.final_score().map(|result| BookValue { score: result.score, exact: true })
}

/// The line without the position's own value, and that value: the first entry if it begins with a sign and has no move.
fn split_own(line: &str) -> (Cow<'_, str>, Option<&str>) {
    if let Some((position, rest)) = line.split_once(';') {
        let (own, rest) = rest.split_once(';').unwrap_or((rest, ""));
        if own.trim().starts_with(['+', '-']) && !own.contains(':') {
            return (Cow::Owned(format!("{position};{rest}")), Some(own.trim()));
        }
    }
    (Cow::Borrowed(line), None)
}

/// The moves of a line, and the value after them: the last word if it begins with a sign.
fn split_value(line: &str) -> (&str, Option<&str>) {
    let line = line.trim_end();
    match line.rsplit_once(|c: char| c.is_whitespace() || c == ':') {
        Some((moves, last)) if last.starts_with(['+', '-']) && last != "--" => (moves, Some(last)),
        _ => (line, None),
    }
}

fn read_value(text: &str) -> Option<BookValue> {
    let text = text.trim();
    if text.parse::<i32>().is_ok() {
        return number::read_discs(text).map(|discs| BookValue { score: discs.into(), exact: true });
    }
    let discs = number::read(text).filter(|discs| (-64.0..=64.0).contains(discs))?;
    Score::from_discs(discs).map(|score| BookValue { score, exact: false })
}
