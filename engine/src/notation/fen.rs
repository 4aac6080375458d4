//! FEN, the notation of chess positions, as XBoard and Fairy-Stockfish send it.
//!
//! Eight ranks from 8 down to 1 are separated by `/`; digits count empty squares. A capital letter is a disc of the side that
//! moves first (black here, `w` in the field of the side to move), a small letter is a disc of the other side. Any letter is
//! accepted, but not two, such as `X` and `O`: the order of the ranks and the meaning of `b` would then be uncertain. Rank n
//! is row n, file a is column a. Discs in hand, in brackets after the ranks, and fields after the side are skipped.

use super::ReadErrorCode::Squares;
use super::{ReadError, squares};
use crate::board::{Bitboard, Color, Position, Square};

/// Reads a position. Text after the side is ignored.
pub fn read(text: &str) -> Result<Position, ReadError> {
    read_prefix(text).map(|(position, _)| position)
}

/// Reads a position at the start of `text`, and returns the text after its fields, such as moves.
pub(super) fn read_prefix(text: &str) -> Result<(Position, &str), ReadError> {
    let text = text.trim();
    let end = text.find(|c: char| c == '[' || c.is_whitespace()).unwrap_or(text.len());
    let (ranks, rest) = text.split_at(end);
    let count = ranks.split('/').count();
    if count != 8 {
        return Err(ReadError::new(Squares, format!("the board has {count} ranks instead of 8")));
    }
    let mut discs = [Bitboard::EMPTY; 2];
    for (row, rank) in (0..8).rev().zip(ranks.split('/')) {
        read_rank(row, rank, &mut discs)?;
    }
    let mut letters = ranks.chars().filter(char::is_ascii_alphabetic);
    if let Some(first) = letters.next()
        && let Some(second) = letters.find(|letter| !letter.eq_ignore_ascii_case(&first))
    {
        return Err(ReadError::new(
            Squares,
            format!(
                "the board has discs `{first}` and `{second}`: expected one letter, a capital for the side that moves first \
                 and a small one for the other"
            ),
        ));
    }
    let rest = match rest.strip_prefix('[') {
        Some(holdings) => {
            let unclosed = || ReadError::new(Squares, "the discs in hand do not end with `]`");
            holdings.split_once(']').ok_or_else(unclosed)?.1
        }
        None => rest,
    };
    let rest = rest.trim_start();
    let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let side = match Some(word).filter(|word| !word.is_empty()) {
        None => return Err(no_side()),
        Some("w" | "W") => Color::Black,
        Some("b" | "B") => Color::White,
        Some(text) => return Err(ReadError::quoting(Squares, text, "{} is not a side to move (w or b)")),
    };
    let [black, white] = discs;
    let position = Position::from_discs(black, white, side).ok_or_else(no_side)?;
    Ok((position, after_fields(rest)))
}

/// The text after the fields that follow the side: castling, en passant, and two numbers.
fn after_fields(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let is_field = word == "moves" || word.bytes().all(|c| matches!(c, b'-' | b'0'..=b'9'));
        if word.is_empty() || !is_field {
            return rest;
        }
        rest = after.trim_start();
    }
}

fn no_side() -> ReadError {
    ReadError::new(Squares, "the side to move is missing")
}

/// Writes a position with the letter `piece` for the discs, a capital for black: `8/8/8/3Dd3/3dD3/8/8/8 w - - 0 1`.
pub fn write(position: &Position, piece: char) -> String {
    let signs = [piece.to_ascii_uppercase(), piece.to_ascii_lowercase(), '1'];
    let squares = squares::write_with(position, signs);
    let ranks: Vec<&str> = (0..8).rev().map(|row| &squares[8 * row..8 * row + 8]).collect();
    // Longer runs of empty squares first.
    let board = (2..=8)
        .rev()
        .fold(ranks.join("/"), |board, count: usize| board.replace(&"1".repeat(count), &count.to_string()));
    let side = if position.side() == Color::Black { 'w' } else { 'b' };
    format!("{board} {side} - - 0 1")
}

/// Returns `true` if the text begins with eight ranks, the first of eight squares. No transcript does.
pub(super) fn begins(text: &str) -> bool {
    let ranks = text.split(|c: char| c == '[' || c.is_whitespace()).next().unwrap_or_default();
    let first = ranks.split('/').next().unwrap_or_default();
    ranks.split('/').count() == 8 && read_rank(7, first, &mut [Bitboard::EMPTY; 2]).is_ok()
}

fn read_rank(row: u8, text: &str, [black, white]: &mut [Bitboard; 2]) -> Result<(), ReadError> {
    let rank = row + 1;
    let size = || ReadError::new(Squares, format!("rank {rank} does not have 8 squares"));
    let mut column = 0;
    for character in text.chars() {
        let width = match character {
            '1'..='8' => character as u8 - b'0',
            c if c.is_ascii_alphabetic() => {
                let square = Square::at(column, row).ok_or_else(size)?;
                *if c.is_ascii_uppercase() { &mut *black } else { &mut *white } |= Bitboard::of(square);
                1
            }
            character => {
                let message = format!("rank {rank}: {{}} is neither a disc nor a number of empty squares");
                return Err(ReadError::quoting(Squares, &character.to_string(), &message));
            }
        };
        column += width;
        if column > 8 {
            return Err(size());
        }
    }
    if column == 8 { Ok(()) } else { Err(size()) }
}
