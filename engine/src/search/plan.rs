//! The iterations of iterative deepening.

use super::endgame::PROBCUT_MIN_EMPTIES;
use super::{Depth, Goal, Limits};
use crate::score::Confidence;

/// Depth up to which a search that values several moves, without a limit of depth, values all of them in each iteration. Beyond,
/// every second one values only the best move: with all moves in all of them, only a third of the nodes to 18 plies would belong
/// to the last one.
const ALL_MOVES_PLIES: u32 = 8;

/// Depth up to which a search leaves no iteration out.
const SINGLE_PLIES: u32 = 4;

/// Number of iterations that a search to a depth leaves out before its last two: that saves a fifth of the nodes at 14 plies.
const LEFT_OUT: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IterationPlan {
    /// In plies. All empty squares for an iteration to the end of the game.
    pub(super) depth: u32,
    pub(super) confidence: Confidence,
    /// The first of a pair of depths whose mean is reported after the second one. Only the best move is valued.
    pub(super) unreported: bool,
}

/// Returns the iterations for a position with `empties` empty squares, in order.
///
/// A search to the end of the game starts with midgame iterations, for the order of the moves and a first value, and continues
/// to the end with increasing confidence.
pub(super) fn iterations(empties: u32, goal: Goal, limits: &Limits) -> Vec<IterationPlan> {
    if !goes_to_the_end(empties, goal, limits) {
        return to_depth(limits.depth.plies().max(1), limits.confidence);
    }
    let low = Confidence::LOWEST.min(limits.confidence);
    let last = midgame_depth(empties);
    let values_several = matches!(goal, Goal::Hints(count) if count > 1);
    let plan = |depth| {
        let unreported = values_several && depth > ALL_MOVES_PLIES && (last - depth) % 2 == 1;
        IterationPlan { depth, confidence: low, unreported }
    };
    let mut iterations: Vec<_> = (1..=last).map(plan).collect();
    let mut to_end = |confidence| {
        iterations.push(IterationPlan { depth: empties, confidence, unreported: false });
    };
    if empties >= PROBCUT_MIN_EMPTIES {
        for level in [0, 2] {
            let confidence = Confidence::LEVELS[level];
            if confidence < limits.confidence {
                to_end(confidence);
            }
        }
    }
    to_end(if empties >= PROBCUT_MIN_EMPTIES { limits.confidence } else { Confidence::EXACT });
    iterations
}

/// Returns `true` if the last iteration goes to the end of the game.
pub(super) fn goes_to_the_end(empties: u32, goal: Goal, limits: &Limits) -> bool {
    // A board with fewer discs than the start position has more empty squares than the largest depth.
    limits.depth.plies() >= empties.min(Depth::MAX.plies())
        || empties <= u32::from(limits.exact_from)
        || goal == Goal::Outcome
}

/// Returns the iterations of a search to the depth `last`.
fn to_depth(last: u32, confidence: Confidence) -> Vec<IterationPlan> {
    let is_left_out = |depth: u32| {
        depth > SINGLE_PLIES && (last - depth).checked_sub(2).is_some_and(|rest| rest < LEFT_OUT)
    };
    let unreported = |depth| depth > SINGLE_PLIES && depth + 1 == last;
    let plan = |depth| IterationPlan { depth, confidence, unreported: unreported(depth) };
    (1..=last).filter(|&depth| !is_left_out(depth)).map(plan).collect()
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
