//! Texts of games that begin with `(;`, split into one slice per game in time proportional to their length.
//!
//! A game ends at its `)`, or where another game certainly begins. If it cannot be read, a value that is not closed may
//! include the games after it. They are then split at every likely opening of a game: each byte is read only a few times.

use super::error::ReadErrorCode::Unreadable;
use super::{NumberedGame, ReadError, words};
use crate::game::Game;

pub(super) const OPENING: &str = "(;";

/// The differences between the formats.
pub(super) struct Syntax {
    /// Variations are in nested brackets, and `\` escapes a character of a value.
    pub(super) nested: bool,
    /// Returns `true` if the opening at a byte outside values begins a game that is not part of the previous one.
    pub(super) begins: fn(&str, usize) -> bool,
    /// Returns `true` if the opening at a byte after an error is likely to begin a game.
    pub(super) resumes: fn(&str, usize) -> bool,
}

/// Reads the games of a text one by one, each with its number and the number of its first line, both from 1.
///
/// Text between games is noted in the game after it, that after the last game in that game. If it has moves, it is an error with
/// the next number.
pub(super) fn games<'a>(
    text: &'a str,
    syntax: &'static Syntax,
    read: fn(&'a str) -> Result<Game, ReadError>,
) -> impl Iterator<Item = NumberedGame> + 'a {
    let mut split = Split { text, syntax, at: 0, failed: false, reach: 0, opening: 0 };
    let (mut counted, mut line) = (0, 1);
    // The end of the last text that was checked.
    let mut checked = 0;
    let mut count = move |at: usize| {
        line += text[counted..at].bytes().filter(|&byte| byte == b'\n').count();
        counted = at;
        line
    };
    (1..).map_while(move |number| {
        let start = split.start();
        let (from, to) = (checked, start.unwrap_or(text.len()));
        if start.is_none() && number == 1 {
            return None;
        }
        let before = if from < to { outside(&text[from..to]) } else { None };
        checked = checked.max(to);
        if let Some((at, line)) = before.filter(|(_, line)| words::has_square(line)) {
            let error = ReadError::quoting(Unreadable, line, "{} is outside of games");
            return Some((number, count(from + at), Err(error)));
        }
        let start = start?;
        let (end, next) = split.end(start);
        let mut game = read(&text[start..end]);
        split.step(start, end, next, game.is_ok());
        checked = checked.max(next.unwrap_or(end));
        let is_last = game.is_ok() && !text[end..].contains(OPENING);
        let after = if is_last { outside(&text[end..]) } else { None };
        let after = after.filter(|(_, line)| !words::has_square(line));
        for (_, line) in [before, after].into_iter().flatten() {
            game.iter_mut().for_each(|game| game.tags.drop_text("text outside of games", line));
        }
        Some((number, count(start), game))
    })
}

/// The first line with a move, otherwise the first with letters, and its byte. Lines of comments have neither.
fn outside(text: &str) -> Option<(usize, &str)> {
    let mut first = None;
    let mut at = 0;
    for line in text.split('\n') {
        let trimmed = line.trim();
        if !trimmed.starts_with(['%', '#', '/']) && trimmed.contains(char::is_alphabetic) {
            if words::has_square(trimmed) {
                return Some((at, trimmed));
            }
            first = first.or(Some((at, trimmed)));
        }
        at += line.len() + 1;
    }
    first
}

struct Split<'a> {
    text: &'a str,
    syntax: &'static Syntax,
    /// Where the search for the next game starts.
    at: usize,
    /// The game before `at` could not be read.
    failed: bool,
    /// Where the last invalid game ended before the games in it were split off.
    reach: usize,
    /// The last result of [`Split::opening`].
    opening: usize,
}

impl Split<'_> {
    /// Where the next game begins. `None` after the last.
    fn start(&mut self) -> Option<usize> {
        if self.failed {
            return Some(self.opening(self.at)).filter(|&start| start < self.text.len());
        }
        Some(self.at + self.text[self.at..].find(OPENING)?)
    }

    /// The next opening from a byte on that is likely to begin a game, or the end of the text.
    fn opening(&mut self, from: usize) -> usize {
        if self.opening < from {
            let mut openings = self.text[from..].match_indices(OPENING).map(|(at, _)| from + at);
            let opening = openings.find(|&at| (self.syntax.resumes)(self.text, at));
            self.opening = opening.unwrap_or(self.text.len());
        }
        self.opening
    }

    /// Where the game ends, and where the next one begins if the two are split without reading.
    fn end(&mut self, start: usize) -> (usize, Option<usize>) {
        if start < self.reach {
            let next = self.opening(start + OPENING.len());
            if next < self.reach {
                return (next, Some(next));
            }
        }
        (self.closing(start), None)
    }

    /// The byte after the `)` of a game. Without a `)`, the start of the next game or the end of the text.
    fn closing(&self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let (mut at, mut open, mut value) = (start, 0_usize, false);
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b']' => value = false,
                b'\\' if value && self.syntax.nested => at += 1,
                _ if value => {}
                b'[' => value = true,
                b'(' if open > 0
                    && self.text[at..].starts_with(OPENING)
                    && (self.syntax.begins)(self.text, at) =>
                {
                    return at;
                }
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 || !self.syntax.nested {
                        return at + 1;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        bytes.len()
    }

    fn step(&mut self, start: usize, end: usize, next: Option<usize>, good: bool) {
        self.failed = next.is_some() || !good;
        self.at = next.unwrap_or(if good { end } else { start + OPENING.len() });
        if next.is_none() && !good {
            self.reach = self.reach.max(end);
        }
    }
}

/// The letters and digits after the opening at a byte, and the text after them.
pub(super) fn first_name(text: &str, opening: usize) -> (&str, &str) {
    let first = text[opening + OPENING.len()..].trim_start();
    first.split_at(first.bytes().take_while(u8::is_ascii_alphanumeric).count())
}
