//! What can be wrong with a text in any notation.

use std::fmt;

use crate::board::{IllegalMove, Move};

/// A move that could be read but is against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalAt {
    /// Which move: 1 for the first disc placed from the start position, passes not counted.
    pub number: usize,
    /// The move.
    pub mv: Move,
    /// The rule.
    pub reason: IllegalMove,
}

impl fmt::Display for IllegalAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {} ({}) is illegal: {}", self.number, self.mv, self.reason)
    }
}

impl std::error::Error for IllegalAt {}

/// The beginning of a text, short enough for a message and without control characters.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut short: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short.truncate(short.trim_end().len());
    short
}
