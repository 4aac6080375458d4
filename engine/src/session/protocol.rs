//! Which protocol the other end speaks.

use std::fmt;
use std::str::FromStr;

use super::spec::{ProtocolSpec, Test};
use super::{Session, SessionConfig, cassio, hub, nboard, xboard};
use crate::search::SearchId;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
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
pub struct UnknownProtocol;

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 4] = [Protocol::NBoard, Protocol::Cassio, Protocol::Hub, Protocol::XBoard];

    const fn spec(self) -> &'static ProtocolSpec {
        match self {
            Protocol::NBoard => &nboard::PROTOCOL,
            Protocol::Cassio => &cassio::PROTOCOL,
            Protocol::Hub => &hub::PROTOCOL,
            Protocol::XBoard => &xboard::PROTOCOL,
        }
    }

    /// The dialect that has `line` among its possible first lines.
    pub fn of_first_line(line: &str) -> Option<Protocol> {
        Protocol::of(line, |spec| spec.begins)
    }

    /// The dialect that `line` opens beyond doubt, whatever is being spoken: no other dialect has such a line.
    pub fn opened_by(line: &str) -> Option<Protocol> {
        Protocol::of(line, |spec| spec.opens)
    }

    fn of(line: &str, test: fn(&ProtocolSpec) -> Test) -> Option<Protocol> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Protocol::ALL.into_iter().find(|dialect| test(dialect.spec())(&words))
    }

    /// The name the command line knows it by.
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// A session in it; search ids go on after `last`.
    pub(super) fn session(self, config: SessionConfig, last: SearchId) -> Box<dyn Session> {
        (self.spec().session)(config, last)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<Protocol, UnknownProtocol> {
        Protocol::ALL.into_iter().find(|dialect| dialect.name() == text).ok_or(UnknownProtocol)
    }
}

impl fmt::Display for UnknownProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not one of {}", Protocol::ALL.map(Protocol::name).join(", "))
    }
}

impl std::error::Error for UnknownProtocol {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines() {
        for (line, dialect) in [
            ("nboard 2", Some(Protocol::NBoard)),
            ("ping 1", Some(Protocol::NBoard)),
            ("set game (;GM[Othello];)", Some(Protocol::NBoard)),
            ("ENGINE-PROTOCOL get-version", Some(Protocol::Cassio)),
            ("ENGINE-PROTOCOL  feed-hash", Some(Protocol::Cassio)),
            ("hub", Some(Protocol::Hub)),
            ("xboard", Some(Protocol::XBoard)),
            ("protover 2", Some(Protocol::XBoard)),
            ("uci", Some(Protocol::XBoard)),
            ("", None),
            ("   ", None),
            ("ping", None),
            ("hello", None),
            ("\u{feff}nboard 2", None),
        ] {
            assert_eq!(Protocol::of_first_line(line), dialect, "{line}");
        }
    }

    #[test]
    fn what_opens_a_dialect_in_the_middle_of_another() {
        assert_eq!(Protocol::opened_by("hub"), Some(Protocol::Hub));
        assert_eq!(Protocol::opened_by("nboard 2"), Some(Protocol::NBoard));
        for line in ["nboard", "nboard x", "ping 1", "hub please", "xboard 2", "ENGINE-PROTOCOL stop"] {
            assert_eq!(Protocol::opened_by(line), None, "{line}");
        }
    }

    #[test]
    fn names() {
        for dialect in Protocol::ALL {
            assert_eq!(dialect.to_string().parse(), Ok(dialect));
        }
        assert_eq!("uci".parse::<Protocol>(), Err(UnknownProtocol));
        assert!(Protocol::ALL.iter().all(|dialect| UnknownProtocol.to_string().contains(dialect.name())));
    }
}
