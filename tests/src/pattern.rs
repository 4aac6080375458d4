//! Patterns for lines with parts that vary: times, nodes, evaluations.
//!
//! | part | stands for |
//! | --- | --- |
//! | `{n}` | a whole number |
//! | `{t}` | a number with or without decimals |
//! | `{e}` | an evaluation: a sign or none, a number with two decimals |
//! | `{sq}` | a square, in any case |
//! | `{pv}` | squares and passes without anything between |
//! | `{w}` | a word |
//! | `{*}` | anything at all |

use std::fmt;

/// A line with parts that vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Hole(Hole),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    Whole,
    Number,
    Eval,
    Square,
    Line,
    Word,
    Any,
}

impl Pattern {
    /// Reads a pattern; braces that are no known part stand for themselves.
    pub fn new(text: &str) -> Pattern {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let hole = Hole::ALL.into_iter().find(|hole| rest.starts_with(hole.text()));
            if let Some(hole) = hole {
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                parts.push(Part::Hole(hole));
                rest = &rest[hole.text().len()..];
            } else {
                plain.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Pattern { text: text.to_owned(), parts }
    }

    /// Whether the whole of `line` fits.
    pub fn matches(&self, line: &str) -> bool {
        fits(&self.parts, line)
    }
}

fn fits(parts: &[Part], line: &str) -> bool {
    let Some((first, others)) = parts.split_first() else { return line.is_empty() };
    match first {
        Part::Text(text) => line.strip_prefix(text.as_str()).is_some_and(|rest| fits(others, rest)),
        Part::Hole(hole) => line
            .char_indices()
            .map(|(at, _)| at)
            .chain([line.len()])
            .rev()
            .any(|end| hole.takes(&line[..end]) && fits(others, &line[end..])),
    }
}

impl Hole {
    const ALL: [Hole; 7] =
        [Hole::Whole, Hole::Number, Hole::Eval, Hole::Square, Hole::Line, Hole::Word, Hole::Any];

    const fn text(self) -> &'static str {
        match self {
            Hole::Whole => "{n}",
            Hole::Number => "{t}",
            Hole::Eval => "{e}",
            Hole::Square => "{sq}",
            Hole::Line => "{pv}",
            Hole::Word => "{w}",
            Hole::Any => "{*}",
        }
    }

    fn takes(self, text: &str) -> bool {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Hole::Whole => digits(text),
            Hole::Number => match text.split_once('.') {
                Some((whole, decimals)) => digits(whole) && digits(decimals),
                None => digits(text),
            },
            Hole::Eval => {
                let text = text.strip_prefix(['+', '-']).unwrap_or(text);
                text.split_once('.').is_some_and(|(w, d)| digits(w) && digits(d) && d.len() == 2)
            }
            Hole::Square => is_square(text),
            Hole::Line => {
                let bytes = text.as_bytes();
                !text.is_empty()
                    && bytes.len().is_multiple_of(2)
                    && bytes
                        .chunks(2)
                        .all(|pair| pair == b"PA" || std::str::from_utf8(pair).is_ok_and(is_square))
            }
            Hole::Word => !text.is_empty() && !text.contains(char::is_whitespace),
            Hole::Any => true,
        }
    }
}

fn is_square(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8'])
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_and_what_does_not() {
        for (pattern, fitting, other) in [
            ("pong 1", "pong 1", "pong 11"),
            ("nodestats {n} {t}", "nodestats 12 0.25", "nodestats -1 0.25"),
            ("search {pv} {e} 0 {w}", "search F5PAd6 -0.40 0 12@73%", "search F5 1 0 12"),
            ("=== {sq}/{e}/{t}", "=== F5/1.23/0.45", "=== F9/1.23/0.45"),
            ("a{*}z", "a to z", "a to y"),
            ("{t}", "17", "1e5"),
            ("{x}", "{x}", "x"),
        ] {
            assert!(Pattern::new(pattern).matches(fitting), "{pattern} {fitting}");
            assert!(!Pattern::new(pattern).matches(other), "{pattern} {other}");
        }
    }
}
