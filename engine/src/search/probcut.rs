//! Multi-ProbCut: a shallow search tells, up to a known error, what a deep one would say.
//!
//! When the shallow value lies outside the window by more than `t` standard deviations of the error, the
//! node is cut (Buro, *Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello*,
//! 1997). The confidence of a search sets `t`.

use super::midgame;
use super::worker::Worker;
use crate::board::{Bitboard, Board, Kernels};
use crate::eval::Features;

/// Standard deviations, in hundredths, for the places of [`crate::score::Confidence::LEVELS`].
const SURENESS: [i32; 6] = [110, 150, 200, 260, 330, i32::MAX];
/// From this depth on it is tried in the midgame: by the static value alone, since a shallow search would cost as much as
/// the whole.
const STATIC: u32 = 2;
/// From this depth on by a shallow search.
const MIDGAME: u32 = 3;
/// How much wider, in hundredths, the margin of the static value is where it cuts although a shallow search could still
/// be asked.
const ALONE: i32 = 200;

/// A bound that a shallow search makes likely, where it lies outside the null window above `alpha`. `known` is the
/// static value where it was already asked for.
#[inline(always)]
pub(super) fn midgame<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    known: Option<i32>,
    alpha: i32,
    depth: u32,
) -> Option<i32> {
    if depth < STATIC || worker.level >= 5 {
        return None;
    }
    if depth >= MIDGAME {
        return attempt::<K>(worker, board, features, moves, known, alpha, depth);
    }
    let empties = board.empties();
    // Where the leaves are solved the static value errs by more.
    if empties <= midgame::SOLVED + depth {
        return None;
    }
    let margin = sureness(worker) * MIDGAME_DEVIATION.at(empties, depth, 0) / 100;
    let still = known.unwrap_or_else(|| midgame::still::<K>(worker, board, features, moves));
    outside(still, alpha, margin)
}

/// The bound that `value` tells where it lies outside the null window above `alpha` by more than `margin`.
#[inline(always)]
fn outside(value: i32, alpha: i32, margin: i32) -> Option<i32> {
    if value > alpha + margin {
        Some(alpha + 1)
    } else if value <= alpha - margin {
        Some(alpha)
    } else {
        None
    }
}

/// Standard deviations that the confidence of the round asks for, in hundredths.
#[inline(always)]
fn sureness(worker: &Worker<'_>) -> i32 {
    SURENESS[usize::from(worker.level.min(4))]
}

/// The same to the end of the game; `alpha` and the result are discs.
#[inline(always)]
pub(super) fn endgame<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    known: Option<i32>,
    alpha: i32,
) -> Option<i32> {
    if worker.level >= 5 {
        return None;
    }
    let cut = attempt::<K>(worker, board, features, moves, known, alpha * 100, board.empties())?;
    Some(if cut > alpha * 100 { alpha + 1 } else { alpha })
}

fn attempt<K: Kernels>(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    moves: Bitboard,
    known: Option<i32>,
    alpha: i32,
    depth: u32,
) -> Option<i32> {
    let empties = board.empties();
    let sureness = sureness(worker);
    let (deviation, shallow) = if depth < empties {
        (&MIDGAME_DEVIATION, shallow_depth(depth))
    } else {
        (&ENDGAME_DEVIATION, endgame_shallow_depth(empties))
    };
    let margin = sureness * deviation.at(empties, depth, shallow) / 100;
    // The static value first: far outside the window it needs no other witness, far inside the shallow search would be
    // wasted.
    let still = known.unwrap_or_else(|| worker.core.evaluator.value::<K>(features, board, moves));
    let alone = deviation.at(empties, depth, 0);
    if let Some(score) = outside(still, alpha, sureness * alone / 100 * ALONE / 100) {
        return Some(score);
    }
    let spread = alone + MIDGAME_DEVIATION.at(empties, shallow, 0);
    let doubt = sureness * spread / 200 * deviation.doubt / 100;

    let high = alpha + 1 + margin;
    if high <= 6400 && still >= alpha + 1 + margin - doubt {
        let score = midgame::null_window::<K>(worker, board, features, moves, Some(still), high - 1, shallow);
        if worker.halted {
            return None;
        }
        if score >= high {
            return Some(alpha + 1);
        }
    }
    let low = alpha - margin;
    if low >= -6400 && still <= alpha - margin + doubt {
        let score = midgame::null_window::<K>(worker, board, features, moves, Some(still), low, shallow);
        if worker.halted {
            return None;
        }
        if score <= low {
            return Some(alpha);
        }
    }
    None
}

/// Depth of the shallow search in the midgame: about half or a little less, of the same parity.
const fn shallow_depth(depth: u32) -> u32 {
    of_parity(if depth < 8 { depth / 2 } else { depth / 2 - 1 }, depth)
}

/// The same to the end of the game: about half.
const fn endgame_shallow_depth(empties: u32) -> u32 {
    of_parity(empties / 2, empties) - 2
}

/// `half` or less, odd where `depth` is odd, and two less where that is still deep.
const fn of_parity(half: u32, depth: u32) -> u32 {
    let shallow = if half % 2 == depth % 2 { half } else { half - 1 };
    if depth >= 12 && shallow > 4 { shallow - 2 } else { shallow }
}

/// The standard deviation of a deep search around a shallow one, as `outflank-train probcut` fits it to
/// searches without cuts, in discs:
///
/// ```text
/// (base + slope √(depth − shallow)) (1 + shallows / (1 + shallow)) (1 − late · empties)
/// ```
///
/// All in integers, so that every machine comes to the same.
struct Deviation {
    /// `base + slope √far` for each number of plies between, in centidiscs.
    roots: [u32; 64],
    /// Hundredths.
    shallows: u32,
    /// Thousandths.
    late: u32,
    /// Beyond this number of empty squares it was not measured, and stays what it is.
    most: u32,
    /// How far inside its bound, in hundredths of its own deviation, the static value may lie for the shallow search
    /// to be tried.
    doubt: i32,
}

/// Between two depths.
static MIDGAME_DEVIATION: Deviation =
    Deviation { roots: roots(98, 123), shallows: 74, late: 12, most: 48, doubt: 15 };
/// Between a depth and the end of the game.
static ENDGAME_DEVIATION: Deviation =
    Deviation { roots: roots(73, 175), shallows: 49, late: 22, most: 24, doubt: 50 };

const fn roots(base: u32, slope: u32) -> [u32; 64] {
    let mut all = [0; 64];
    let mut far = 0;
    while far < 64 {
        all[far] = base + (slope * slope * far as u32).isqrt();
        far += 1;
    }
    all
}

impl Deviation {
    /// In centidiscs.
    #[inline]
    fn at(&self, empties: u32, depth: u32, shallow: u32) -> i32 {
        let root = self.roots[depth.saturating_sub(shallow) as usize & 63];
        let near = 100 + self.shallows / (1 + shallow);
        let late = 1000 - self.late * empties.min(self.most);
        (root * near / 100 * late / 1000) as i32
    }
}
