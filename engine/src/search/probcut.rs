//! Multi-ProbCut: a shallow search predicts the value of a deep one with a known error.
//!
//! A node is cut if the shallow value is outside the window by more than `t` standard deviations of the error (Buro,
//! *Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello*, 1997). The confidence of a
//! search determines `t`.

use super::midgame::{self, LEAF_SOLVE_EMPTIES};
use super::node::Node;
use super::value::{Centidiscs, Discs};
use super::worker::Worker;
use crate::kernel::Kernels;

/// Width of the margin at each confidence below 100 % ([`crate::score::Confidence::LEVELS`]), in hundredths of a standard
/// deviation.
const MARGIN_DEVIATIONS: [i32; 5] = [110, 150, 200, 260, 330];
/// Smallest midgame depth with ProbCut, by the static evaluation alone: a shallow search would cost as much as the full one.
const STATIC_MIN_DEPTH: u32 = 2;
/// Smallest midgame depth with ProbCut by a shallow search.
const SHALLOW_MIN_DEPTH: u32 = 3;
/// Extra width of the margin of the static evaluation if a shallow search is also possible, in hundredths.
const STATIC_MARGIN: i32 = 200;

/// Returns a bound that a shallow search makes likely, if it is outside the null window above `alpha`.
#[inline(always)]
pub(super) fn midgame<K: Kernels>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    alpha: Centidiscs,
    depth: u32,
) -> Option<Centidiscs> {
    if depth < STATIC_MIN_DEPTH || worker.confidence.is_exact() {
        return None;
    }
    if depth >= SHALLOW_MIN_DEPTH {
        return attempt::<K>(worker, node, alpha, depth);
    }
    let empties = node.board.empties();
    // If leaves are solved, the static evaluation has a larger error.
    if empties <= LEAF_SOLVE_EMPTIES + depth {
        return None;
    }
    let margin = midgame_deviations(worker) * MIDGAME_DEVIATION.at(empties, depth, 0) / 100;
    let value = node
        .static_eval
        .unwrap_or_else(|| midgame::static_eval::<K>(worker, node.board, node.features, node.moves));
    outside(value, alpha, margin)
}

/// Returns the bound of `value` if it is outside the null window above `alpha` by more than `margin`.
#[inline(always)]
fn outside(value: Centidiscs, alpha: Centidiscs, margin: i32) -> Option<Centidiscs> {
    if value.0 > alpha.0 + margin {
        Some(Centidiscs(alpha.0 + 1))
    } else if value.0 <= alpha.0 - margin {
        Some(alpha)
    } else {
        None
    }
}

/// Returns the standard deviations that the confidence of the iteration requires, in hundredths.
#[inline(always)]
fn margin_deviations(worker: &Worker<'_>) -> i32 {
    MARGIN_DEVIATIONS[usize::from(worker.confidence.level().min(4))]
}

/// Returns them for the midgame, with the weights in use. To the end of the game the margins are the same for all weights:
/// narrower margins cost a quarter more nodes there.
#[inline(always)]
fn midgame_deviations(worker: &Worker<'_>) -> i32 {
    margin_deviations(worker) * worker.shared.evaluator.probcut_margin_percent() / 100
}

/// Returns them for a search to the end of the game.
#[inline(always)]
pub(super) fn endgame<K: Kernels>(worker: &mut Worker<'_>, node: &Node<'_>, alpha: Discs) -> Option<Discs> {
    if worker.confidence.is_exact() {
        return None;
    }
    let cut = attempt::<K>(worker, node, alpha.into(), node.board.empties())?;
    Some(if cut > alpha.into() { Discs(alpha.0 + 1) } else { alpha })
}

/// Tries the static evaluation, then a shallow search. Bounds below the window count only in an iteration to the end of the
/// game: elsewhere, such cuts made the values of searches less accurate (`train/RESULTS.md`).
fn attempt<K: Kernels>(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    alpha: Centidiscs,
    depth: u32,
) -> Option<Centidiscs> {
    let Node { board, features, moves, static_eval } = *node;
    let empties = board.empties();
    let (deviations, deviation, shallow) = if depth < empties {
        (midgame_deviations(worker), &MIDGAME_DEVIATION, shallow_depth(depth))
    } else {
        (margin_deviations(worker), &ENDGAME_DEVIATION, endgame_shallow_depth(empties))
    };
    let margin = deviations * deviation.at(empties, depth, shallow) / 100;
    // The static evaluation comes first. Far outside the window it suffices. Far inside, a shallow search would be wasted.
    let value = static_eval.unwrap_or_else(|| worker.static_value::<K>(board, features, moves));
    let static_deviation = deviation.at(empties, depth, 0);
    let static_margin = deviations * static_deviation / 100 * STATIC_MARGIN / 100;
    let bound = outside(value, alpha, static_margin).filter(|&bound| bound > alpha || worker.to_end);
    if bound.is_some() {
        return bound;
    }
    let spread = static_deviation + MIDGAME_DEVIATION.at(empties, shallow, 0);
    let inside = deviations * spread / 200 * deviation.inside / 100;

    let evaluated = Node { static_eval: Some(value), ..*node };
    let high = alpha.0 + 1 + margin;
    if high <= 6400 && value.0 >= high - inside {
        let found = midgame::null_window::<K>(worker, evaluated, Centidiscs(high - 1), shallow);
        if worker.halted {
            return None;
        }
        if found.0 >= high {
            return Some(Centidiscs(alpha.0 + 1));
        }
    }
    let low = alpha.0 - margin;
    if worker.to_end && low >= -6400 && value.0 <= low + inside {
        let found = midgame::null_window::<K>(worker, evaluated, Centidiscs(low), shallow);
        if worker.halted {
            return None;
        }
        if found.0 <= low {
            return Some(alpha);
        }
    }
    None
}

/// Returns the depth of the shallow search in the midgame: half the depth or a little less, of the same parity.
const fn shallow_depth(depth: u32) -> u32 {
    of_parity(if depth < 8 { depth / 2 } else { depth / 2 - 1 }, depth)
}

/// Returns the depth of the shallow search to the end of the game: about half.
const fn endgame_shallow_depth(empties: u32) -> u32 {
    of_parity(empties / 2, empties) - 2
}

/// Returns `half` or less, with the parity of `depth`, and two less if that is still deep.
const fn of_parity(half: u32, depth: u32) -> u32 {
    let shallow = if half % 2 == depth % 2 { half } else { half - 1 };
    if depth >= 12 && shallow > 4 { shallow - 2 } else { shallow }
}

/// The standard deviation of a deep search around a shallow one, in discs, as `outflank-train probcut` fits it to searches
/// without cuts:
///
/// ```text
/// (base + slope √(depth − shallow)) (1 + near / (1 + shallow)) (1 − late · empties)
/// ```
///
/// All in integers, so that every machine gets the same result.
struct Deviation {
    /// `base + slope √distance` for each distance in plies, in centidiscs.
    roots: [u32; 64],
    /// In hundredths.
    near: u32,
    /// In thousandths.
    late: u32,
    /// Most empty squares that were measured. Above, the value stays the same.
    most: u32,
    /// How far inside its bound the static evaluation may be for a shallow search to be tried, in hundredths of its
    /// deviation.
    inside: i32,
}

/// The output of `outflank-train probcut`, parsed at compile time. An error in it is a compiler error.
const FITTED: &[u8] = include_bytes!("../../weights/probcut.txt");

/// Between two midgame depths.
static MIDGAME_DEVIATION: Deviation = Deviation::fitted("midgame", 15);
/// Between a depth and the end of the game.
static ENDGAME_DEVIATION: Deviation = Deviation::fitted("endgame", 50);

impl Deviation {
    /// Returns the deviation on the line of [`FITTED`] that starts with `name`.
    const fn fitted(name: &str, inside: i32) -> Deviation {
        let line = line_of(name);
        let (late, most) = (number_of(line, "late"), number_of(line, "most"));
        assert!(late * most < 1000, "probcut.txt: late · most leaves no deviation");
        Deviation {
            roots: roots(number_of(line, "base"), number_of(line, "slope")),
            near: number_of(line, "near"),
            late,
            most,
            inside,
        }
    }

    /// In centidiscs.
    #[inline]
    fn at(&self, empties: u32, depth: u32, shallow: u32) -> i32 {
        let root = self.roots[depth.saturating_sub(shallow) as usize & 63];
        let near = 100 + self.near / (1 + shallow);
        let late = 1000 - self.late * empties.min(self.most);
        (root * near / 100 * late / 1000) as i32
    }
}

const fn roots(base: u32, slope: u32) -> [u32; 64] {
    let mut all = [0; 64];
    let mut far = 0;
    while far < 64 {
        all[far] = base + (slope * slope * far as u32).isqrt();
        far += 1;
    }
    all
}

/// Returns the words after `name` on its line of [`FITTED`].
const fn line_of(name: &str) -> &'static [u8] {
    let mut rest = FITTED;
    while !rest.is_empty() {
        let (line, after) = split(rest, b'\n');
        let (first, words) = split(line.trim_ascii(), b' ');
        if equal(first, name.as_bytes()) {
            return words;
        }
        rest = after;
    }
    panic!("probcut.txt: a line is missing")
}

/// Returns the number after the word `name`.
const fn number_of(line: &[u8], name: &str) -> u32 {
    let mut rest = line;
    while !rest.is_empty() {
        let (word, after) = split(rest, b' ');
        let (digits, after) = split(after, b' ');
        if equal(word, name.as_bytes()) {
            let Ok(digits) = std::str::from_utf8(digits) else { panic!("probcut.txt: not a number") };
            let Ok(number) = u32::from_str_radix(digits, 10) else { panic!("probcut.txt: not a number") };
            return number;
        }
        rest = after;
    }
    panic!("probcut.txt: a number is missing")
}

/// Splits the text at the first `at`. If there is none, returns the whole text and an empty one.
const fn split(text: &[u8], at: u8) -> (&[u8], &[u8]) {
    let mut end = 0;
    while end < text.len() && text[end] != at {
        end += 1;
    }
    let (before, behind) = text.split_at(end);
    match behind {
        [_, behind @ ..] => (before, behind),
        [] => (before, behind),
    }
}

const fn equal(one: &[u8], other: &[u8]) -> bool {
    let mut n = 0;
    while n < one.len() && n < other.len() && one[n] == other[n] {
        n += 1;
    }
    n == one.len() && n == other.len()
}
