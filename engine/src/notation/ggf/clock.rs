//! Clocks: `main/increment/grace`.
//!
//! Each time is `days.hours:minutes:seconds` with leading parts left out and the seconds perhaps a fraction. A lone
//! number is seconds. An increment left blank is none, a grace left out is [`GameClock::USUAL_GRACE`].

use std::time::Duration;

use super::super::number;
use crate::game::GameClock;

pub(in crate::notation) fn read(text: &str) -> Option<GameClock> {
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

/// More is taken for this: 136 years. Hours beyond would not be read again as they are written.
const LONGEST: Duration = Duration::from_secs(u32::MAX as u64);

/// Whether the server's options stand in a clock, which a [`GameClock`] has no place for.
pub(super) fn has_options(text: &str) -> bool {
    text.split('/').any(|field| options_at(field).is_some())
}

/// Where the options begin that may follow a time: a comma, then a letter. (A digit would be a fraction's.)
fn options_at(time: &str) -> Option<usize> {
    let (before, after) = time.split_once(',')?;
    after.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(before.len())
}

/// Reads one time; options of the server are skipped.
fn read_time(text: &str) -> Option<Duration> {
    let text = options_at(text).map_or(text, |at| &text[..at]);
    let (minutes, seconds) = match text.rsplit_once(':') {
        None => (0, text),
        Some((minutes, seconds)) => (read_minutes(minutes)?, seconds),
    };
    let time = Duration::from_secs(minutes.checked_mul(60)?).checked_add(number::read_seconds(seconds)?)?;
    Some(time.min(LONGEST))
}

/// Reads `days.hours:minutes` as minutes, leading parts left out.
fn read_minutes(text: &str) -> Option<u64> {
    let whole = |text: &str| if text.is_empty() { Some(0) } else { text.trim().parse::<u32>().ok() };
    let (hours, minutes) = text.rsplit_once(':').unwrap_or(("", text));
    let (days, hours) = hours.split_once('.').unwrap_or(("", hours));
    let hours = u64::from(whole(days)?) * 24 + u64::from(whole(hours)?);
    Some(hours * 60 + u64::from(whole(minutes)?))
}

pub(in crate::notation) fn write(clock: &GameClock) -> String {
    let mut text = write_time(clock.main);
    let grace = clock.grace != GameClock::USUAL_GRACE;
    if clock.increment != Duration::ZERO || grace {
        text.push('/');
    }
    if clock.increment != Duration::ZERO {
        text.push_str(&write_time(clock.increment));
    }
    if grace {
        text.push('/');
        text.push_str(&write_time(clock.grace));
    }
    text
}

/// `15:00`, `1:00:00`: minutes and whole seconds, a fraction rounded up. NBoard takes a dot for the end of the days
/// and refuses it after a colon.
fn write_time(time: Duration) -> String {
    let seconds = time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0));
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    match minutes / 60 {
        0 => format!("{minutes:02}:{seconds:02}"),
        hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(main: u64, increment: u64, grace: u64) -> Option<GameClock> {
        let [main, increment, grace] = [main, increment, grace].map(Duration::from_secs);
        Some(GameClock { main, increment, grace })
    }

    #[test]
    fn clocks_as_they_are_written() {
        for (text, expected) in [
            ("15:00", clock(900, 0, 120)),
            ("05:00//02:00", clock(300, 0, 120)),
            ("5:00/0:12", clock(300, 12, 120)),
            ("1:00:00/10/0", clock(3600, 10, 0)),
            ("2.01:00:00", clock(49 * 3600, 0, 120)),
            ("30", clock(30, 0, 120)),
            (":30", clock(30, 0, 120)),
            ("05:00,N2/00:10,L0/1:00", clock(300, 10, 60)),
            ("1::02222222222222220/1e18", clock(LONGEST.as_secs(), LONGEST.as_secs(), 120)),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        for text in ["", "/", "x", "1:2:3:4:5", "-1:00", "1:-1", "99999999999:00", "1/x", "1//x"] {
            assert_eq!(read(text), None, "{text}");
        }
        for (text, expected) in
            [("5:00,N1", true), ("5:00/0:10,L0", true), ("0:00,5", false), ("5:00", false)]
        {
            assert_eq!(has_options(text), expected, "{text}");
        }
    }

    #[test]
    fn written_and_read_back() {
        for text in ["15:00", "00:30", "1:00:00/00:10", "05:00//00:00", "05:00/00:10/01:00"] {
            assert_eq!(write(&read(text).unwrap()), text);
        }
        assert_eq!(read(&write(&read("1e18").unwrap())), read("1e18"));
        assert_eq!(write(&read("0:00.5/2.25").unwrap()), "00:01/00:03");
    }
}
