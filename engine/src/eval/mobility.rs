//! The mobility features: the moves of both sides.
//!
//! Patterns contain discs. Whether a side can move to an empty square also depends on lines that leave the pattern.
//! Therefore the moves of both sides have weights too: their numbers on the board, their numbers in each quadrant together
//! with its empty squares, and for each corner which of its four squares (the corner, its two C squares and its X square)
//! each side can take.

use super::patterns::{PATTERN_COUNT, pattern_start};
use crate::board::Bitboard;

/// Number of mobility features of a board: two for the whole board, four for the quadrants, four for the corners.
pub(super) const MOBILITY_COUNT: usize = 10;

/// Largest number of moves that is distinguished.
const MAX_MOVES: usize = 31;
/// Largest numbers in a quadrant that are distinguished: 9 empty squares, 5 moves of a side.
const MAX_EMPTIES: usize = 9;
const MAX_IN_QUADRANT: usize = 5;

/// The first feature index of each kind: moves of the mover, of the opponent, quadrants, then each corner.
const OWN: usize = pattern_start(PATTERN_COUNT);
const OTHER: usize = OWN + MAX_MOVES + 1;
const QUADRANT: usize = OTHER + MAX_MOVES + 1;
const CORNER: usize = QUADRANT + (MAX_EMPTIES + 1) * (MAX_IN_QUADRANT + 1) * (MAX_IN_QUADRANT + 1);
const CORNER_STATES: usize = 256;
/// One more than the last feature index.
pub(super) const END: usize = CORNER + 4 * CORNER_STATES;

/// Returns the mobility feature indices of a board with the moves `own` of the mover, `other` of the opponent, and the empty
/// squares `empty`.
#[inline(always)]
pub(super) fn mobility_indices(own: u64, other: u64, empty: u64) -> [usize; MOBILITY_COUNT] {
    let count = |set: u64, most: usize| (set.count_ones() as usize).min(most);
    let mut indices = [0; MOBILITY_COUNT];
    indices[0] = OWN + count(own, MAX_MOVES);
    indices[1] = OTHER + count(other, MAX_MOVES);
    let corners = corner_nibbles(own, other);
    for n in 0..4 {
        let quadrant = Bitboard::QUADRANTS[n].0;
        let empties = count(empty & quadrant, MAX_EMPTIES);
        let moves = [own, other].map(|moves| count(moves & quadrant, MAX_IN_QUADRANT));
        let place = (empties * (MAX_IN_QUADRANT + 1) + moves[0]) * (MAX_IN_QUADRANT + 1) + moves[1];
        indices[2 + n] = QUADRANT + place;
        let nibbles = corners >> [0, 4, 48, 52][n];
        indices[6 + n] = CORNER + n * CORNER_STATES + (nibbles & 15 | nibbles >> 4 & 0xf0) as usize;
    }
    indices
}

/// Returns the moves of both sides to the squares of the corners, in rows 1, 2, 7 and 8. Columns a and b contain the mover's
/// moves to them, c and d the opponent's. Columns g and h contain the mover's, e and f the opponent's.
#[inline(always)]
fn corner_nibbles(own: u64, other: u64) -> u64 {
    const LEFT: u64 = 0x0303_0000_0000_0303;
    const RIGHT: u64 = LEFT << 6;
    own & (LEFT | RIGHT) | (other & LEFT) << 2 | (other & RIGHT) >> 2
}

/// Returns the class of each mobility feature, from that without own moves. The features of one class share a weight. Corner
/// states that are mirror images have the same class.
pub(super) fn classes() -> Vec<usize> {
    let mut classes: Vec<usize> = (0..CORNER - OWN).collect();
    for corner in 0..4 {
        classes.extend((0..CORNER_STATES).map(|state| CORNER - OWN + corner_class(corner, state)));
    }
    classes
}

/// Returns the state of a corner, in the same form for all corners: for the corner, the X square and the C squares in
/// ascending order, whether the mover (2) and the opponent (1) can move there.
fn corner_class(corner: usize, state: usize) -> usize {
    let (right, below) = (corner & 1 != 0, corner & 2 != 0);
    let bit = |nibble: usize, n: usize| state >> (4 * nibble + n) & 1;
    // Who can move to the square in the row at the border or the row next to it, and the same for the column.
    let movers = |border_row: bool, border_column: bool| {
        let nibble = usize::from(border_row == below);
        let column = usize::from(border_column == right);
        let (own, other) = if right { (2, 0) } else { (0, 2) };
        2 * bit(nibble, own + column) + bit(nibble, other + column)
    };
    let (one, two) = (movers(true, false), movers(false, true));
    ((movers(true, true) * 4 + movers(false, false)) * 4 + one.min(two)) * 4 + one.max(two)
}
