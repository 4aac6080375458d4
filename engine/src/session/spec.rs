//! What a protocol tells of itself.

use super::{Session, SessionConfig};
use crate::search::SearchId;

/// A test of a line by its words.
pub(super) type Test = fn(&[&str]) -> bool;

/// A protocol, as its own folder describes it. [`Protocol`](super::Protocol) lists them all.
#[derive(Debug)]
pub(super) struct ProtocolSpec {
    /// The name the command line knows it by.
    pub(super) name: &'static str,
    /// Whether a line of these words may be the first one of a conversation; no other protocol has such a first line.
    pub(super) begins: Test,
    /// Whether a line of these words opens it beyond doubt, whatever is being spoken.
    pub(super) opens: Test,
    /// A session; search ids go on after this one.
    pub(super) session: fn(SessionConfig, SearchId) -> Box<dyn Session>,
}
