//! Mobility with NEON: left shifts of the board and of the reversed board follow a direction both ways.

use std::arch::aarch64::*;

use super::discs::Discs;
use crate::kernel::rays::INNER;

/// Returns the squares where the player can place a disc.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn moves(discs: Discs) -> u64 {
    let Discs { players, opponents } = discs;
    let inner = vandq_u64(opponents, vdupq_n_u64(INNER));
    // Along the rows, a carry passes through the opposing discs next to an own disc.
    let next = vandq_u64(inner, vshlq_n_u64::<1>(players));
    let row = vbicq_u64(vaddq_u64(inner, next), inner);
    let reached = vorrq_u64(
        vorrq_u64(row, follow::<8, 16>(players, opponents)),
        vorrq_u64(follow::<7, 14>(players, inner), follow::<9, 18>(players, inner)),
    );
    let free = vbicq_u64(reached, vorrq_u64(players, opponents));
    vgetq_lane_u64::<0>(free) | vgetq_lane_u64::<1>(free).reverse_bits()
}

/// Returns the squares behind the runs of `through` that start next to `from`, towards higher squares.
#[target_feature(enable = "neon")]
#[inline]
fn follow<const STEP: i32, const STEP2: i32>(from: uint64x2_t, through: uint64x2_t) -> uint64x2_t {
    let mut run = vandq_u64(through, vshlq_n_u64::<STEP>(from));
    run = vorrq_u64(run, vandq_u64(through, vshlq_n_u64::<STEP>(run)));
    let through2 = vandq_u64(through, vshlq_n_u64::<STEP>(through));
    run = vorrq_u64(run, vandq_u64(through2, vshlq_n_u64::<STEP2>(run)));
    run = vorrq_u64(run, vandq_u64(through2, vshlq_n_u64::<STEP2>(run)));
    vshlq_n_u64::<STEP>(run)
}
