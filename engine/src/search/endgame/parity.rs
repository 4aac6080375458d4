//! Quadrants with an odd number of empty squares, where moving first pays.

use crate::board::Bitboard;

/// All squares of the quadrants that have an odd number of empty squares.
#[inline(always)]
pub(crate) fn odd_quadrants(empty: u64) -> u64 {
    let mut odd = 0;
    for Bitboard(quadrant) in Bitboard::QUADRANTS {
        if (empty & quadrant).count_ones() & 1 != 0 {
            odd |= quadrant;
        }
    }
    odd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_quadrants_of_a_few() {
        assert_eq!(odd_quadrants(0), 0);
        assert_eq!(odd_quadrants(1), Bitboard::QUADRANTS[0].0);
        assert_eq!(odd_quadrants(0x8000_0000_0000_0003), Bitboard::QUADRANTS[3].0);
        assert_eq!(odd_quadrants(!0), 0);
    }
}
