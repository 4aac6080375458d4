//! Positions in the manner of chess: FEN, as XBoard and Fairy-Stockfish send them.
//!
//! Eight ranks from 8 down to 1, separated by `/`; digits count empty squares. A capital letter, whichever, is a
//! disc of the side that moves first (black here, `w` in the field of the side to move), a small letter one of the
//! other. Two letters, such as `X` and `O`, are refused: the order of the ranks and the meaning of `b` are then unsure.
//! Rank n is row n, file a column a. Discs in hand, in brackets after the ranks, and all fields after the side to move
//! say nothing about the position and are skipped.

use std::fmt;

use super::error::excerpt;
use crate::board::{Bitboard, Color, Position, Square};

/// The text is not a position in FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// Not eight ranks.
    Ranks {
        /// How many there are.
        ranks: usize,
    },
    /// A rank that has not eight squares.
    Squares {
        /// The rank, 1 to 8.
        rank: u8,
    },
    /// A character that is neither a letter nor a digit from 1 to 8.
    Character {
        /// The rank, 1 to 8.
        rank: u8,
        /// The character.
        character: char,
    },
    /// Discs of two letters, instead of one letter in both cases.
    Letters {
        /// The first.
        first: char,
        /// The second.
        second: char,
    },
    /// The bracket of the discs in hand is not closed.
    Holdings,
    /// The side to move is missing.
    NoSide,
    /// The side to move is neither `w` nor `b`.
    Side {
        /// How it begins.
        text: String,
    },
}

/// Reads a position.
pub fn read(text: &str) -> Result<Position, FenError> {
    let text = text.trim();
    let end = text.find(|c: char| c == '[' || c.is_whitespace()).unwrap_or(text.len());
    let (ranks, rest) = text.split_at(end);
    let count = ranks.split('/').count();
    if count != 8 {
        return Err(FenError::Ranks { ranks: count });
    }
    let mut discs = [Bitboard::EMPTY; 2];
    for (row, rank) in (0..8).rev().zip(ranks.split('/')) {
        read_rank(row, rank, &mut discs)?;
    }
    let mut letters = ranks.chars().filter(char::is_ascii_alphabetic);
    if let Some(first) = letters.next()
        && let Some(second) = letters.find(|letter| !letter.eq_ignore_ascii_case(&first))
    {
        return Err(FenError::Letters { first, second });
    }
    let rest = match rest.strip_prefix('[') {
        Some(holdings) => holdings.split_once(']').ok_or(FenError::Holdings)?.1,
        None => rest,
    };
    let side = match rest.split_whitespace().next() {
        None => return Err(FenError::NoSide),
        Some("w" | "W") => Color::Black,
        Some("b" | "B") => Color::White,
        Some(text) => return Err(FenError::Side { text: excerpt(text) }),
    };
    let [black, white] = discs;
    Position::from_discs(black, white, side).ok_or(FenError::NoSide)
}

/// Writes a position with `piece` for the discs, capital for black: `8/8/8/3Dd3/3dD3/8/8/8 w - - 0 1`.
pub fn write(position: &Position, piece: char) -> String {
    let mut text = String::new();
    for row in (0..8).rev() {
        let mut empty = 0;
        for square in (0..8).filter_map(|column| Square::at(column, row)) {
            let Some(color) = position.color_at(square) else {
                empty += 1;
                continue;
            };
            push_count(&mut text, &mut empty);
            text.push(match color {
                Color::Black => piece.to_ascii_uppercase(),
                Color::White => piece.to_ascii_lowercase(),
            });
        }
        push_count(&mut text, &mut empty);
        text.push(if row > 0 { '/' } else { ' ' });
    }
    text.push(if position.side() == Color::Black { 'w' } else { 'b' });
    text.push_str(" - - 0 1");
    text
}

/// Whether the text begins with eight ranks, the first of eight squares: no transcript does, as h7 is no first
/// move.
pub(super) fn begins(text: &str) -> bool {
    let ranks = text.split(|c: char| c == '[' || c.is_whitespace()).next().unwrap_or_default();
    let first = ranks.split('/').next().unwrap_or_default();
    ranks.split('/').count() == 8 && read_rank(7, first, &mut [Bitboard::EMPTY; 2]).is_ok()
}

fn read_rank(row: u8, text: &str, [black, white]: &mut [Bitboard; 2]) -> Result<(), FenError> {
    let rank = row + 1;
    let mut column = 0;
    for character in text.chars() {
        let width = match character {
            '1'..='8' => character as u8 - b'0',
            c if c.is_ascii_alphabetic() => {
                let square = Square::at(column, row).ok_or(FenError::Squares { rank })?;
                *if c.is_ascii_uppercase() { &mut *black } else { &mut *white } |= Bitboard::of(square);
                1
            }
            character => return Err(FenError::Character { rank, character }),
        };
        column += width;
        if column > 8 {
            return Err(FenError::Squares { rank });
        }
    }
    if column == 8 { Ok(()) } else { Err(FenError::Squares { rank }) }
}

fn push_count(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Ranks { ranks } => write!(f, "the board has {ranks} ranks instead of 8"),
            FenError::Squares { rank } => write!(f, "rank {rank} has not 8 squares"),
            FenError::Character { rank, character } => {
                write!(f, "rank {rank}: `{character}` is neither a disc nor a number of empty squares")
            }
            FenError::Letters { first, second } => write!(
                f,
                "the board has discs `{first}` and `{second}`: expected one letter, a capital for the side that moves \
                 first and a small one for the other"
            ),
            FenError::Holdings => f.write_str("the discs in hand do not end with `]`"),
            FenError::NoSide => f.write_str("the side to move is missing"),
            FenError::Side { text } => write!(f, "`{text}` is not a side to move (w or b)"),
        }
    }
}

impl std::error::Error for FenError {}

#[cfg(test)]
mod tests {
    use super::*;

    const XBOARD: &str = "8/8/8/3Dd3/3dD3/8/8/8 w - - 0 1";

    #[test]
    fn the_start_as_programs_send_it() {
        let holdings = format!("[{}{}]", "D".repeat(32), "d".repeat(32));
        for text in [
            XBOARD.to_owned(),
            XBOARD.replace(" w", &format!("{holdings} w")),
            XBOARD.replace(" w", "[] w"),
            XBOARD.replace('D', "P").replace('d', "p"),
            "8/8/8/3Dd3/3dD3/8/8/8 w".to_owned(),
        ] {
            assert_eq!(read(&text), Ok(Position::START), "{text}");
        }
        assert_eq!(write(&Position::START, 'd'), XBOARD);
        let mirrored = read("8/8/8/3pP3/3Pp3/8/8/8[PPpp] w 0 1").unwrap();
        assert_eq!(mirrored.board().player, Position::START.board().opponent);
        assert_eq!(read(&XBOARD.replace('w', "b")).unwrap().side(), Color::White);
    }

    #[test]
    fn rank_8_comes_first() {
        let position = read("D6d/8/8/8/8/8/8/dD6 b").unwrap();
        let color = |square: &str| position.color_at(square.parse().unwrap());
        assert_eq!(color("a8"), Some(Color::Black));
        assert_eq!(color("h8"), Some(Color::White));
        assert_eq!(color("a1"), Some(Color::White));
        assert_eq!(color("b1"), Some(Color::Black));
        assert_eq!(read(&write(&position, 'P')), Ok(position));
    }

    #[test]
    fn the_fault_is_named() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error(""), "the board has 1 ranks instead of 8");
        assert_eq!(error("8/8/8/8/8/8/8 w"), "the board has 7 ranks instead of 8");
        assert_eq!(error("8/8/8/3Dd/8/8/8/8 w"), "rank 5 has not 8 squares");
        assert_eq!(error("8/8/8/8d/8/8/8/8 w"), "rank 5 has not 8 squares");
        assert_eq!(error("8/8/8/88/8/8/8/8 w"), "rank 5 has not 8 squares");
        assert_eq!(error("8/8/8/9/8/8/8/8 w"), "rank 5: `9` is neither a disc nor a number of empty squares");
        for board in ["3OX3/3XO3", "3ox3/3xo3", "3wb3/3bw3", "3WB3/3BW3", "3Pd3/3dP3"] {
            let [first, second] = [board.as_bytes()[1], board.as_bytes()[2]].map(char::from);
            let begins = format!("the board has discs `{first}` and `{second}`: expected one letter");
            assert!(error(&format!("8/8/8/{board}/8/8/8 b")).starts_with(&begins), "{board}");
        }
        assert_eq!(error("8/8/8/8/8/8/8/8[ w"), "the discs in hand do not end with `]`");
        assert_eq!(error("8/8/8/8/8/8/8/8"), "the side to move is missing");
        assert_eq!(error("8/8/8/8/8/8/8/8 - w"), "`-` is not a side to move (w or b)");
    }
}
