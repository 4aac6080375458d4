//! Decimal numbers as programs of all languages write them.

use std::time::Duration;

use crate::score::Score;

/// A number with a decimal point or comma, perhaps with an exponent: `2.7680000000000002`, `-0,50`, `1.0E-5`.
/// `NaN` and `Infinity`, which some programs print, are read as such.
pub(super) fn read(text: &str) -> Option<f64> {
    let text = text.trim();
    // The longest a program prints is some 330 characters; more is no number but a nuisance.
    if text.len() > 400 {
        return None;
    }
    if text.contains(',') { text.replacen(',', ".", 1).parse().ok() } else { text.parse().ok() }
}

/// An evaluation in discs: the outer nothing for what is no number, the inner for `NaN`, that is, unknown.
pub(super) fn read_eval(text: &str) -> Option<Option<Score>> {
    read(text).map(Score::from_discs)
}

/// A time in seconds, not negative.
pub(super) fn read_seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(read(text)?).ok()
}

/// An evaluation in discs, as [`read_eval`] reads it back.
pub(super) fn write_eval(eval: Score) -> String {
    format!("{:.2}", eval.discs())
}

/// A time in seconds, as [`read_seconds`] reads it back.
pub(super) fn write_seconds(time: Duration) -> String {
    format!("{}", time.as_secs_f64())
}
