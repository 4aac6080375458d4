//! Decimal numbers as programs of all languages write them.

use std::time::Duration;

use crate::score::Discs;

/// Reads a number with a decimal point or comma and an optional exponent: `-0,50`, `1.0E-5`. Accepts `NaN` and `Infinity`.
pub(super) fn read(text: &str) -> Option<f64> {
    // The longest number that a program prints has about 330 characters.
    const MAX_LENGTH: usize = 400;
    let text = text.trim();
    if text.len() > MAX_LENGTH {
        return None;
    }
    if text.contains(',') { text.replacen(',', ".", 1).parse().ok() } else { text.parse().ok() }
}

/// Reads a whole number with commas between thousands: `1,500`.
pub(super) fn read_grouped(text: &str) -> Option<f64> {
    let (first, rest) = text.trim().split_once(',')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = matches!(first.len(), 1..=3) && digits(first);
    let grouped = grouped && rest.split(',').all(|group| group.len() == 3 && digits(group));
    if grouped { text.replace(',', "").trim().parse().ok() } else { None }
}

/// Reads a whole number from -64 to 64.
pub(super) fn read_discs(text: &str) -> Option<Discs> {
    text.trim().parse().ok().filter(|discs| (-64..=64).contains(discs)).map(Discs::new)
}

/// Reads a time in seconds. `None` if it is negative.
pub(super) fn read_seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(read(text)?).ok()
}

/// Writes a time in seconds, as [`read_seconds`] reads it.
pub(super) fn write_seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}
