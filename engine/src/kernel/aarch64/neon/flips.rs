//! Flips with NEON: a ray and its opposite in a vector.

use std::arch::aarch64::*;

use super::sides::{Sides, inner, joined};
use crate::kernel::rays::UP;
use crate::square::Square;

/// For each square, on the board and on the reversed board: the rays to higher squares, and the next higher square.
#[repr(align(64))]
struct Lines([[[u64; 2]; 4]; 64]);

static LINES: Lines = {
    let mut all = [[[0; 2]; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 1;
        while direction < 4 {
            all[square][direction - 1] = [UP.0[square][direction], UP.0[63 - square][direction]];
            direction += 1;
        }
        all[square][3] = [1 << square << 1, 1 << (63 - square) << 1];
        square += 1;
    }
    Lines(all)
};

/// Returns the rays of a square off its row, and the next higher square.
#[target_feature(enable = "neon")]
#[inline]
fn lines(square: Square) -> ([uint64x2_t; 3], uint64x2_t) {
    // SAFETY: sixteen bytes of an array.
    let [column, falling, rising, next] =
        LINES.0[square.index()].map(|pair| unsafe { vld1q_u64(pair.as_ptr()) });
    ([column, falling, rising], next)
}

/// Returns the number of discs that a disc of the player on `square`, the only empty one, flips. All other squares without a
/// disc of the player are the opponent's.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn last_flips(square: Square, players: uint64x2_t) -> u32 {
    let (rays, next) = lines(square);
    // As in `flips`.
    let end = vandq_u64(vaddq_u64(vbicq_u64(inner(vdupq_n_u64(!0)), players), next), players);
    let mut flips = vqsubq_u64(end, next);
    for ray in rays {
        // The subtraction sets all squares of the ray before the player's first disc.
        flips = vbslq_u64(ray, vqsubq_u64(vandq_u64(ray, players), next), flips);
    }
    u32::from(vaddvq_u8(vcntq_u8(vreinterpretq_u8_u64(vbicq_u64(flips, players)))))
}

/// Returns the discs of the opponent that a disc of the player on `square` flips, in both lanes.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn flips(square: Square, discs: Sides) -> uint64x2_t {
    let Sides { players, opponents } = discs;
    let (rays, next) = lines(square);
    // Along the row, the carry ends at the first square that is not an opposing disc, at the latest on column h. No other
    // square of the sum is the player's. The subtraction yields the squares before the end.
    let end = vandq_u64(vaddq_u64(inner(opponents), next), players);
    let mut flips = vqsubq_u64(end, next);
    for ray in rays {
        // The carry passes through squares off the ray and opposing discs on it, to the first other square.
        let carried = vaddq_u64(vornq_u64(opponents, ray), next);
        let end = vandq_u64(carried, vandq_u64(ray, players));
        // None if there is no end, since the subtraction saturates.
        flips = vbslq_u64(ray, vqsubq_u64(end, next), flips);
    }
    joined(flips)
}
