//! Flips with NEON: a ray and its opposite in a vector.

use std::arch::aarch64::*;

use super::discs::{Discs, joined};
use crate::kernel::rays::UP;
use crate::square::Square;

/// For each square its rays to higher squares, each next to the opposite ray on the reversed board.
#[repr(align(64))]
struct Pairs([[[u64; 2]; 4]; 64]);

static PAIRS: Pairs = {
    let mut all = [[[0; 2]; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            all[square][direction] = [UP.0[square][direction], UP.0[63 - square][direction]];
            direction += 1;
        }
        square += 1;
    }
    Pairs(all)
};

/// Returns the discs of the opponent that a disc of the player on `square` flips, in both lanes.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn flips(square: Square, discs: Discs) -> uint64x2_t {
    let Discs { players, opponents } = discs;
    let one = vdupq_n_u64(1);
    let mut flips = vdupq_n_u64(0);
    for pair in &PAIRS.0[square.index()] {
        // SAFETY: sixteen bytes of an array.
        let ray = unsafe { vld1q_u64(pair.as_ptr()) };
        // The carry passes through squares off the ray and opposing discs on it, to the first other square.
        let carried = vaddq_u64(vornq_u64(opponents, ray), one);
        let end = vandq_u64(carried, vandq_u64(ray, players));
        // All squares below the end; none if there is no end, since the subtraction saturates.
        flips = vbslq_u64(ray, vqsubq_u64(end, one), flips);
    }
    joined(flips)
}
