//! Flips in plain integer code.

use crate::kernel::rays::{DOWN, UP};
use crate::square::Square;

/// Returns the discs of `opponent` that a disc of `player` on `square` flips.
#[inline(always)]
pub(super) fn flips(square: Square, player: u64, opponent: u64) -> u64 {
    let mut flips = 0;
    for &ray in &UP.0[square.index()] {
        // The carry passes through squares off the ray and opposing discs on it, to the first other square.
        let end = (opponent | !ray).wrapping_add(1) & ray & player;
        flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for &ray in &DOWN.0[square.index()] {
        let stop = ray & !opponent;
        // The highest stop. Without one, the shift yields a bit that the final mask removes.
        let end = (1 << 63 >> (stop | 1).leading_zeros()) & stop & player;
        flips |= (end.wrapping_add(end).wrapping_neg()) & ray & u64::from(end == 0).wrapping_sub(1);
    }
    flips
}
