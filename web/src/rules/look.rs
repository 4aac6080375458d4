//! Positions as the page writes them, and a move played on one.

use outflank::board::{Bitboard, Board, Color, IllegalMove, Move, Position, Square, Status};
use outflank::notation::squares;
use serde::Serialize;

use super::error::RulesError;
use crate::exchange::write;

/// The parts of a position that the page draws.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Look {
    squares: String,
    side: char,
    black: u32,
    white: u32,
    /// Squares where the side to move may place a disc, 0 (a1) to 63 (h8).
    legal: Vec<usize>,
    /// The side to move has no move, the other side has.
    pass: bool,
    /// Neither side has a move.
    over: bool,
    /// Black's discs over White's. If the game is over, the winner also gets the empty squares.
    margin: i32,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Played {
    position: String,
    flips: Vec<usize>,
    /// The other side had to pass: the mover moves again.
    passed: bool,
}

pub(super) fn look(text: &str) -> Result<Look, RulesError> {
    let position = read(text)?;
    let status = position.status();
    let black = position.discs(Color::Black);
    let white = position.discs(Color::White);
    let margin = match status {
        Status::Over => Board { player: black, opponent: white }.final_score(),
        _ => black.count() as i32 - white.count() as i32,
    };
    Ok(Look {
        squares: squares::write_with(&position, ['X', 'O', '-']),
        side: position.side().letter(),
        black: black.count(),
        white: white.count(),
        legal: indices(position.moves()),
        pass: status == Status::MustPass,
        over: status == Status::Over,
        margin,
    })
}

pub(super) fn play(text: &str, square: &str) -> Result<Played, RulesError> {
    let position = read(text)?;
    let mv = read_move(square)?;
    let flips = mv.square().map(|at| indices(position.board().flips(at))).unwrap_or_default();
    let after = position.play(mv).map_err(|error| illegal(mv, error))?;
    let next = after.after_forced_pass();
    Ok(Played { position: write(&next), flips, passed: next != after })
}

pub(super) fn read_move(square: &str) -> Result<Move, RulesError> {
    let at: Square = square.parse().map_err(|error| RulesError::new("square", error).with_text(square))?;
    Ok(Move::Place(at))
}

pub(super) fn illegal(mv: Move, error: IllegalMove) -> RulesError {
    RulesError { mv: Some(mv.to_string().into()), ..RulesError::new("illegal-here", error) }
}

pub(super) fn canonical(text: &str) -> Result<String, RulesError> {
    let position = read(text)?;
    let (board, _) = position.board().canonical();
    Ok(write(&Position::new(board, position.side())))
}

/// Reads the 65 characters.
pub(super) fn read(text: &str) -> Result<Position, RulesError> {
    // The notation accepts other characters and white space as well.
    squares::read(text).ok().filter(|position| write(position) == text).ok_or_else(|| {
        let message = "a position is 64 squares and the side to move, written X, O and -";
        RulesError::new("position", message).with_text(text.chars().take(24).collect::<String>())
    })
}

pub(super) fn indices(set: Bitboard) -> Vec<usize> {
    set.into_iter().map(Square::index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------X";

    /// Tests of the page compare what is described with its own board (`tests/page/unit/`).
    #[test]
    fn errors_have_codes() {
        for text in ["short", &START.to_lowercase(), &START.replace('X', "*"), &format!("{START} ")] {
            assert_eq!(look(text).unwrap_err().code, "position", "{text}");
        }
        assert_eq!(play(START, "z9").unwrap_err().code, "square");
        assert_eq!(play(START, "a1").unwrap_err().code, "illegal-here");
        assert_eq!(play(START, "d4").unwrap_err().code, "illegal-here");
    }
}
