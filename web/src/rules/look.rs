//! Positions as the page writes them, and a move played on one.

use outflank::board::{Bitboard, Board, Color, Move, Position, Square, Status};
use serde::Serialize;

use super::error::RulesError;

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
    /// Black's discs over White's; where the game is over, with the empty squares for the winner.
    margin: i32,
}

/// A move played.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Played {
    position: String,
    /// The discs turned.
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
        squares: write(&position).chars().take(64).collect(),
        side: letter(position.side()),
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
    let at: Square = square.parse().map_err(|error| RulesError::new("square", error).with_text(square))?;
    let flips = indices(position.board().flips(at));
    let after = position
        .play(Move::Place(at))
        .map_err(|error| RulesError { mv: Some(at.to_string()), ..RulesError::new("illegal-here", error) })?;
    let next = after.after_forced_pass();
    Ok(Played { position: write(&next), flips, passed: next != after })
}

pub(super) fn canonical(text: &str) -> Result<String, RulesError> {
    let position = read(text)?;
    let (board, _) = position.board().canonical();
    Ok(write(&Position::new(board, position.side())))
}

/// Reads the 65 characters.
pub(super) fn read(text: &str) -> Result<Position, RulesError> {
    let fault = |message: &str| {
        RulesError::new("position", message).with_text(text.chars().take(24).collect::<String>())
    };
    let bytes = text.as_bytes();
    if bytes.len() != 65 {
        return Err(fault("a position is 64 squares and the side to move"));
    }
    let set =
        |wanted: u8| -> Bitboard { Square::all().filter(|square| bytes[square.index()] == wanted).collect() };
    if !bytes[..64].iter().all(|byte| b"XO-".contains(byte)) {
        return Err(fault("squares are written X, O and -"));
    }
    let side = match bytes[64] {
        b'X' => Color::Black,
        b'O' => Color::White,
        _ => return Err(fault("the side to move is written X or O")),
    };
    Position::from_discs(set(b'X'), set(b'O'), side).ok_or_else(|| fault("two discs on one square"))
}

/// Writes the 65 characters.
pub(super) fn write(position: &Position) -> String {
    Square::all()
        .map(|square| position.color_at(square).map_or('-', letter))
        .chain([letter(position.side())])
        .collect()
}

pub(super) fn letter(color: Color) -> char {
    match color {
        Color::Black => 'X',
        Color::White => 'O',
    }
}

pub(super) fn indices(set: Bitboard) -> Vec<usize> {
    set.into_iter().map(Square::index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------X";

    #[test]
    fn the_start_has_four_moves_and_no_margin() {
        let seen = look(START).unwrap();
        assert_eq!((seen.black, seen.white, seen.margin), (2, 2, 0));
        assert_eq!(seen.legal, [19, 26, 37, 44]);
        assert!(!seen.pass && !seen.over);
    }

    #[test]
    fn a_move_turns_discs_and_the_side() {
        let played = play(START, "f5").unwrap();
        assert_eq!(played.flips, [36]);
        assert_eq!(played.position, "---------------------------OX------XXX--------------------------O");
        assert!(!played.passed);
    }

    #[test]
    fn the_four_first_moves_are_one_position() {
        let forms: Vec<String> = ["f5", "d3", "c4", "e6"]
            .iter()
            .map(|square| canonical(&play(START, square).unwrap().position).unwrap())
            .collect();
        assert!(forms.iter().all(|form| *form == forms[0]), "{forms:?}");
    }

    #[test]
    fn a_forced_pass_is_part_of_the_move() {
        // White's last disc, b8, outflanks nothing; Black continues with c8.
        let position = format!("-OX-----{}XO------X", "-".repeat(48));
        let played = play(&position, "a1").unwrap();
        assert!(played.passed && played.position.ends_with('X'));
        assert_eq!(look(&played.position).unwrap().legal, [58]);
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(look("short").unwrap_err().code, "position");
        assert_eq!(play(START, "z9").unwrap_err().code, "square");
        assert_eq!(play(START, "a1").unwrap_err().code, "illegal-here");
        assert_eq!(play(START, "d4").unwrap_err().code, "illegal-here");
    }

    #[test]
    fn a_position_survives_writing_and_reading() {
        assert_eq!(write(&read(START).unwrap()), START);
    }
}
