//! Clocks as GGF writes them: `main/increment/grace`.
//!
//! A time is `days.hours:minutes:seconds`. Leading parts may be omitted, and the seconds may have a fraction. A single number
//! is a number of seconds. An empty increment is zero, an omitted grace is [`GameClock::USUAL_GRACE`].

use std::time::Duration;

use super::number;
use crate::game::GameClock;

/// The longest time, 136 years. The hours of a longer time could not be read back.
const MAX_TIME: Duration = Duration::from_secs(u32::MAX as u64);

pub(super) fn read(text: &str) -> Option<GameClock> {
    let mut fields = text.split('/').map(str::trim);
    let main = read_time(fields.next()?)?;
    let mut next = |missing| match fields.next() {
        None | Some("") => Some(missing),
        Some(field) => read_time(field),
    };
    let increment = next(Duration::ZERO)?;
    let grace = next(GameClock::USUAL_GRACE)?;
    Some(GameClock { main, increment, grace })
}

/// Returns `true` if a clock has options of the server, which [`GameClock`] cannot hold.
pub(super) fn has_options(text: &str) -> bool {
    text.split('/').any(|field| options_at(field).is_some())
}

/// Where the options of a time begin: at a comma before a letter. A comma before a digit begins a fraction.
fn options_at(time: &str) -> Option<usize> {
    let (before, after) = time.split_once(',')?;
    after.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(before.len())
}

/// Reads one time without its options.
pub(super) fn read_time(text: &str) -> Option<Duration> {
    let text = options_at(text).map_or(text, |at| &text[..at]);
    let (minutes, seconds) = match text.rsplit_once(':') {
        None => (0, text),
        Some((minutes, seconds)) => (read_minutes(minutes)?, seconds),
    };
    let time = Duration::from_secs(minutes.checked_mul(60)?).checked_add(number::read_seconds(seconds)?)?;
    Some(time.min(MAX_TIME))
}

/// The time at the start of a text, `1:23`, `0:03.5` or `1:02:03`, and its length.
pub(super) fn time_before(text: &str) -> Option<(Duration, usize)> {
    let length = text.bytes().take(16).take_while(|c| c.is_ascii_digit() || matches!(c, b':' | b'.')).count();
    let time = text[..length].trim_end_matches(['.', ':']);
    let ends = !text[time.len()..].starts_with(char::is_alphanumeric);
    let mut parts = time.split('.').next()?.split(':');
    let begins = matches!(parts.next()?.len(), 1..=3);
    let is_time = parts.clone().all(|part| part.len() == 2 && part < "60") && matches!(parts.count(), 1 | 2);
    Some((read_time(time).filter(|_| begins && is_time && ends)?, time.len()))
}

/// Reads `days.hours:minutes` as minutes.
fn read_minutes(text: &str) -> Option<u64> {
    let whole = |text: &str| if text.is_empty() { Some(0) } else { text.trim().parse::<u32>().ok() };
    let (hours, minutes) = text.rsplit_once(':').unwrap_or(("", text));
    let (days, hours) = hours.split_once('.').unwrap_or(("", hours));
    let hours = u64::from(whole(days)?) * 24 + u64::from(whole(hours)?);
    Some(hours * 60 + u64::from(whole(minutes)?))
}

pub(super) fn write(clock: &GameClock) -> String {
    let unless = |usual, time| if time == usual { String::new() } else { write_time(time) };
    let increment = unless(Duration::ZERO, clock.increment);
    let grace = unless(GameClock::USUAL_GRACE, clock.grace);
    format!("{}/{increment}/{grace}", write_time(clock.main)).trim_end_matches('/').to_owned()
}

/// `15:00`, `1:00:00`: whole seconds, fractions rounded up, since NBoard reads a dot as the end of the days.
fn write_time(time: Duration) -> String {
    let seconds = time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0));
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    match minutes / 60 {
        0 => format!("{minutes:02}:{seconds:02}"),
        hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
    }
}
