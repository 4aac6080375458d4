//! What the evaluation keeps up to date from move to move.

/// Pattern indices of a board from the mover's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features;
