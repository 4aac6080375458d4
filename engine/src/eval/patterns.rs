//! The patterns of the evaluation and their instances on the board.
//!
//! A pattern is a list of squares. Its *instances* are its different images under the eight symmetries of the board. All
//! instances of a pattern share their weights. The *configuration* of an instance, the discs on its squares, is a number in
//! balanced ternary with the first square as the lowest digit: 0 for an empty square, +1 for a disc of the mover, −1 for a
//! disc of the opponent. From the other side's view, the number only changes its sign. (Patterns and their configurations:
//! Buro, *From simple features to sophisticated evaluation functions*, 1998.)
//!
//! A symmetry can map an instance onto itself with its squares in another order, such as a row read backwards. The two
//! configurations then have equal weights, and the weights file contains one of them: [`super::indices::weight_indices`].
//!
//! To add a pattern, add a line to `PATTERNS`. Everything else is computed. Older weights are then refused by their
//! fingerprint.

use crate::board::{Square, Symmetry};

/// The squares of the patterns, at most [`MAX_LENGTH`] each. Each line is one instance.
const PATTERNS: &[&str] = &[
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

/// Number of patterns.
pub(super) const PATTERN_COUNT: usize = PATTERNS.len();

/// Most squares of a pattern. The configurations of more squares overflow 16 bits.
pub(super) const MAX_LENGTH: usize = 10;

/// The instances of all patterns, with room for more.
const INSTANCES: ([Instance; 8 * PATTERN_COUNT], usize) = instances(PATTERNS);

/// Number of instances of all patterns.
pub(super) const INSTANCE_COUNT: usize = INSTANCES.1;

/// [`INSTANCE_COUNT`] rounded up to whole vectors of sixteen.
pub(super) const LANES: usize = INSTANCE_COUNT.next_multiple_of(16);

/// A pattern in one place of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    pub(super) pattern: usize,
    pub(super) squares: [u8; MAX_LENGTH],
    pub(super) length: usize,
}

/// `DELTAS[square][lane]`: what a disc of the mover on `square` adds to the configuration of an instance.
#[repr(align(64))]
pub(super) struct Deltas(pub(super) [[i16; LANES]; 64]);

pub(super) static DELTAS: Deltas = Deltas(deltas());

/// The feature index of configuration 0, for each instance.
pub(super) static CENTRES: [i32; INSTANCE_COUNT] = centres();

/// Returns the number of squares of a pattern.
pub(super) const fn pattern_length(pattern: usize) -> usize {
    length(PATTERNS[pattern])
}

/// Returns the number of squares of a text.
pub(super) const fn length(text: &str) -> usize {
    // Two characters for a square, and a space between squares.
    text.len().div_ceil(3)
}

/// Returns the number of configurations of a pattern.
pub(super) const fn configurations(pattern: usize) -> usize {
    3_usize.pow(pattern_length(pattern) as u32)
}

/// Returns the feature index of the first configuration of a pattern.
pub(super) const fn pattern_start(pattern: usize) -> usize {
    let (mut start, mut before) = (0, 0);
    while before < pattern {
        start += configurations(before);
        before += 1;
    }
    start
}

/// Returns the orders of the squares of a pattern's first instance under the symmetries that map the instance onto itself.
pub(super) fn orders(pattern: usize) -> Vec<Vec<usize>> {
    orders_of(PATTERNS[pattern])
}

/// Returns the same for a pattern given by its squares.
pub(super) fn orders_of(text: &str) -> Vec<Vec<usize>> {
    let squares = squares(text);
    let squares = &squares[..length(text)];
    let place = |symmetry: Symmetry, &square: &u8| {
        let image = symmetry.square(Square::masked(square.into())).index();
        squares.iter().position(|&other| usize::from(other) == image)
    };
    Symmetry::all()
        .filter_map(|symmetry| squares.iter().map(|square| place(symmetry, square)).collect())
        .collect()
}

/// Returns, for each number of digits of base `base`, the number with its digits in another order: digit `n` moves to place
/// `order[n]`.
fn reordered(base: u32, order: &[usize]) -> Vec<u32> {
    let mut images = vec![0];
    for &place in order {
        let value = base.pow(place as u32);
        let lower = images.len();
        for digit in 1..base {
            images.extend_from_within(..lower);
            images[digit as usize * lower..].iter_mut().for_each(|image| *image += digit * value);
        }
    }
    images
}

/// Returns, for each number of digits of base `base`, the lowest of the numbers with its digits in one of `orders`.
pub(super) fn first_images(base: u32, mut orders: impl Iterator<Item = Vec<usize>>) -> Vec<u32> {
    let mut firsts = orders.next().map(|order| reordered(base, &order)).unwrap_or_default();
    for order in orders {
        for (first, image) in firsts.iter_mut().zip(reordered(base, &order)) {
            *first = image.min(*first);
        }
    }
    firsts
}

const fn squares(text: &str) -> [u8; MAX_LENGTH] {
    let length = length(text);
    assert!(length <= MAX_LENGTH, "a pattern is too long");
    let text = text.as_bytes();
    let mut squares = [0; MAX_LENGTH];
    let mut n = 0;
    while n < length {
        squares[n] = (text[3 * n + 1] - b'1') * 8 + text[3 * n] - b'a';
        n += 1;
    }
    squares
}

/// Returns the instances of patterns given by their squares, and their number. `MAX` is eight times the number of patterns.
pub(super) const fn instances<const MAX: usize>(patterns: &[&str]) -> ([Instance; MAX], usize) {
    let mut all = [Instance { pattern: 0, squares: [0; MAX_LENGTH], length: 0 }; MAX];
    let mut masks = [0_u64; MAX];
    let mut count = 0;
    let mut pattern = 0;
    while pattern < patterns.len() {
        let first = count;
        let base = squares(patterns[pattern]);
        let length = length(patterns[pattern]);
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut image = [0; MAX_LENGTH];
            let mut mask = 0;
            let mut n = 0;
            while n < length {
                image[n] = transformed(base[n], symmetry);
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
                all[count] = Instance { pattern, squares: image, length };
                masks[count] = mask;
                count += 1;
            }
            symmetry += 1;
        }
        pattern += 1;
    }
    (all, count)
}

/// Applies one of the eight symmetries to `square`.
const fn transformed(square: u8, symmetry: u8) -> u8 {
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
    let (all, _) = INSTANCES;
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
    let (all, _) = INSTANCES;
    let mut centres = [0; INSTANCE_COUNT];
    let mut lane = 0;
    while lane < INSTANCE_COUNT {
        let pattern = all[lane].pattern;
        assert!(configurations(pattern) / 2 <= i16::MAX as usize, "an index is added up in sixteen bits");
        centres[lane] = (pattern_start(pattern) + configurations(pattern) / 2) as i32;
        lane += 1;
    }
    centres
}
