//! The limits of a search at a depth that a user has set.

use crate::board::Position;
use crate::score::Confidence;
use crate::search::{Depth, Limits};

/// Returns the limits of a search of `root` at a midgame depth of `plies`.
///
/// GUIs set one number for the midgame and leave the endgame to the engine. With few empty squares the position is solved.
/// Deep midgame searches use ProbCut, short ones do not.
#[must_use]
pub fn limits_at_depth(root: &Position, plies: u32) -> Limits {
    /// Largest depth without ProbCut.
    const FULL_WIDTH: u32 = 8;
    let exact_from = exact_from(plies);
    let empties = root.empties();
    let solves = empties <= u32::from(exact_from) || empties <= plies;
    let confidence = if solves || plies <= FULL_WIDTH { Confidence::EXACT } else { Confidence::LOWEST };
    Limits { depth: Depth::new(plies), exact_from, confidence, nodes: None, only: None }
}

/// Returns the number of empty squares at which solving takes about as long as a midgame search of `plies`.
fn exact_from(plies: u32) -> u8 {
    let empties = match plies {
        0 => 0,
        1..=5 => 2 * plies + 2,
        6..=12 => plies + 8,
        13..=20 => 20 + (plies - 12) / 2,
        _ => plies.saturating_add(3).min(60),
    };
    empties as u8
}
