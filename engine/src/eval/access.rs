//! Where each side may move, as rows of the table beside those of the patterns.
//!
//! Patterns see discs; whether an empty square of theirs can be taken, and by whom, depends on lines that leave
//! them. So the moves of both sides have rows, too: their numbers over the board, their numbers in each quadrant
//! together with its empty squares, and for each corner which of its four squares (the corner, its two C squares and
//! its X square) either side may take.

use super::shapes::{SHAPE_COUNT, TABLE_ROWS, shape_start};
use crate::board::Bitboard;

/// Rows that belong to a board: two for the whole of it, four for the quadrants, four for the corners.
pub const ACCESS_COUNT: usize = 10;

/// The number of moves is told up to this.
const MOST_MOVES: usize = 31;
/// In a quadrant the empty squares are told up to 9, the moves of a side up to 5.
const MOST_EMPTIES: usize = 9;
const MOST_IN_QUADRANT: usize = 5;

/// The first row of each kind: moves of the mover, of the opponent, quadrants, then each corner.
const OWN: usize = shape_start(SHAPE_COUNT);
const OTHER: usize = OWN + MOST_MOVES + 1;
const QUADRANT: usize = OTHER + MOST_MOVES + 1;
const CORNER: usize = QUADRANT + (MOST_EMPTIES + 1) * (MOST_IN_QUADRANT + 1) * (MOST_IN_QUADRANT + 1);
const CORNER_ROWS: usize = 256;
/// Behind the last row.
pub(super) const END: usize = CORNER + 4 * CORNER_ROWS;

/// The rows of a board where the mover has the moves `own`, the opponent would have `other`, and `empty` are the empty
/// squares.
#[inline(always)]
pub fn access_rows(own: u64, other: u64, empty: u64) -> [usize; ACCESS_COUNT] {
    const { assert!(END <= TABLE_ROWS, "TABLE_ROWS is too small") };
    let count = |set: u64, most: usize| (set.count_ones() as usize).min(most);
    let mut rows = [0; ACCESS_COUNT];
    rows[0] = OWN + count(own, MOST_MOVES);
    rows[1] = OTHER + count(other, MOST_MOVES);
    let corners = corner_nibbles(own, other);
    for n in 0..4 {
        let quadrant = Bitboard::QUADRANTS[n].0;
        let empties = count(empty & quadrant, MOST_EMPTIES);
        let moves = [own, other].map(|moves| count(moves & quadrant, MOST_IN_QUADRANT));
        let place = (empties * (MOST_IN_QUADRANT + 1) + moves[0]) * (MOST_IN_QUADRANT + 1) + moves[1];
        rows[2 + n] = QUADRANT + place;
        let nibbles = corners >> [0, 4, 48, 52][n];
        rows[6 + n] = CORNER + n * CORNER_ROWS + (nibbles & 15 | nibbles >> 4 & 0xf0) as usize;
    }
    rows
}

/// The moves of both sides to the squares of the corners, in rows 1, 2, 7 and 8: columns a and b hold the mover's moves
/// to them, c and d the opponent's; g and h the mover's, e and f the opponent's.
#[inline(always)]
fn corner_nibbles(own: u64, other: u64) -> u64 {
    const LEFT: u64 = 0x0303_0000_0000_0303;
    const RIGHT: u64 = LEFT << 6;
    own & (LEFT | RIGHT) | (other & LEFT) << 2 | (other & RIGHT) >> 2
}

/// For each row, counted from that of no own moves, its class: equal rows have equal ones. The classes of the corners do
/// not tell mirror images from one another.
pub(super) fn classes() -> Vec<usize> {
    let mut keys: Vec<usize> = (0..CORNER - OWN).collect();
    for corner in 0..4 {
        keys.extend((0..CORNER_ROWS).map(|row| CORNER - OWN + corner_key(corner, row)));
    }
    keys
}

/// What a row of a corner says, the same for all four corners: of the corner, the X square and the C squares in
/// ascending order whether the mover (2) and the opponent (1) may move there.
fn corner_key(corner: usize, row: usize) -> usize {
    let (right, below) = (corner & 1 != 0, corner & 2 != 0);
    let bit = |nibble: usize, n: usize| row >> (4 * nibble + n) & 1;
    // The state of the square in the row at the border or the one beside it, and the column likewise.
    let state = |border_row: bool, border_column: bool| {
        let nibble = usize::from(border_row == below);
        let column = usize::from(border_column == right);
        let (own, other) = if right { (2, 0) } else { (0, 2) };
        2 * bit(nibble, own + column) + bit(nibble, other + column)
    };
    let (one, two) = (state(true, false), state(false, true));
    ((state(true, true) * 4 + state(false, false)) * 4 + one.min(two)) * 4 + one.max(two)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Square, Symmetry};
    use crate::random::Random;

    #[test]
    fn mirror_images_have_rows_of_equal_classes() {
        let classes = classes();
        assert_eq!(classes.len(), END - OWN);
        let mut random = Random::new(1);
        let mut next = || random.bits();
        for _ in 0..2000 {
            let empty = next() | next();
            let (own, other) = (next() & empty, next() & next() & empty);
            let found = |symmetry: Symmetry| {
                let turned = |set: u64| {
                    Bitboard(set).into_iter().map(|square| 1 << symmetry.square(square).index()).sum::<u64>()
                };
                let mut found =
                    access_rows(turned(own), turned(other), turned(empty)).map(|row| classes[row - OWN]);
                found.sort_unstable();
                found
            };
            let mut all = Symmetry::all().map(found);
            let first = all.next();
            assert!(all.all(|other| Some(other) == first), "{own:x} {other:x} {empty:x}");
        }
    }

    #[test]
    fn a_move_to_a_corner_tells_whose_it_is() {
        let set = |square: &str| {
            let square: Square = square.parse().unwrap_or_else(|_| unreachable!("a square"));
            1_u64 << square.index()
        };
        let classes = classes();
        let class = |own: u64, other: u64, corner: usize| {
            classes[access_rows(own, other, u64::MAX)[6 + corner] - OWN] - (CORNER - OWN)
        };
        for (n, (corner, x, c)) in
            [("a1", "b2", "a2"), ("h1", "g2", "g1"), ("a8", "b7", "b8"), ("h8", "g7", "h7")]
                .into_iter()
                .enumerate()
        {
            assert_eq!(class(set(corner), 0, n), 2 * 64);
            assert_eq!(class(0, set(corner), n), 64);
            assert_eq!(class(set(corner) | set(x), set(corner) | set(c), n), 3 * 64 + 2 * 16 + 1);
            assert_eq!(class(!(set(corner) | set(x) | set(c)), 0, n), 2);
        }
    }
}
