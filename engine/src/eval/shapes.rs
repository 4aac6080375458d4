//! The shapes whose contents the evaluation looks up, and where they lie on the board.
//!
//! A shape is a row of squares; its *instances* are its different images under the eight symmetries of the
//! board. All instances of a shape share one table. The content of an instance is a number in balanced
//! ternary, the first square the lowest digit: 0 for an empty square, +1 for a disc of the mover, −1 for one
//! of the opponent. Seen by the other side the number changes its sign, and that is all.
//!
//! A symmetry may map an instance onto itself with its squares in another order (a row read backwards); the
//! two contents are then the same thing seen from two sides. They have equal weights, of which the
//! weights file holds one: [`super::rows::canonical_rows`].

use crate::board::{Square, Symmetry};

/// The squares of the shapes. Each is one of its instances.
const SHAPES: [&str; 11] = [
    "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2", // edge and its X squares
    "a1 b1 c1 a2 b2 c2 a3 b3 c3",    // corner block of nine
    "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2", // corner block of ten
    "a2 b2 c2 d2 e2 f2 g2 h2",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    "a1 b2 c3 d4 e5 f6 g7 h8",
    "b1 c2 d3 e4 f5 g6 h7",
    "c1 d2 e3 f4 g5 h6",
    "d1 e2 f3 g4 h5",
    "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4", // corner triangle
];

/// Number of shapes.
pub const SHAPE_COUNT: usize = SHAPES.len();

/// Number of instances of all shapes together.
pub const INSTANCE_COUNT: usize = 46;

/// [`INSTANCE_COUNT`] rounded up to whole vectors of sixteen.
pub(super) const LANES: usize = 48;

/// Rows of all tables together, rounded up to a power of two so that an index is masked, not checked.
pub(super) const TABLE_ROWS: usize = 1 << 18;

/// A shape somewhere on the board.
#[derive(Clone, Copy, Debug)]
struct Instance {
    shape: usize,
    squares: [u8; 10],
    length: usize,
}

/// `DELTAS[square][lane]`: what a disc of the mover on `square` adds to the content of an instance.
#[repr(align(64))]
pub(super) struct Deltas(pub(super) [[i16; LANES]; 64]);

pub(super) static DELTAS: Deltas = Deltas(deltas());

/// For each instance the row of the table where its shape's content 0 stands.
pub(super) static CENTRES: [i32; INSTANCE_COUNT] = centres();

/// Squares of a shape.
pub const fn shape_length(shape: usize) -> usize {
    // Two letters a square and a space between.
    SHAPES[shape].len().div_ceil(3)
}

/// Number of contents of a shape.
pub const fn shape_rows(shape: usize) -> usize {
    3_usize.pow(shape_length(shape) as u32)
}

/// The first row of a shape in the table.
pub const fn shape_start(shape: usize) -> usize {
    let (mut start, mut before) = (0, 0);
    while before < shape {
        start += shape_rows(before);
        before += 1;
    }
    start
}

/// The squares of a shape, as its first instance has them.
pub fn shape_name(shape: usize) -> &'static str {
    SHAPES[shape]
}

/// The orders in which the squares of a shape's first instance stand after the symmetries that map it onto
/// itself.
pub(super) fn orders(shape: usize) -> Vec<Vec<usize>> {
    let squares = squares(shape);
    let squares = &squares[..shape_length(shape)];
    let place = |symmetry: Symmetry, &square: &u8| {
        let image = symmetry.square(Square::masked(square.into())).index();
        squares.iter().position(|&other| usize::from(other) == image)
    };
    Symmetry::all()
        .filter_map(|symmetry| squares.iter().map(|square| place(symmetry, square)).collect())
        .collect()
}

/// The row whose square number `order[n]` holds what number `n` holds in `row`.
///
/// Rows count the digits 0, 1, 2 for opponent, empty, mover: balanced ternary plus half of the largest.
pub(super) fn reordered(mut row: usize, order: &[usize]) -> usize {
    let mut image = 0;
    for &place in order {
        image += row % 3 * 3_usize.pow(place as u32);
        row /= 3;
    }
    image
}

const fn squares(shape: usize) -> [u8; 10] {
    let text = SHAPES[shape].as_bytes();
    let mut squares = [0; 10];
    let mut n = 0;
    while n < shape_length(shape) {
        squares[n] = (text[3 * n + 1] - b'1') * 8 + text[3 * n] - b'a';
        n += 1;
    }
    squares
}

const fn instances() -> [Instance; INSTANCE_COUNT] {
    let mut all = [Instance { shape: 0, squares: [0; 10], length: 0 }; INSTANCE_COUNT];
    let mut masks = [0_u64; INSTANCE_COUNT];
    let mut count = 0;
    let mut shape = 0;
    while shape < SHAPE_COUNT {
        let first = count;
        let base = squares(shape);
        let length = shape_length(shape);
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut image = [0; 10];
            let mut mask = 0;
            let mut n = 0;
            while n < length {
                image[n] = turned(base[n], symmetry);
                mask |= 1 << image[n];
                n += 1;
            }
            let mut known = false;
            let mut other = first;
            while other < count {
                known |= masks[other] == mask;
                other += 1;
            }
            if !known {
                all[count] = Instance { shape, squares: image, length };
                masks[count] = mask;
                count += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    assert!(count == INSTANCE_COUNT, "INSTANCE_COUNT is not the number of instances");
    all
}

/// Where `square` goes: the symmetries in any order, only that all eight come.
const fn turned(square: u8, symmetry: u8) -> u8 {
    let (mut column, mut row) = (square & 7, square >> 3);
    if symmetry & 1 != 0 {
        column = 7 - column;
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 4 != 0 { column * 8 + row } else { row * 8 + column }
}

const fn deltas() -> [[i16; LANES]; 64] {
    let all = instances();
    let mut deltas = [[0; LANES]; 64];
    let mut lane = 0;
    while lane < INSTANCE_COUNT {
        let mut n = 0;
        let mut power = 1_i32;
        while n < all[lane].length {
            deltas[all[lane].squares[n] as usize][lane] = power as i16;
            power *= 3;
            n += 1;
        }
        lane += 1;
    }
    deltas
}

const fn centres() -> [i32; INSTANCE_COUNT] {
    let all = instances();
    let mut centres = [0; INSTANCE_COUNT];
    let mut lane = 0;
    while lane < INSTANCE_COUNT {
        let shape = all[lane].shape;
        centres[lane] = (shape_start(shape) + shape_rows(shape) / 2) as i32;
        lane += 1;
    }
    assert!(shape_start(SHAPE_COUNT) <= TABLE_ROWS, "TABLE_ROWS is too small");
    centres
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_in_some_instance_of_length_over_three() {
        for square in Square::all() {
            let count = instances()
                .into_iter()
                .filter(|instance| instance.squares[..instance.length].contains(&(square.index() as u8)))
                .count();
            assert!(count >= 3, "{square} is in {count}");
        }
    }
}
