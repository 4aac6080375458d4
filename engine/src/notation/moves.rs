//! Single moves, with or without evaluation and time.

use std::str::FromStr;

use super::{ReadError, ReadErrorCode, clock, number};
use crate::board::{Color, IllegalMove, Move, Position, Status};
use crate::game::{Game, RecordedMove};
use crate::score::Score;

/// The forms of a pass. A form is before its beginnings.
pub(super) const PASSES: [&str; 15] = [
    "passed", "passen", "passer", "passes", "passe", "passo", "pass", "pas", "pa", "pp", "ps", "@@@@", "@@",
    "--", "パス",
];

/// Reads a square or a pass in any of the forms that programs use: `f5`, `F5`, `PA`, `pass`, `--`, `@@`, `@@@@`, `0000`.
pub fn read(text: &str) -> Result<Move, ReadError> {
    let message = "{} is neither a square (a1 to h8) nor a pass";
    parse(text).ok_or_else(|| ReadError::quoting(ReadErrorCode::Unreadable, text.trim(), message))
}

impl FromStr for Move {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Move, ReadError> {
        read(text)
    }
}

/// Like [`read`]. `None` if the text is not a move.
pub(super) fn parse(text: &str) -> Option<Move> {
    let text = text.trim();
    match text.parse() {
        Ok(square) => Some(Move::Place(square)),
        Err(_) => {
            PASSES.iter().chain(&["0000"]).any(|pass| text.eq_ignore_ascii_case(pass)).then_some(Move::Pass)
        }
    }
}

/// Reads `F5`, `F5/1.23`, `F5//0.45` or `F5/1.23/0.45`: move, evaluation in discs, seconds or `0:45`. Ignores text after a third `/`.
pub fn read_played(text: &str) -> Result<RecordedMove, ReadError> {
    let mut fields = text.split('/');
    let mut next = || fields.next().unwrap_or_default().trim();
    let unreadable = |field: &str, text: &str, expected: &str| {
        let message = format!("the {field} {{}} is not a number{expected}");
        ReadError::quoting(ReadErrorCode::Unreadable, text, &message)
    };
    let mv = read(next())?;
    let eval = match next() {
        "" => None,
        // `NaN` is unknown.
        text => Score::from_discs(number::read(text).ok_or_else(|| unreadable("evaluation", text, ""))?),
    };
    let time = match next() {
        "" => None,
        text => Some(clock::read_time(text).ok_or_else(|| unreadable("time", text, " of seconds"))?),
    };
    Ok(RecordedMove { mv, eval, time })
}

/// Writes a move in upper case, `F5` or `PA`, as NBoard, GGF and Cassio expect it.
pub fn write_upper(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_owned(),
    }
}

/// Writes `F5/1.23/0.45` without unknown fields, as [`read_played`] reads it.
pub fn write_played(played: &RecordedMove) -> String {
    let mut text = write_upper(played.mv);
    if played.eval.is_some() || played.time.is_some() {
        text.push('/');
        text.push_str(&played.eval.map(|eval| format!("{:.2}", eval.discs())).unwrap_or_default());
    }
    if let Some(time) = played.time {
        text.push('/');
        text.push_str(&number::write_seconds(time));
    }
    text
}

/// Appends a move, and an omitted pass before it. A pass after the end of the game is ignored. An error has the game before it.
pub(super) fn play(game: &mut Game, played: impl Into<RecordedMove>) -> Result<(), ReadError> {
    let played = played.into();
    let result = game.play_passing(played);
    match checked(result, played.mv, || game.discs_placed() + 1) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.after(game)),
    }
}

/// The result of a move. `None` for a pass after the end of the game, which is ignored. `number` is that of the move.
pub(super) fn checked<T>(
    result: Result<T, IllegalMove>,
    mv: Move,
    number: impl FnOnce() -> usize,
) -> Result<Option<T>, ReadError> {
    match result {
        Ok(played) => Ok(Some(played)),
        Err(IllegalMove::GameOver) if mv == Move::Pass => Ok(None),
        Err(reason) => Err(ReadError::illegal(number(), mv, reason)),
    }
}

/// Checks the side stated with a move. `here` is the position with all recorded passes, `code` the code of an error.
pub(super) fn check_side(
    here: &Position,
    color: Color,
    mv: Move,
    number: usize,
    code: ReadErrorCode,
) -> Result<(), ReadError> {
    let passes = mv != Move::Pass && here.status() == Status::MustPass;
    let ignored = mv == Move::Pass && here.status() == Status::Over;
    if !ignored && (here.side() == color) == passes {
        return Err(ReadError::new(code, format!("move {number}: it is not {color}'s turn")).at_move(number));
    }
    Ok(())
}
