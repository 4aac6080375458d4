//! The rows of the table: those of the shapes, one after the other, then those of the moves.

use std::ops::Range;

use super::access;
use super::shapes::{SHAPE_COUNT, orders, reordered, shape_rows, shape_start};

/// For each row of the table the number of the weight it has: rows that are mirror images of one another
/// have the same. The numbers run from 0 in the order of the rows, shape after shape, and end with the rows
/// of [`access`].
pub fn canonical_rows() -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut next = 0;
    for shape in 0..SHAPE_COUNT {
        let start = numbers.len();
        let orders = orders(shape);
        for row in 0..shape_rows(shape) {
            let first = orders.iter().map(|order| reordered(row, order)).min().unwrap_or(row);
            if first == row {
                numbers.push(next);
                next += 1;
            } else {
                numbers.push(numbers[start + first]);
            }
        }
    }
    let classes = access::classes();
    let mut number_of = vec![None; classes.len()];
    for class in classes {
        numbers.push(*number_of[class].get_or_insert_with(|| {
            next += 1;
            next - 1
        }));
    }
    numbers
}

/// The rows of each shape, then those of [`access`].
pub(super) fn sections() -> impl Iterator<Item = Range<usize>> {
    let shapes = (0..SHAPE_COUNT).map(|shape| shape_start(shape)..shape_start(shape + 1));
    shapes.chain(std::iter::once(shape_start(SHAPE_COUNT)..access::END))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_share_their_weight() {
        let rows = canonical_rows();
        assert_eq!(rows.len(), access::END);
        // Row 2 read from a and from h: a single disc of the mover on a2, on h2.
        let centre = shape_start(3) + shape_rows(3) / 2;
        assert_eq!(rows[centre + 1], rows[centre + 2187]);
        assert_ne!(rows[centre + 1], rows[centre - 1]);
        // 3^4 palindromes of 3^8 rows have no partner.
        let distinct: std::collections::BTreeSet<_> = rows[shape_start(3)..shape_start(4)].iter().collect();
        assert_eq!(distinct.len(), (6561 - 81) / 2 + 81);
        // The corner block of ten has no symmetry.
        let distinct: std::collections::BTreeSet<_> = rows[shape_start(2)..shape_start(3)].iter().collect();
        assert_eq!(distinct.len(), 59049);
    }
}
