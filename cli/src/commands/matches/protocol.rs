//! What a program is spoken to in.

use std::fmt;

/// A protocol in which a game can be played with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    /// NBoard's.
    NBoard,
    /// Cassio's.
    Cassio,
    /// Hub.
    Hub,
    /// XBoard's.
    XBoard,
}

impl Protocol {
    /// All of them.
    pub(super) const ALL: [Protocol; 4] =
        [Protocol::NBoard, Protocol::Cassio, Protocol::Hub, Protocol::XBoard];

    /// The one of this name.
    pub(super) fn named(name: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.to_string() == name)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::NBoard => "nboard",
            Protocol::Cassio => "cassio",
            Protocol::Hub => "hub",
            Protocol::XBoard => "xboard",
        })
    }
}
