//! The headers of a game.

use std::collections::HashMap;

use super::super::error::ReadErrorCode::Pgn;
use super::super::{ReadError, escape, number, tags, words};
use super::{FIELDS, NO_EVENT, RESERVED, is_anti, is_known_variant, is_othello};
use crate::game::{GameClock, Tags};

pub(super) struct Header {
    pub(super) name: String,
    pub(super) value: String,
    /// The value has a meaning, unlike `?`.
    known: bool,
}

/// Reads `[Name "value"]` and returns the text after it. A quotation mark in the value has `\` before it, or is not the last.
pub(super) fn header(text: &str) -> Result<(Header, &str), ReadError> {
    let invalid = || {
        let line = text.lines().next().unwrap_or_default();
        ReadError::quoting(Pgn, line, "{} is not a header like `[Event \"name\"]`")
    };
    let body = text[1..].trim_start();
    let (name, rest) = words::name(body);
    let rest = rest.trim_start().strip_prefix('"').filter(|_| !name.is_empty()).ok_or_else(invalid)?;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                if let Some(after) = rest[at + 1..].trim_start().strip_prefix(']') {
                    let value = rest[..at].trim();
                    let (name, known) = (name.to_owned(), is_known(value));
                    return Ok((Header { name, value: plain_value(value), known }, after));
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

pub(super) struct Headers {
    pub(super) all: Vec<Header>,
    pub(super) tags: Tags,
}

impl Headers {
    /// The value of a header. `None` if it is unknown. Servers do not agree on the case of names.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let header = self.all.iter().rfind(|header| header.name.eq_ignore_ascii_case(name))?;
        header.known.then_some(header.value.as_str())
    }

    fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(str::to_owned)
    }

    /// Fills the tags, except for the result. A header whose value cannot be read is stored by its name.
    pub(super) fn take(&mut self) -> Result<(), ReadError> {
        let variant = self.get("Variant");
        let first_is_white = variant.is_some_and(is_othello);
        if let Some(text) = variant.filter(|text| is_anti(text) || !is_known_variant(text)) {
            return Err(ReadError::quoting(Pgn, text, "Variant: the game is {}, not othello"));
        }
        for (name, field) in FIELDS {
            let Some(value) = self.text(name) else { continue };
            if let Err(error) = tags::take(&mut self.tags, field, Pgn, name, &value) {
                if matches!(field, tags::Field::Kind) {
                    return Err(error);
                }
                self.tags.keep(name, &value);
            }
        }
        // XBoard's White is the side that moves first. The separate clocks are not XBoard's.
        if first_is_white {
            let Tags { black, white, .. } = &mut self.tags;
            std::mem::swap(black, white);
            std::mem::swap(&mut black.clock, &mut white.clock);
        }
        self.tags.place = self.text("Site").or_else(|| self.text("Event"));
        self.tags.date = self.text("Date");
        let site = self.get("Site").is_some();
        // Without this tag, the writer would write the place as an event.
        if site && !self.all.iter().any(|header| header.known && header.name.eq_ignore_ascii_case("Event")) {
            self.tags.keep("Event", NO_EVENT);
        }
        let known = self.all.iter().filter(|header| header.known);
        let last: HashMap<String, &str> =
            known.map(|header| (header.name.to_ascii_lowercase(), header.value.as_str())).collect();
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
            } else if *known && last.get(&name.to_ascii_lowercase()) != Some(&value.as_str()) {
                self.tags
                    .drop_part("headers before others of the same name", || format!("{name}: `{value}`"));
            }
        }
        Ok(())
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
