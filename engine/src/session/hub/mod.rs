//! Hub, version 2, for Othello instead of draughts.
//!
//! Specification: Letouzey, *Hub protocol, version 2* (see `ARCHITECTURE.md`), with what pydraughts and py-draughts rely on.
//! A search is requested by position, level and mode. It ends with exactly one `done`, which an error never replaces.
//!
//! The specification leaves the board to the game:
//!
//! - `pos=` is the side to move, `B` or `W`, and 64 characters `b`, `w`, `e` from a1 row by row
//! - a move is a square, `f5`, or `pass`, in `moves=`, `done` and `pv`
//! - scores are in discs for the side to move

mod command;
mod params;
mod reply;
mod session;

use super::dialect::{DialectSession, ProtocolSpec};
use session::Hub;

pub(super) const PROTOCOL: ProtocolSpec = ProtocolSpec {
    name: "hub",
    begins: |words| match words {
        ["hub" | "set-param" | "init", ..] => true,
        ["pos", second, ..] => second.contains('='),
        _ => false,
    },
    opens: |words| *words == ["hub"],
    session: DialectSession::<Hub>::boxed,
};
