//! Patterns for lines with variable parts: times, nodes, evaluations.
//!
//! | part | matches |
//! | --- | --- |
//! | `{n}` | a whole number |
//! | `{t}` | a number with or without decimals |
//! | `{e}` | an evaluation: an optional sign, a number with two decimals |
//! | `{sq}` | a square, in upper or lower case |
//! | `{pv}` | squares and passes without separators |
//! | `{w}` | a word |
//! | `{*}` | any text |

use std::fmt;

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
    /// Reads a pattern. Braces around an unknown part match themselves.
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

    pub fn matches(&self, line: &str) -> bool {
        match_parts(&self.parts, line)
    }
}

fn match_parts(parts: &[Part], line: &str) -> bool {
    let Some((first, others)) = parts.split_first() else { return line.is_empty() };
    match first {
        Part::Text(text) => line.strip_prefix(text.as_str()).is_some_and(|rest| match_parts(others, rest)),
        Part::Hole(hole) => line
            .char_indices()
            .map(|(at, _)| at)
            .chain([line.len()])
            .rev()
            .any(|end| hole.matches(&line[..end]) && match_parts(others, &line[end..])),
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

    fn matches(self, text: &str) -> bool {
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
    fn lines_match_their_patterns() {
        for (pattern, matching, other) in [
            ("pong 1", "pong 1", "pong 11"),
            ("nodestats {n} {t}", "nodestats 12 0.25", "nodestats -1 0.25"),
            ("search {pv} {e} 0 {w}", "search F5PAd6 -0.40 0 12@73%", "search F5 1 0 12"),
            ("=== {sq}/{e}/{t}", "=== F5/1.23/0.45", "=== F9/1.23/0.45"),
            ("a{*}z", "a to z", "a to y"),
            ("{t}", "17", "1e5"),
            ("{x}", "{x}", "x"),
        ] {
            assert!(Pattern::new(pattern).matches(matching), "{pattern} {matching}");
            assert!(!Pattern::new(pattern).matches(other), "{pattern} {other}");
        }
    }
}
