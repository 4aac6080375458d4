//! The fields of XBoard's commands.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::board::Move;
use crate::notation::moves;
use crate::search::time::TimeControl;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// The position cannot be read.
    Position(String),
    /// The move cannot be read.
    Move,
    /// Anything else, described for `Error (…): line`.
    Other(&'static str),
}

/// Largest `Margin`, in milliseconds.
pub(super) const MAX_MARGIN: u64 = 10_000;
/// Most memory for the transposition table, in mebibytes.
pub(super) const MAX_MEMORY_MIB: u32 = 1 << 20;

pub(super) fn expected<T>(value: Option<T>, error: &'static str) -> Result<T, CommandError> {
    value.ok_or(CommandError::Other(error))
}

pub(super) fn number<T: FromStr + PartialOrd>(
    text: &str,
    range: RangeInclusive<T>,
    error: &'static str,
) -> Result<T, CommandError> {
    expected(text.parse().ok().filter(|number| range.contains(number)), error)
}

/// Reads a move: `D@d3` with any letter, `d3`, or a pass.
pub(super) fn read_move(text: &str) -> Option<Move> {
    if let Ok(mv) = moves::read(text) {
        return Some(mv);
    }
    let (piece, square) = text.split_once('@')?;
    let one_letter = piece.len() <= 1 && piece.chars().all(|c| c.is_ascii_alphabetic());
    square.parse().ok().filter(|_| one_letter).map(Move::Place)
}

/// Reads `MOVES BASE INC`. The base is in minutes (`5` or `0:20`), the increment in seconds.
pub(super) fn level(text: &str) -> Result<TimeControl, CommandError> {
    let read = || {
        let mut words = text.split_whitespace();
        let (moves, base, increment) = (words.next()?.parse::<u32>().ok()?, words.next()?, words.next()?);
        let remaining = match base.split_once(':') {
            Some((minutes, seconds)) => Duration::from_secs(60 * u64::from(minutes.parse::<u32>().ok()?))
                .checked_add(clock_time(seconds)?)?,
            None => clock_time(base)?.checked_mul(60)?,
        };
        let (moves, increment) = (Some(moves).filter(|&moves| moves > 0), clock_time(increment)?);
        words.next().is_none().then_some(TimeControl::Clock { remaining, increment, moves })
    };
    expected(read(), "MOVES BASE INCREMENT expected")
}

/// Reads the time left on a clock. If it has run out, GUIs send a negative number.
pub(super) fn centiseconds(text: &str) -> Result<Duration, CommandError> {
    let centis: i64 = expected(text.parse().ok(), "centiseconds expected")?;
    Ok(Duration::from_millis(centis.max(0).unsigned_abs().saturating_mul(10)))
}

/// Reads a number of seconds or minutes, at most a billion.
pub(super) fn clock_time(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    if number.is_nan() || number < 0.0 { None } else { Duration::try_from_secs_f64(number.min(1e9)).ok() }
}
