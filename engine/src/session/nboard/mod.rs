//! NBoard's protocol, versions 2 and 1.
//!
//! Specification: Welty, *NBoard Protocol* (see `ARCHITECTURE.md`), with what NBoard and other clients do beyond it. The
//! position is always the end of the game that was set. `===` announces a move and does not play it. `ping` separates
//! positions: every line before its `pong` belongs to the old position. A `ping` therefore ends the search.
//!
//! Version 1 has bare moves (`F5` for `move F5`, accepted in both versions), no clock in `go` and no `nodestats`.
//!
//! As specified, lines that are not commands are ignored. A command with an invalid field changes neither game nor search,
//! and the error is shown in the status line.

mod client;
mod reply;
mod session;

use super::dialect::{DialectSession, ProtocolSpec};
use session::NBoard;

pub use client::{Reply, UnknownDepth, hint, read, read_value, set_position, write_value};

/// Some clients start with `ping 1`.
pub(super) const PROTOCOL: ProtocolSpec = ProtocolSpec {
    name: "nboard",
    begins: |words| matches!(words, ["nboard" | "set" | "learn" | "move", ..] | ["ping", _, ..]),
    opens: |words| matches!(words, ["nboard", version] if version.parse::<u32>().is_ok()),
    session: DialectSession::<NBoard>::boxed,
};
