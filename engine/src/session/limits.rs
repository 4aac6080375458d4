//! From a depth that a user sets to the limits of a search.

use crate::board::Position;
use crate::score::Confidence;
use crate::search::{Depth, Limits};

/// The limits of a search of `root` at a midgame depth of `plies`.
///
/// GUIs set one number for the midgame and leave the endgame to the engine: from `exact_from` empty squares
/// on the game is solved. Deep midgame searches prune on a guess, which is what makes their depth worth its
/// time; short ones need not.
pub fn limits(root: &Position, plies: u32) -> Limits {
    /// Up to this depth nothing is pruned on a guess.
    const FULL_WIDTH: u32 = 8;
    let exact_from = exact_from(plies);
    let empties = root.empties();
    let solves = empties <= u32::from(exact_from) || empties <= plies;
    let confidence = if solves || plies <= FULL_WIDTH { Confidence::EXACT } else { Confidence::LOWEST };
    Limits { depth: Depth::new(plies), exact_from, confidence, nodes: None }
}

/// The number of empty squares from which on a game is solved at a midgame depth of `plies`: what takes about
/// as long as a midgame search of that depth.
pub(super) fn exact_from(plies: u32) -> u8 {
    let empties = match plies {
        0 => 0,
        1..=5 => 2 * plies + 2,
        6..=12 => plies + 8,
        13..=20 => 20 + (plies - 12) / 2,
        // A GUI may ask for any number of plies.
        _ => plies.saturating_add(3).min(60),
    };
    empties as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deeper_midgame_solves_earlier() {
        for plies in 0..60 {
            assert!(exact_from(plies) <= exact_from(plies + 1), "{plies}");
            assert!(u32::from(exact_from(plies)) >= plies, "{plies}");
        }
        assert_eq!(exact_from(60), 60);
        assert_eq!(exact_from(u32::MAX), 60);
    }

    #[test]
    fn deep_midgames_are_selective_and_endgames_are_not() {
        assert_eq!(limits(&Position::START, 20).confidence.percent(), 73);
        assert_eq!(limits(&Position::START, 6).confidence, Confidence::EXACT);
        assert_eq!(limits(&Position::START, 60).confidence, Confidence::EXACT);
    }
}
