//! What was found of a position.

use std::time::Duration;

use outflank::score::Discs;

/// What to find out of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The score.
    Score,
    /// Who wins.
    Outcome,
}

/// What became of a line of the file.
pub(super) struct Entry {
    /// Its number, from 1.
    pub(super) line: usize,
    /// What was found, or why nothing was looked for.
    pub(super) outcome: Result<Solution, String>,
}

/// What was found.
pub(super) struct Solution {
    /// Number of empty squares.
    pub(super) empties: u32,
    /// What was to be found out.
    pub(super) wanted: Wanted,
    /// The score for the side to move; where the winner alone was wanted, only its sign says something.
    pub(super) score: Discs,
    /// The score of the file.
    pub(super) expected: Option<Discs>,
    /// Whether the two agree.
    pub(super) agrees: bool,
    /// Nodes of the search.
    pub(super) nodes: u64,
    /// Time of the search.
    pub(super) time: Duration,
    /// The principal variation.
    pub(super) line: Vec<String>,
}
