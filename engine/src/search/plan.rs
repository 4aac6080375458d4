//! The iterations of iterative deepening.

use super::endgame::PROBCUT_MIN_EMPTIES;
use super::{Depth, Goal, Limits};
use crate::score::Confidence;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IterationPlan {
    /// In plies. All empty squares for an iteration to the end of the game.
    pub(super) depth: u32,
    pub(super) confidence: Confidence,
}

/// Returns the iterations for a position with `empties` empty squares, in order.
///
/// A search to a depth deepens by one ply. A search to the end of the game starts with midgame iterations, for the order of
/// the moves and a first value, and continues to the end with increasing confidence.
pub(super) fn iterations(empties: u32, goal: Goal, limits: &Limits) -> Vec<IterationPlan> {
    // A board with fewer discs than the start position has more empty squares than the largest depth.
    let to_the_end = limits.depth.plies() >= empties.min(Depth::MAX.plies())
        || empties <= u32::from(limits.exact_from)
        || goal == Goal::Outcome;
    if !to_the_end {
        return (1..=limits.depth.plies().max(1))
            .map(|depth| IterationPlan { depth, confidence: limits.confidence })
            .collect();
    }
    let mut iterations = Vec::new();
    let low = Confidence::LOWEST.min(limits.confidence);
    for depth in 1..=midgame_depth(empties) {
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

/// Returns the depth of the last midgame iteration before the end of the game. A larger depth hardly improves the order.
const fn midgame_depth(empties: u32) -> u32 {
    match empties {
        0..=9 => 0,
        10..=14 => empties - 8,
        15..=20 => empties / 2,
        _ => empties - 10,
    }
}
