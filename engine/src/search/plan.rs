//! The iterations of iterative deepening.

use super::endgame::PROBCUT_MIN_EMPTIES;
use super::{Depth, Goal, Limits};
use crate::score::Confidence;

/// Depth up to which a search that values several moves deepens by one ply. Beyond, it leaves out every second depth: with all
/// of them, only a third of the nodes of a search to 18 plies belong to its last iteration.
const SINGLE_PLIES: u32 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IterationPlan {
    /// In plies. All empty squares for an iteration to the end of the game.
    pub(super) depth: u32,
    pub(super) confidence: Confidence,
}

/// Returns the iterations for a position with `empties` empty squares, in order.
///
/// A search to a depth deepens by one ply, or beyond [`SINGLE_PLIES`] by two plies if it values several moves. A search to the
/// end of the game starts with midgame iterations, for the order of the moves and a first value, and continues to the end with
/// increasing confidence.
pub(super) fn iterations(empties: u32, goal: Goal, limits: &Limits) -> Vec<IterationPlan> {
    // A board with fewer discs than the start position has more empty squares than the largest depth.
    let to_the_end = limits.depth.plies() >= empties.min(Depth::MAX.plies())
        || empties <= u32::from(limits.exact_from)
        || goal == Goal::Outcome;
    if !to_the_end {
        return depths(limits.depth.plies().max(1), goal)
            .map(|depth| IterationPlan { depth, confidence: limits.confidence })
            .collect();
    }
    let mut iterations = Vec::new();
    let low = Confidence::LOWEST.min(limits.confidence);
    for depth in depths(midgame_depth(empties), goal) {
        iterations.push(IterationPlan { depth, confidence: low });
    }
    if empties >= PROBCUT_MIN_EMPTIES {
        for level in [0, 2] {
            let confidence = Confidence::LEVELS[level];
            if confidence < limits.confidence {
                iterations.push(IterationPlan { depth: empties, confidence });
            }
        }
    }
    let last = if empties >= PROBCUT_MIN_EMPTIES { limits.confidence } else { Confidence::EXACT };
    iterations.push(IterationPlan { depth: empties, confidence: last });
    iterations
}

/// Returns the depths of the midgame iterations up to `last`.
fn depths(last: u32, goal: Goal) -> impl Iterator<Item = u32> {
    let by_two = matches!(goal, Goal::Hints(count) if count > 1);
    (1..=last).filter(move |&depth| !by_two || depth <= SINGLE_PLIES || (last - depth).is_multiple_of(2))
}

/// Returns the depth of the last midgame iteration before the end of the game. A larger depth hardly improves the order.
const fn midgame_depth(empties: u32) -> u32 {
    match empties {
        0..=9 => 0,
        10..=14 => empties - 8,
        15..=20 => empties / 2,
        _ => empties - 10,
    }
}
