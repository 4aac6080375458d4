//! The Othello Engine Protocol, spoken by Cassio.
//!
//! Specification: Nicolet, Causse and Delorme, *The Othello Engine Protocol* (`ARCHITECTURE.md` says where), with what
//! Cassio itself does beyond it: `feed-hash`, double spaces, lines it takes for a dying engine. Every command line
//! starts with `ENGINE-PROTOCOL`; an empty line asks for a sign of life. A search is answered by result lines and one
//! `ready.`, so nothing else may say `ready.` while one is under way, except what ends it.
//!
//! What is wrong with a line is told in a `WARNING:` line, which Cassio shows and does not take for an answer.

mod command;
mod reply;
mod session;

pub use session::CassioSession;

use super::spec::ProtocolSpec;

pub(super) const PROTOCOL: ProtocolSpec = ProtocolSpec {
    name: "cassio",
    begins: |words| matches!(words, ["ENGINE-PROTOCOL", ..]),
    opens: |words| matches!(words, ["ENGINE-PROTOCOL", "init" | "get-version"]),
    session: |config, last| Box::new(CassioSession::new(config, last)),
};
