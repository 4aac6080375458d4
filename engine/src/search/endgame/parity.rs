//! Quadrants with an odd number of empty squares, where moving first pays.

const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// All squares of the quadrants that have an odd number of empty squares.
#[inline(always)]
pub(crate) fn odd_quadrants(empty: u64) -> u64 {
    let mut odd = 0;
    for quadrant in QUADRANTS {
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
        assert_eq!(odd_quadrants(1), QUADRANTS[0]);
        assert_eq!(odd_quadrants(0x8000_0000_0000_0003), QUADRANTS[3]);
        assert_eq!(odd_quadrants(!0), 0);
    }
}
