//! The Othello Engine Protocol of Cassio.
//!
//! Specification: Nicolet, Causse and Delorme, *The Othello Engine Protocol* (see `ARCHITECTURE.md`). Cassio also sends
//! `feed-hash` and double spaces, and takes some words in a line as a sign that the engine has crashed. Every command line
//! starts with `ENGINE-PROTOCOL`. An empty line asks if the engine is alive. A search is answered by result lines and one
//! `ready.`. While a search is running, only a line that ends it may be answered by `ready.`.
//!
//! Errors are reported in a `WARNING:` line, which Cassio shows to the user and does not take for an answer.

mod command;
mod reply;
mod session;

use super::dialect::{DialectSession, ProtocolSpec};
use session::Cassio;

pub(super) const PROTOCOL: ProtocolSpec = ProtocolSpec {
    name: "cassio",
    begins: |words| matches!(words, ["ENGINE-PROTOCOL", ..]),
    opens: |words| matches!(words, ["ENGINE-PROTOCOL", "init" | "get-version"]),
    session: DialectSession::<Cassio>::boxed,
};
