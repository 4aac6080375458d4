//! Texts of games that begin with `(;`, split into one slice per game in time proportional to their length.
//!
//! A game reaches to its `)`, or to where another game surely begins. If it cannot be read, a value that is not closed may
//! have run into the games behind it. These are then split at whatever looks like the opening of a game, so that no byte is
//! looked at more than a few times.

/// The beginning of a game.
pub(super) const OPENING: &str = "(;";

/// What the formats differ in.
pub(super) struct Syntax {
    /// Variations are in brackets of their own, and `\` takes the character behind it into the value.
    pub(super) nested: bool,
    /// Returns `true` if the opening at a byte outside values begins a game that is not part of the one before it.
    pub(super) begins: fn(&str, usize) -> bool,
    /// Returns `true` if the opening at a byte behind a fault is likely to begin a game.
    pub(super) resumes: fn(&str, usize) -> bool,
}

/// Reads the games of a text one by one, each with its number from 1 and the number of the line it begins in.
pub(super) fn games<'a, G: 'a, E: 'a>(
    text: &'a str,
    syntax: &'static Syntax,
    read: fn(&'a str) -> Result<G, E>,
) -> impl Iterator<Item = (usize, usize, Result<G, E>)> + 'a {
    let mut split = Split { text, syntax, at: 0, faulty: false, reach: 0, opening: 0 };
    let (mut counted, mut line) = (0, 1);
    (1..).map_while(move |number| {
        let start = split.start()?;
        line += text[counted..start].bytes().filter(|&byte| byte == b'\n').count();
        counted = start;
        let (end, next) = split.end(start);
        let game = read(&text[start..end]);
        split.step(start, end, next, game.is_ok());
        Some((number, line, game))
    })
}

struct Split<'a> {
    text: &'a str,
    syntax: &'static Syntax,
    /// Where the next game is looked for.
    at: usize,
    /// The game before `at` could not be read.
    faulty: bool,
    /// Where the last faulty game ended, if the games behind it had not been split off.
    reach: usize,
    /// The last opening that was found by [`Split::opening`].
    opening: usize,
}

impl Split<'_> {
    /// Where the next game begins; `None` behind the last.
    fn start(&mut self) -> Option<usize> {
        if self.faulty {
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

    /// Where the game ends, and the game behind it if the two are split there unread.
    fn end(&mut self, start: usize) -> (usize, Option<usize>) {
        if start < self.reach {
            let next = self.opening(start + OPENING.len());
            if next < self.reach {
                return (next, Some(next));
            }
        }
        (self.closing(start), None)
    }

    /// The byte behind the `)` of a game, or that of the next game or the end of the text if there is no `)` before it.
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
        self.faulty = next.is_some() || !good;
        self.at = next.unwrap_or(if good { end } else { start + OPENING.len() });
        if next.is_none() && !good {
            self.reach = self.reach.max(end);
        }
    }
}

/// The letters and digits behind the opening at a byte, and what follows them.
pub(super) fn first_name(text: &str, opening: usize) -> (&str, &str) {
    let first = text[opening + OPENING.len()..].trim_start();
    first.split_at(first.bytes().take_while(u8::is_ascii_alphanumeric).count())
}
