//! Mobility with NEON: left shifts of the board and of the reversed board follow a direction both ways.

use std::arch::aarch64::*;

use super::sides::{Sides, inner, joined};

/// Returns the squares where the player can place a disc, in both lanes.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn moves(discs: Sides) -> uint64x2_t {
    let Sides { players, opponents } = discs;
    let inner = inner(opponents);
    // Along the rows, a carry passes through the opposing discs next to an own disc.
    let next = vandq_u64(inner, vshlq_n_u64::<1>(players));
    let row = vbicq_u64(vaddq_u64(inner, next), inner);
    let reached = vorrq_u64(
        vorrq_u64(row, follow::<8, 16>(players, opponents)),
        vorrq_u64(follow::<7, 14>(players, inner), follow::<9, 18>(players, inner)),
    );
    joined(vbicq_u64(reached, vorrq_u64(players, opponents)))
}

/// Returns the squares behind the runs of `through` that start next to `from`, towards higher squares. A run has at most
/// seven squares. No square is in both sets.
#[target_feature(enable = "neon")]
#[inline]
fn follow<const STEP: i32, const STEP2: i32>(from: uint64x2_t, through: uint64x2_t) -> uint64x2_t {
    // The runs contain `from`: no square of it is in `through` or `through2`.
    let through2 = vandq_u64(through, vshlq_n_u64::<STEP>(through));
    let mut run = vbslq_u64(through, vshlq_n_u64::<STEP>(from), from);
    run = vbslq_u64(through2, vshlq_n_u64::<STEP2>(run), run);
    run = vbslq_u64(through2, vshlq_n_u64::<STEP2>(run), run);
    run = vbslq_u64(through2, vshlq_n_u64::<STEP2>(run), run);
    vshlq_n_u64::<STEP>(veorq_u64(run, from))
}
