//! Hub, version 2, with Othello in the place of draughts.
//!
//! Specification: Letouzey, *Hub protocol, version 2* (`ARCHITECTURE.md` says where), with what pydraughts and
//! py-draughts take for granted. A search is asked for in three steps, position, level and mode; it ends with exactly
//! one `done`, and whoever sent `go` waits for it, so an error never takes its place.
//!
//! The board, which the document leaves to the game:
//!
//! - `pos=` is the side to move, `B` or `W`, and 64 characters `b`, `w`, `e` from a1 row by row;
//! - a move is a square, `f5`, or `pass`, in `moves=`, `done` and `pv` alike;
//! - scores are in discs for the side to move.

mod command;
mod grammar;
mod level;
mod params;
mod reply;
mod session;

pub use session::HubSession;

use super::spec::ProtocolSpec;

pub(super) const PROTOCOL: ProtocolSpec = ProtocolSpec {
    name: "hub",
    begins: |words| match words {
        ["hub" | "set-param" | "init", ..] => true,
        ["pos", second, ..] => second.contains('='),
        _ => false,
    },
    opens: |words| *words == ["hub"],
    session: |config, last| Box::new(HubSession::new(config, last)),
};
