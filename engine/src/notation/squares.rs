//! Positions as 64 squares and the side to move.
//!
//! The squares run from a1 row by row. Programs use different characters. These are accepted:
//!
//! | square | characters |
//! | --- | --- |
//! | black | `*` `x` `X` `b` `B` `#` `@` `●` `⚫` `黒` `黑` |
//! | white | `O` `o` `0` `w` `W` `○` `◯` `⚪` `白` |
//! | empty | `-` `.` `_` `–` `—` `e` `E` `+` `・` `·` `□` |
//!
//! `0` is an empty square if no other sign is, and white discs have another sign or black discs are `B`. White space may be
//! anywhere, `/`, `,` or `|` between rows. The side to move follows the squares: `X`, `(X)`, `black to move`, `黒番`.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::ReadErrorCode::{NoSide, Squares, TooFewSquares};
use super::{ReadError, labels};
use crate::board::{Bitboard, Color, Position, Square};

/// Reads 64 squares and the side to move: one of the characters for a disc, or `black` or `white`.
pub fn read(text: &str) -> Result<Position, ReadError> {
    let (position, rest) = read_prefix(text)?;
    match rest.trim() {
        "" => Ok(position),
        rest => Err(ReadError::quoting(Squares, rest, "{} follows the side to move")),
    }
}

impl FromStr for Position {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Position, ReadError> {
        read(text)
    }
}

impl Display for Position {
    /// Writes the form of [`write()`].
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&write(self))
    }
}

/// Reads a position at the start of `text` and returns the text after the side to move.
pub fn read_prefix(text: &str) -> Result<(Position, &str), ReadError> {
    read_unexplained(text).map_err(|error| explain(text, error))
}

/// Returns an error with the number of squares instead of `error` if the side to move was read as a square.
fn explain(text: &str, error: ReadError) -> ReadError {
    let (mut squares, mut rows) = (0, false);
    for token in text.split_whitespace() {
        let token = token.split(';').next().unwrap_or_default();
        let mut characters = token.chars().map(contents);
        let (first, second) = (characters.next(), characters.next());
        if rows && second.is_none() && matches!(first, Some(Some(Some(_)))) {
            return too_few(squares);
        }
        squares += token.chars().count();
        rows |= second.is_some();
        if squares >= 64 || token.chars().any(|c| contents(c).is_none()) {
            break;
        }
    }
    error
}

fn read_unexplained(text: &str) -> Result<(Position, &str), ReadError> {
    let ([black, white], rest) = read_discs(text)?;
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | '/' | '|'));
    let word = rest.find(|c: char| !c.is_alphabetic()).map_or(rest, |end| &rest[..end]);
    let (side, rest) = if let Some(side) = labels::side_named(word) {
        let rest = &rest[word.len()..];
        (side, [" to move", " to play"].iter().find_map(|end| rest.strip_prefix(end)).unwrap_or(rest))
    } else {
        let first = rest.chars().next().ok_or_else(no_side)?;
        match contents(first) {
            Some(Some(color)) => (color, &rest[first.len_utf8()..]),
            _ => return Err(ReadError::quoting(Squares, rest, "{} is not a side to move (X or O)")),
        }
    };
    let position = Position::from_discs(black, white, side).ok_or_else(no_side)?;
    Ok((position, rest.trim_start_matches(')')))
}

/// Returns `true` if `text` begins like a position. No other notation begins with eight of these characters.
pub(super) fn begins(text: &str) -> bool {
    let mut characters = text.chars().filter(|c| !c.is_whitespace());
    characters.by_ref().take(8).filter(|&c| contents(c).is_some()).count() == 8
}

/// Reads the squares: black and white discs, and the text after the 64th square.
fn read_discs(text: &str) -> Result<([Bitboard; 2], &str), ReadError> {
    let mut discs = [Bitboard::EMPTY; 2];
    let mut squares = Square::all();
    let mut next = squares.next();
    let signs = || text.char_indices().filter(|(_, character)| !character.is_whitespace());
    let of_squares = signs().map(|(_, sign)| sign).filter(|&sign| contents(sign).is_some());
    let contents = contents_on(&of_squares.take(64).collect::<Vec<_>>());
    for (at, character) in signs() {
        let Some(square) = next else { return Ok((discs, &text[at..])) };
        match contents(character) {
            Some(Some(Color::Black)) => discs[0] |= Bitboard::of(square),
            Some(Some(Color::White)) => discs[1] |= Bitboard::of(square),
            Some(None) => {}
            None if square.column() == 0 && matches!(character, '/' | ',' | '|') => continue,
            None => {
                let number = square.index() + 1;
                let message = format!(
                    "{{}} is neither a disc nor an empty square (character {number} of 64, {square})"
                );
                return Err(ReadError::quoting(Squares, &character.to_string(), &message));
            }
        }
        next = squares.next();
    }
    match next {
        None => Ok((discs, "")),
        Some(square) => Err(too_few(square.index())),
    }
}

fn too_few(squares: usize) -> ReadError {
    ReadError::new(TooFewSquares, format!("the board has {squares} squares instead of 64"))
}

pub(super) fn no_side() -> ReadError {
    ReadError::new(NoSide, "the side to move is missing after the 64 squares")
}

/// The meaning of a character: a disc or an empty square. `None` if it has none.
pub(super) fn contents(character: char) -> Option<Option<Color>> {
    match character {
        '*' | 'x' | 'X' | 'b' | 'B' | '#' | '@' | '●' | '⚫' | '黒' | '黑' => Some(Some(Color::Black)),
        'O' | 'o' | '0' | 'w' | 'W' | '○' | '◯' | '⚪' | '白' => Some(Some(Color::White)),
        '-' | '.' | '_' | '–' | '—' | 'e' | 'E' | '+' | '・' | '·' | '□' | '🟩' => Some(None),
        _ => None,
    }
}

/// The meanings of the signs of one board, on which `0` may be an empty square.
pub(super) fn contents_on(signs: &[char]) -> impl Fn(char) -> Option<Option<Color>> + use<> {
    let (mut is_disc, mut is_empty) = (false, false);
    for &sign in signs {
        match contents(sign) {
            Some(None) => is_disc = true,
            content => is_empty |= matches!(sign, 'b' | 'B') || sign != '0' && content == contents('0'),
        }
    }
    move |sign| if sign == '0' && is_empty && !is_disc { Some(None) } else { contents(sign) }
}

/// Writes the 64 squares with `X`, `O` and `-`, a space, and the side to move.
pub fn write(position: &Position) -> String {
    format!("{} {}", write_with(position, ['X', 'O', '-']), position.side().letter())
}

/// Writes only the 64 squares, with the given characters for black, white and empty.
pub fn write_with(position: &Position, [black, white, empty]: [char; 3]) -> String {
    Square::all()
        .map(|square| match position.color_at(square) {
            Some(Color::Black) => black,
            Some(Color::White) => white,
            None => empty,
        })
        .collect()
}
