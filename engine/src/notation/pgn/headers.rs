//! The headers of a game.

use super::super::error::ReadErrorCode::Pgn;
use super::super::{ReadError, number};
use super::{FIELDS, NO_EVENT, RESERVED, Source, escape, is_othello};
use crate::game::{GameClock, Tags};

pub(super) struct Header<'a> {
    name: &'a str,
    value: String,
    /// The value has a meaning, unlike `?`.
    known: bool,
}

/// Reads `[Name "value"]` and returns the text after it. A quotation mark in the value has `\` before it, or is not the last.
pub(super) fn header(text: &str) -> Result<(Header<'_>, &str), ReadError> {
    let invalid = || {
        ReadError::quoting(Pgn, text.lines().next().unwrap_or_default(), |text| {
            format!("`{text}` is not a header like `[Event \"name\"]`")
        })
    };
    let body = text[1..].trim_start();
    let length = body.bytes().take_while(|c| c.is_ascii_alphanumeric() || *c == b'_').count();
    let (name, rest) = body.split_at(length);
    let rest = rest.trim_start().strip_prefix('"').filter(|_| length > 0).ok_or_else(invalid)?;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                if let Some(after) = rest[at + 1..].trim_start().strip_prefix(']') {
                    let value = rest[..at].trim();
                    return Ok((Header { name, value: plain_value(value), known: is_known(value) }, after));
                }
            }
            '\\' => drop(characters.next_if(|(_, escaped)| matches!(escaped, '"' | '\\'))),
            '\n' => break,
            _ => {}
        }
    }
    Err(invalid())
}

/// A value without its escapes: `\"`, `\\` and `\u000A`.
fn plain_value(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let after = &rest[character.len_utf8()..];
        let escaped = after.chars().next().filter(|c| character == '\\' && matches!(c, '"' | '\\'));
        let (character, after) = match escaped {
            Some(escaped) => (escaped, &after[1..]),
            None => escape::escape(rest).unwrap_or((character, after)),
        };
        plain.push(character);
        rest = after;
    }
    plain
}

pub(super) struct Headers<'a> {
    pub(super) all: Vec<Header<'a>>,
    pub(super) source: Source,
    pub(super) tags: Tags,
}

impl Headers<'_> {
    /// The value of a header. `None` if it is unknown. Servers do not agree on the case of names.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let header = self.all.iter().rfind(|header| header.name.eq_ignore_ascii_case(name))?;
        header.known.then_some(header.value.as_str())
    }

    fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(str::to_owned)
    }

    /// Reads a header that must be valid in a file. An invalid one of a pasted game is stored by its name.
    pub(super) fn read<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Tags, &str) -> Option<T>,
    ) -> Result<Option<T>, ReadError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let value = read(&mut self.tags, &text);
        match self.source {
            Source::File if value.is_none() => return Err(ReadError::value(Pgn, name, &text)),
            Source::Paste if value.is_none() => self.tags.keep(name, &text),
            _ => {}
        }
        Ok(value)
    }

    /// Fills the tags, except for the result.
    pub(super) fn take(&mut self) -> Result<(), ReadError> {
        let variant = self.get("Variant");
        let first_is_white = variant.is_some_and(is_othello);
        if let (Some(text), false, Source::File) = (variant, first_is_white, self.source) {
            let message = |text: &str| format!("Variant: the game is `{text}`, not othello");
            return Err(ReadError::quoting(Pgn, text, message));
        }
        for (name, field) in FIELDS {
            self.read(name, |tags, value| field.read(tags, value))?;
        }
        // XBoard's White is the side that moves first. The separate clocks are not XBoard's.
        if first_is_white {
            let Tags { black, white, .. } = &mut self.tags;
            std::mem::swap(black, white);
            std::mem::swap(&mut black.clock, &mut white.clock);
        }
        self.tags.place = self.text("Site").or_else(|| self.text("Event"));
        self.tags.date = match self.source {
            Source::File => self.text("Date"),
            Source::Paste => self.day_and_time(),
        };
        let site = self.get("Site").is_some();
        // Without this tag, the writer would write the place as an event.
        if site && !self.all.iter().any(|header| header.known && header.name.eq_ignore_ascii_case("Event")) {
            self.tags.keep("Event", NO_EVENT);
        }
        for Header { name, value, known } in &self.all {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let kept = if is("Event") {
                *known && site
            } else if is("Round") {
                *known
            } else if is("TimeControl") {
                let clock = time_control(value);
                self.tags.clock = self.tags.clock.or(clock);
                *known && clock.is_none()
            } else {
                !FIELDS.iter().map(|(own, _)| own).chain(&RESERVED).any(|own| is(own))
            };
            if kept {
                self.tags.keep(name, value);
            }
        }
        Ok(())
    }

    /// The day with dashes, followed by the time of day.
    fn day_and_time(&self) -> Option<String> {
        let date = self.get("Date").or_else(|| self.get("UTCDate"))?.replace('.', "-");
        let time = self.get("Time").or_else(|| self.get("UTCTime")).filter(|time| !time.starts_with('?'));
        Some(time.map_or(date.clone(), |time| format!("{date} {time}")))
    }
}

/// Returns `false` for values that mean unknown.
pub(super) fn is_known(value: &str) -> bool {
    !matches!(value, "" | "?" | "-" | "????.??.??")
}

/// `300`, `300+5`, `40/300+5`.
pub(super) fn time_control(text: &str) -> Option<GameClock> {
    let text = text.rsplit_once('/').map_or(text, |(_, time)| time);
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some(GameClock {
        main: number::read_seconds(main)?,
        increment: number::read_seconds(increment)?,
        grace: GameClock::USUAL_GRACE,
    })
}
