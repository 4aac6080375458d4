//! The engine's parameters.

use std::fmt;

use super::grammar::push;
use crate::search::HashSize;
use crate::session::SessionConfig;

/// The most memory that may be asked for, in mebibytes.
const MAX_HASH_MIB: u32 = 1 << 20;
/// The longest margin, in seconds.
const MAX_MARGIN_SECONDS: f64 = 60.0;

/// What the GUI may set before `init`, with its present values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Params {
    /// Number of search threads.
    pub(super) threads: usize,
    /// Size of the transposition table.
    pub(super) hash: HashSize,
    /// Time to leave on the clock besides the engine's own margin, in seconds.
    pub(super) margin: f64,
    /// Whether deep midgame searches may prune on a guess.
    pub(super) selective: bool,
    /// The file of the opening book; empty for none.
    pub(super) book: String,
    most_threads: usize,
}

/// A parameter that cannot be set like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParamError {
    /// No such parameter.
    Unknown,
    /// `name=` or `value=` is missing.
    Missing(&'static str),
    /// The value does not fit.
    Value {
        /// The parameter.
        name: &'static str,
        /// What would fit.
        expected: &'static str,
    },
}

impl Params {
    /// The values at the start.
    pub(super) fn new(config: &SessionConfig) -> Params {
        let SessionConfig { threads, hash, max_threads, .. } = *config;
        let book = config.book.as_ref().map(|open| open.path.clone()).unwrap_or_default();
        Params { threads, hash, margin: 0.0, selective: true, book, most_threads: max_threads.max(threads) }
    }

    /// Sets one; a value that does not fit changes nothing.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        let wrong = |name, expected| ParamError::Value { name, expected };
        match name {
            "variant" => match value {
                "othello" | "reversi" | "normal" => {}
                _ => return Err(wrong("variant", "othello")),
            },
            "threads" => {
                let number = value.parse().ok().filter(|number| (1..=self.most_threads).contains(number));
                self.threads = number.ok_or(wrong("threads", "a whole number in its range"))?;
            }
            "hash" => {
                let size = value.parse().ok().filter(|size| (1..=MAX_HASH_MIB).contains(size));
                self.hash = HashSize(size.ok_or(wrong("hash", "a whole number of mebibytes in its range"))?);
            }
            "margin" => {
                let margin = value.parse().ok().filter(|margin| (0.0..=MAX_MARGIN_SECONDS).contains(margin));
                self.margin = margin.ok_or(wrong("margin", "a number of seconds from 0 to 60"))?;
            }
            "selective" => {
                self.selective = match value {
                    "true" => true,
                    "false" => false,
                    _ => return Err(wrong("selective", "true or false")),
                }
            }
            "book" => self.book = value.to_owned(),
            _ => return Err(ParamError::Unknown),
        }
        Ok(())
    }

    /// The lines that declare them all.
    pub(super) fn declarations(&self) -> Vec<String> {
        vec![
            declaration("variant", "othello", "enum", &[("values", "othello".to_owned())]),
            declaration("threads", self.threads, "int", &range(1, self.most_threads)),
            declaration("hash", self.hash.0, "int", &range(1, MAX_HASH_MIB)),
            declaration("margin", self.margin, "real", &range(0, MAX_MARGIN_SECONDS)),
            declaration("selective", self.selective, "bool", &[]),
            declaration("book", &self.book, "string", &[]),
        ]
    }
}

fn range(min: impl fmt::Display, max: impl fmt::Display) -> [(&'static str, String); 2] {
    [("min", min.to_string()), ("max", max.to_string())]
}

fn declaration(
    name: &str,
    value: impl fmt::Display,
    kind: &str,
    constraints: &[(&'static str, String)],
) -> String {
    let mut line = "param".to_owned();
    push(&mut line, "name", name);
    push(&mut line, "value", value);
    push(&mut line, "type", kind);
    for (name, value) in constraints {
        push(&mut line, name, value);
    }
    line
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamError::Unknown => f.write_str("set-param: there is no such parameter"),
            ParamError::Missing(what) => write!(f, "set-param: {what} is missing"),
            ParamError::Value { name, expected } => write!(f, "set-param: {name} has to be {expected}"),
        }
    }
}

impl std::error::Error for ParamError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_fit_and_values_that_do_not() {
        let mut params = Params::new(&SessionConfig { max_threads: 4, ..SessionConfig::default() });
        for (name, value) in [
            ("threads", "4"),
            ("hash", "16"),
            ("margin", "0.25"),
            ("selective", "false"),
            ("variant", "othello"),
            ("book", "my openings.txt"),
        ] {
            assert_eq!(params.set(name, value), Ok(()), "{name}");
        }
        let before = params.clone();
        for (name, value) in [
            ("threads", "5"),
            ("threads", "0"),
            ("threads", "1.5"),
            ("hash", ""),
            ("hash", "-1"),
            ("margin", "nan"),
            ("margin", "61"),
            ("selective", "yes"),
            ("variant", "frisian"),
            ("books", "true"),
        ] {
            assert!(params.set(name, value).is_err(), "{name}={value}");
        }
        assert_eq!(params, before);
    }

    #[test]
    fn declared_with_their_ranges() {
        let params = Params::new(&SessionConfig::default());
        assert_eq!(
            params.declarations(),
            [
                "param name=variant value=othello type=enum values=othello",
                "param name=threads value=1 type=int min=1 max=1",
                "param name=hash value=64 type=int min=1 max=1048576",
                "param name=margin value=0 type=real min=0 max=60",
                "param name=selective value=true type=bool",
                "param name=book value=\"\" type=string",
            ]
        );
    }
}
