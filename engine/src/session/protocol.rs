//! The protocols, and how the first line selects one.

use std::fmt;
use std::str::FromStr;

use super::dialect::{ProtocolSpec, Test};
use super::{Session, SessionConfig, cassio, gtp, hub, nboard, xboard};
use crate::search::SearchId;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// NBoard, versions 1 and 2.
    NBoard,
    /// The Othello Engine Protocol of Cassio.
    Cassio,
    /// Hub, version 2.
    Hub,
    /// The protocol of WinBoard and XBoard, versions 1 and 2.
    XBoard,
    /// The Go Text Protocol, version 2.
    Gtp,
}

/// Error: the text names no protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownProtocol;

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 5] =
        [Protocol::NBoard, Protocol::Cassio, Protocol::Hub, Protocol::XBoard, Protocol::Gtp];

    const fn spec(self) -> &'static ProtocolSpec {
        match self {
            Protocol::NBoard => &nboard::PROTOCOL,
            Protocol::Cassio => &cassio::PROTOCOL,
            Protocol::Hub => &hub::PROTOCOL,
            Protocol::XBoard => &xboard::PROTOCOL,
            Protocol::Gtp => &gtp::PROTOCOL,
        }
    }

    /// Returns the protocol that can start with `line`.
    pub fn of_first_line(line: &str) -> Option<Protocol> {
        Protocol::find(line, |spec| spec.begins)
    }

    /// Returns the protocol that `line` opens, whatever the current one is. No other protocol has such a line.
    pub fn opened_by(line: &str) -> Option<Protocol> {
        Protocol::find(line, |spec| spec.opens)
    }

    fn find(line: &str, test: fn(&ProtocolSpec) -> Test) -> Option<Protocol> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Protocol::ALL.into_iter().find(|protocol| test(protocol.spec())(&words))
    }

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns a session whose search ids follow `last`.
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
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == text).ok_or(UnknownProtocol)
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
    fn lines_select_a_protocol() {
        for (name, lines) in [
            ("nboard", "nboard 2|ping 1|set game (;GM[Othello];)"),
            ("cassio", "ENGINE-PROTOCOL get-version|ENGINE-PROTOCOL  feed-hash"),
            ("hub", "hub"),
            ("xboard", "xboard|protover 2|uci"),
            ("gtp", "protocol_version|1 name|7 list_commands|boardsize 8|genmove b|quit"),
            ("", "|   |ping|hello|\u{feff}nboard 2|7|x name|123456789012345678901 name"),
        ] {
            for line in lines.split('|') {
                assert_eq!(Protocol::of_first_line(line).map_or("", Protocol::name), name, "{line}");
            }
        }
        assert_eq!(Protocol::opened_by("hub"), Some(Protocol::Hub));
        assert_eq!(Protocol::opened_by("nboard 2"), Some(Protocol::NBoard));
        assert_eq!(Protocol::opened_by("1 protocol_version"), Some(Protocol::Gtp));
        for line in
            ["nboard", "nboard x", "ping 1", "hub please", "xboard 2", "ENGINE-PROTOCOL stop", "name A"]
        {
            assert_eq!(Protocol::opened_by(line), None, "{line}");
        }
    }
}
