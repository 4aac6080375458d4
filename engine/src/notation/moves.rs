//! Single moves, bare or with evaluation and time.

use std::fmt;

use super::error::excerpt;
use super::number;
use crate::board::Move;
use crate::game::RecordedMove;

/// The text is not a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Neither a square nor a pass.
    Move {
        /// How it begins.
        text: String,
    },
    /// The evaluation is not a number.
    Eval {
        /// How it begins.
        text: String,
    },
    /// The time is not a number of seconds, or negative.
    Time {
        /// How it begins.
        text: String,
    },
}

/// Reads a square or a pass in any of the forms programs use: `f5`, `F5`, `PA`, `pass`, `--`, `@@`, `@@@@`,
/// `0000`.
pub fn read(text: &str) -> Result<Move, MoveError> {
    const PASSES: [&str; 7] = ["pa", "pass", "ps", "--", "@@", "@@@@", "0000"];
    let text = text.trim();
    if let Ok(square) = text.parse() {
        Ok(Move::Place(square))
    } else if PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
        Ok(Move::Pass)
    } else {
        Err(MoveError::Move { text: excerpt(text) })
    }
}

/// Reads `F5`, `F5/1.23`, `F5//0.45` or `F5/1.23/0.45`: move, evaluation in discs, time in seconds, as NBoard and
/// GGF write them. What follows a third `/` is ignored.
pub fn read_played(text: &str) -> Result<RecordedMove, MoveError> {
    let mut fields = text.split('/');
    let mut next = || fields.next().unwrap_or_default().trim();
    let mv = read(next())?;
    let eval = match next() {
        "" => None,
        text => number::read_eval(text).ok_or_else(|| MoveError::Eval { text: excerpt(text) })?,
    };
    let time = match next() {
        "" => None,
        text => Some(number::read_seconds(text).ok_or_else(|| MoveError::Time { text: excerpt(text) })?),
    };
    Ok(RecordedMove { mv, eval, time })
}

/// Writes a move in upper case, `F5` or `PA`, as NBoard, GGF and Cassio want it.
pub fn write_upper(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_owned(),
    }
}

/// Writes `F5/1.23/0.45`, leaving out what is unknown, as [`read_played`] reads it.
pub fn write_played(played: &RecordedMove) -> String {
    let mut text = write_upper(played.mv);
    if played.eval.is_some() || played.time.is_some() {
        text.push('/');
        text.push_str(&played.eval.map(number::write_eval).unwrap_or_default());
    }
    if let Some(time) = played.time {
        text.push('/');
        text.push_str(&number::write_seconds(time));
    }
    text
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Move { text } => write!(f, "`{text}` is neither a square (a1 to h8) nor a pass"),
            MoveError::Eval { text } => write!(f, "the evaluation `{text}` is not a number"),
            MoveError::Time { text } => write!(f, "the time `{text}` is not a number of seconds"),
        }
    }
}

impl std::error::Error for MoveError {}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::score::Score;

    #[test]
    fn moves_as_nboard_sends_them() {
        let played = read_played("F5//2.7680000000000002").unwrap();
        assert_eq!((played.eval, played.time), (None, Some(Duration::from_millis(2768))));
        let played = read_played("D3/-0,50/1.2").unwrap();
        assert_eq!(played.eval, Some(Score::from_centidiscs(-50)));
        assert_eq!(played.time, Some(Duration::from_millis(1200)));
        let played = read_played("pa/1.0E-5").unwrap();
        assert_eq!((played.mv, played.eval, played.time), (Move::Pass, Some(Score::ZERO), None));
        assert_eq!(read_played("PA/NaN/0").unwrap().eval, None);
        assert_eq!(read_played("PA/Infinity").unwrap().eval, Some(Score::MAX));
    }

    #[test]
    fn the_faulty_field_is_named() {
        assert!(matches!(read_played(""), Err(MoveError::Move { .. })));
        assert!(matches!(read_played("F9/1/1"), Err(MoveError::Move { .. })));
        assert!(matches!(read_played("F5/x/1"), Err(MoveError::Eval { .. })));
        assert!(matches!(read_played("F5/1/x"), Err(MoveError::Time { .. })));
        assert!(matches!(read_played("F5/1/-1"), Err(MoveError::Time { .. })));
        assert!(matches!(read_played("F5/1/1e300"), Err(MoveError::Time { .. })));
    }

    #[test]
    fn written_as_read() {
        for text in ["F5", "PA", "A1/-0.50", "A1//0.25", "H8/64.00/12.5", "C4/1.20/0"] {
            assert_eq!(write_played(&read_played(text).unwrap()), text);
        }
    }
}
