//! Standard errors: how far values of searches are from exact scores.
//!
//! The table is measured by `outflank bench accuracy` on positions with exact scores (`train/RESULTS.md`): half the width of
//! the interval around a value that contains 68 of 100 exact scores.

use crate::eval::NetworkSize;

/// Empty squares of the rows of a network in [`TABLE`].
const EMPTIES: [u32; 3] = [20, 25, 30];
/// Plies of the columns of [`TABLE`]. Deeper searches have the error of the last one.
const PLIES: [u32; 12] = [0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 21];
/// Errors of searches to a depth at 73 %, in hundredths of a disc: the small network, then the large one. The first column is
/// extrapolated. With more than 30 empty squares, the error at 30 is used, since exact scores are not known there.
const TABLE: [[[u16; PLIES.len()]; EMPTIES.len()]; 2] = [
    [
        [590, 538, 483, 407, 381, 329, 302, 263, 211, 200, 195, 195],
        [540, 475, 435, 354, 304, 272, 258, 240, 203, 189, 172, 172],
        [540, 478, 444, 373, 317, 297, 267, 236, 220, 201, 177, 170],
    ],
    [
        [590, 547, 486, 405, 386, 327, 288, 263, 215, 200, 195, 195],
        [500, 451, 426, 347, 291, 261, 233, 211, 197, 195, 193, 193],
        [460, 419, 417, 356, 300, 283, 256, 239, 208, 193, 176, 160],
    ],
];
/// Root mean square errors of searches to the end of the game at 73, 87, 95, 98 and 99 %. Most of them find the exact score.
const SOLVES: [u16; 5] = [160, 130, 75, 50, 40];

/// Returns the standard error in centidiscs of a search of a position with `empties` empty squares to `depth` plies, at a
/// confidence of `percent`.
pub(super) fn standard_error(network: NetworkSize, empties: u32, depth: u32, percent: u32) -> f64 {
    let level = [73, 87, 95, 98].iter().filter(|&&level| percent > level).count();
    if depth >= empties {
        return SOLVES[level].into();
    }
    // With fewer cuts, the error of a deep search is up to a tenth lower.
    let gain = f64::from(level.min(2) as u32 * depth.clamp(6, 14).abs_diff(6)) / 160.0;
    (1.0 - gain) * at_lowest_confidence(network, empties, depth)
}

fn at_lowest_confidence(network: NetworkSize, empties: u32, depth: u32) -> f64 {
    let row = EMPTIES.iter().skip(1).filter(|&&of| empties + 2 >= of).count();
    let errors = &TABLE[usize::from(network == NetworkSize::Large)][row];
    let above = PLIES.iter().position(|&plies| plies > depth).unwrap_or(PLIES.len());
    let (Some(&next), Some(&error)) = (PLIES.get(above), errors.get(above)) else {
        return errors[PLIES.len() - 1].into();
    };
    let [before, after] = [errors[above - 1], error].map(f64::from);
    let share = f64::from(depth - PLIES[above - 1]) / f64::from(next - PLIES[above - 1]);
    before + share * (after - before)
}
