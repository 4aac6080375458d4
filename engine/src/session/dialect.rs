//! Which protocol the other end speaks.

use std::fmt;
use std::str::FromStr;

use super::protocol::{Protocol, Test};
use super::{Session, SessionConfig, cassio, hub, nboard, xboard};
use crate::search::SearchId;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// NBoard's, versions 1 and 2.
    NBoard,
    /// The Othello Engine Protocol of Cassio.
    Cassio,
    /// Hub, version 2.
    Hub,
    /// The protocol of WinBoard and XBoard, versions 1 and 2.
    XBoard,
}

/// The text names no dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDialect;

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 4] = [Dialect::NBoard, Dialect::Cassio, Dialect::Hub, Dialect::XBoard];

    const fn protocol(self) -> &'static Protocol {
        match self {
            Dialect::NBoard => &nboard::PROTOCOL,
            Dialect::Cassio => &cassio::PROTOCOL,
            Dialect::Hub => &hub::PROTOCOL,
            Dialect::XBoard => &xboard::PROTOCOL,
        }
    }

    /// The dialect that has `line` among its possible first lines.
    pub fn of_first_line(line: &str) -> Option<Dialect> {
        Dialect::of(line, |protocol| protocol.begins)
    }

    /// The dialect that `line` opens beyond doubt, whatever is being spoken: no other dialect has such a line.
    pub fn opened_by(line: &str) -> Option<Dialect> {
        Dialect::of(line, |protocol| protocol.opens)
    }

    fn of(line: &str, test: fn(&Protocol) -> Test) -> Option<Dialect> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Dialect::ALL.into_iter().find(|dialect| test(dialect.protocol())(&words))
    }

    /// The name the command line knows it by.
    pub const fn name(self) -> &'static str {
        self.protocol().name
    }

    /// A session in it; search ids go on after `last`.
    pub(super) fn session(self, config: SessionConfig, last: SearchId) -> Box<dyn Session> {
        (self.protocol().session)(config, last)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Dialect, UnknownDialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == text).ok_or(UnknownDialect)
    }
}

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not one of {}", Dialect::ALL.map(Dialect::name).join(", "))
    }
}

impl std::error::Error for UnknownDialect {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines() {
        for (line, dialect) in [
            ("nboard 2", Some(Dialect::NBoard)),
            ("ping 1", Some(Dialect::NBoard)),
            ("set game (;GM[Othello];)", Some(Dialect::NBoard)),
            ("ENGINE-PROTOCOL get-version", Some(Dialect::Cassio)),
            ("ENGINE-PROTOCOL  feed-hash", Some(Dialect::Cassio)),
            ("hub", Some(Dialect::Hub)),
            ("xboard", Some(Dialect::XBoard)),
            ("protover 2", Some(Dialect::XBoard)),
            ("uci", Some(Dialect::XBoard)),
            ("", None),
            ("   ", None),
            ("ping", None),
            ("hello", None),
            ("\u{feff}nboard 2", None),
        ] {
            assert_eq!(Dialect::of_first_line(line), dialect, "{line}");
        }
    }

    #[test]
    fn what_opens_a_dialect_in_the_middle_of_another() {
        assert_eq!(Dialect::opened_by("hub"), Some(Dialect::Hub));
        assert_eq!(Dialect::opened_by("nboard 2"), Some(Dialect::NBoard));
        for line in ["nboard", "nboard x", "ping 1", "hub please", "xboard 2", "ENGINE-PROTOCOL stop"] {
            assert_eq!(Dialect::opened_by(line), None, "{line}");
        }
    }

    #[test]
    fn names() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.to_string().parse(), Ok(dialect));
        }
        assert_eq!("uci".parse::<Dialect>(), Err(UnknownDialect));
        assert!(Dialect::ALL.iter().all(|dialect| UnknownDialect.to_string().contains(dialect.name())));
    }
}
