//! NBoard's protocol, versions 2 and 1.
//!
//! Specification: Welty, *NBoard Protocol* (`ARCHITECTURE.md` says where), with what NBoard and other clients do beyond
//! it. The position is always the end of the game that was set; `===` announces a move and does not play it. `ping` is
//! the only fence: whatever is said before its `pong` belongs to the old position, so a `ping` ends the search and
//! nothing of it follows.
//!
//! Version 1 has bare moves (`F5` for `move F5`), no clock in `go` and no `nodestats`; everything else is the same,
//! and either way of sending moves is understood in both.
//!
//! Lines that are no command are ignored as the document demands; a command with a faulty field leaves game and
//! search as they are and shows in the status line.

mod command;
mod reply;
mod session;

pub use session::NBoardSession;

use super::spec::ProtocolSpec;

/// Some clients start with `ping 1`.
pub(super) const PROTOCOL: ProtocolSpec = ProtocolSpec {
    name: "nboard",
    begins: |words| matches!(words, ["nboard" | "set" | "learn" | "move", ..] | ["ping", _, ..]),
    opens: |words| matches!(words, ["nboard", version] if version.parse::<u32>().is_ok()),
    session: |config, last| Box::new(NBoardSession::new(config, last)),
};
