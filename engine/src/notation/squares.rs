//! Positions as 64 squares and the side to move.
//!
//! The squares run from a1 row by row. Programs differ in the characters; all these are understood:
//!
//! | square | characters |
//! | --- | --- |
//! | black | `*` `x` `X` `b` `B` `#` `●` `⚫` |
//! | white | `O` `o` `0` `w` `W` `○` `◯` `⚪` |
//! | empty | `-` `.` `_` `–` `—` `e` `E` `+` `・` `·` `□` |
//!
//! White space may stand anywhere; the side to move follows the squares, glued or apart.

use std::fmt;

use super::error::excerpt;
use crate::board::{Bitboard, Color, Position, Square};

/// The text is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SquaresError {
    /// A character that stands for no square.
    Character {
        /// The character.
        character: char,
        /// The square it stands in the place of.
        square: Square,
    },
    /// Fewer than 64 squares.
    TooFew {
        /// How many there are.
        squares: usize,
    },
    /// 64 squares, and no side to move after them.
    NoSide,
    /// What follows the squares is not a side to move.
    Side {
        /// How it begins.
        text: String,
    },
    /// More text after the side to move.
    Trailing {
        /// How it begins.
        text: String,
    },
}

/// Reads 64 squares and the side to move: one of the characters for a disc, or `black` or `white`.
pub fn read(text: &str) -> Result<Position, SquaresError> {
    let (position, rest) = read_prefix(text)?;
    match rest.trim() {
        "" => Ok(position),
        rest => Err(SquaresError::Trailing { text: excerpt(rest) }),
    }
}

/// Reads a position at the start of `text` and returns what follows the side to move.
pub fn read_prefix(text: &str) -> Result<(Position, &str), SquaresError> {
    read_unexplained(text).map_err(|error| explain(text, error))
}

/// When squares are missing, the side to move was taken for one of them. Where it clearly stands apart, the error
/// had better tell the number of squares.
fn explain(text: &str, error: SquaresError) -> SquaresError {
    let (mut squares, mut rows) = (0, false);
    for token in text.split_whitespace() {
        let token = token.split(';').next().unwrap_or_default();
        let mut characters = token.chars().map(contents);
        let (first, second) = (characters.next(), characters.next());
        if rows && second.is_none() && matches!(first, Some(Some(Some(_)))) {
            return SquaresError::TooFew { squares };
        }
        squares += token.chars().count();
        rows |= second.is_some();
        if squares >= 64 || token.chars().any(|c| contents(c).is_none()) {
            break;
        }
    }
    error
}

fn read_unexplained(text: &str) -> Result<(Position, &str), SquaresError> {
    let ([black, white], rest) = read_discs(text)?;
    let rest = rest.trim_start();
    let word = rest.find(|c: char| !c.is_alphabetic()).map_or(rest, |end| &rest[..end]);
    let (side, rest) = if word.eq_ignore_ascii_case("black") || word.eq_ignore_ascii_case("white") {
        let side = if word.eq_ignore_ascii_case("black") { Color::Black } else { Color::White };
        (side, &rest[word.len()..])
    } else {
        let first = rest.chars().next().ok_or(SquaresError::NoSide)?;
        match contents(first) {
            Some(Some(color)) => (color, &rest[first.len_utf8()..]),
            _ => return Err(SquaresError::Side { text: excerpt(rest) }),
        }
    };
    // The two sets come from different characters, so they share no square.
    let position = Position::from_discs(black, white, side).ok_or(SquaresError::NoSide)?;
    Ok((position, rest))
}

/// Whether `text` begins as a position would: no transcript and no other notation starts with eight of these
/// characters.
pub(super) fn begins(text: &str) -> bool {
    let mut characters = text.chars().filter(|c| !c.is_whitespace());
    characters.by_ref().take(8).filter(|&c| contents(c).is_some()).count() == 8
}

/// Reads the squares alone: black and white discs, and the text after the 64th.
fn read_discs(text: &str) -> Result<([Bitboard; 2], &str), SquaresError> {
    let mut discs = [Bitboard::EMPTY; 2];
    let mut squares = Square::all();
    let mut next = squares.next();
    for (at, character) in text.char_indices() {
        if character.is_whitespace() {
            continue;
        }
        let Some(square) = next else { return Ok((discs, &text[at..])) };
        match contents(character) {
            Some(Some(Color::Black)) => discs[0] |= Bitboard::of(square),
            Some(Some(Color::White)) => discs[1] |= Bitboard::of(square),
            Some(None) => {}
            None => return Err(SquaresError::Character { character, square }),
        }
        next = squares.next();
    }
    match next {
        None => Ok((discs, "")),
        Some(square) => Err(SquaresError::TooFew { squares: square.index() }),
    }
}

/// What a character stands for: a disc, an empty square, or nothing at all.
pub(super) fn contents(character: char) -> Option<Option<Color>> {
    match character {
        '*' | 'x' | 'X' | 'b' | 'B' | '#' | '●' | '⚫' => Some(Some(Color::Black)),
        'O' | 'o' | '0' | 'w' | 'W' | '○' | '◯' | '⚪' => Some(Some(Color::White)),
        '-' | '.' | '_' | '–' | '—' | 'e' | 'E' | '+' | '・' | '·' | '□' => Some(None),
        _ => None,
    }
}

/// Writes the 64 squares with `X`, `O` and `-`, a space, and the side to move.
pub fn write(position: &Position) -> String {
    let mut text = write_with(position, ['X', 'O', '-']);
    text.push(' ');
    text.push(position.side().letter());
    text
}

/// Writes the 64 squares alone with the given characters for black, white and empty.
pub fn write_with(position: &Position, [black, white, empty]: [char; 3]) -> String {
    Square::all()
        .map(|square| match position.color_at(square) {
            Some(Color::Black) => black,
            Some(Color::White) => white,
            None => empty,
        })
        .collect()
}

impl fmt::Display for SquaresError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SquaresError::Character { character, square } => {
                let number = square.index() + 1;
                write!(f, "`{character}` stands for no square (character {number} of 64, {square})")
            }
            SquaresError::TooFew { squares } => write!(f, "the board has {squares} squares instead of 64"),
            SquaresError::NoSide => f.write_str("the side to move is missing after the 64 squares"),
            SquaresError::Side { text } => write!(f, "`{text}` is not a side to move (X or O)"),
            SquaresError::Trailing { text } => write!(f, "`{text}` follows the side to move"),
        }
    }
}

impl std::error::Error for SquaresError {}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_in_many_hands() {
        assert_eq!(read(START), Ok(Position::START));
        assert_eq!(write(&Position::START), START);
        for (black, white, empty, side) in
            [('*', 'O', '-', " *"), ('b', 'w', 'e', "b"), ('#', '0', '.', "\tblack"), ('●', '○', '—', " ●")]
        {
            let text = write_with(&Position::START, [black, white, empty]);
            assert_eq!(read(&format!("{text}{side}")), Ok(Position::START), "{text}{side}");
            let rows: Vec<String> =
                text.chars().collect::<Vec<_>>().chunks(8).map(|row| row.iter().collect()).collect();
            assert_eq!(read(&format!("{}{side}", rows.join(" \n"))), Ok(Position::START));
        }
        let white = read(&START.replace(" X", "o")).unwrap();
        assert_eq!(white.side(), Color::White);
        assert_eq!(white.board(), Position::START.board().after_pass());
    }

    #[test]
    fn the_fault_is_named() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error(""), "the board has 0 squares instead of 64");
        assert_eq!(error(&START[..63]), "the board has 63 squares instead of 64");
        assert_eq!(error(&START[..64]), "the side to move is missing after the 64 squares");
        assert_eq!(error(&START.replacen('X', "q", 1)), "`q` stands for no square (character 29 of 64, e4)");
        assert_eq!(error(&START.replace(" X", " ?")), "`?` is not a side to move (X or O)");
        assert_eq!(error(&START.replace(" X", "-")), "`-` is not a side to move (X or O)");
        assert_eq!(error(&START.replace(" X", " X X")), "`X` follows the side to move");
    }
}
