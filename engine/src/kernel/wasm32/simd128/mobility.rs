//! Mobility with WebAssembly SIMD.
//!
//! A vector shift moves both lanes by the same amount. A vector therefore contains the board and the board with its bytes
//! swapped: a left shift of both follows a direction downward and its mirror image upward.

use std::arch::wasm32::*;

use super::flips::Sides;
use super::swapped::{Kept, with_turned};
use crate::kernel::rays::INNER;

static INNERS: Kept = Kept([INNER; 2]);

/// Returns the squares where the player can place a disc.
#[inline(always)]
pub(super) fn moves(discs: Sides) -> u64 {
    let Sides { player, opponent, players: p, opponents: o, .. } = discs;
    let inner = v128_and(o, INNERS.get());
    let vertical = v128_or(v128_or(follow(p, o, 8), follow(p, inner, 7)), follow(p, inner, 9));
    (u64x2_extract_lane::<0>(with_turned(vertical)) | row(player, opponent & INNER)) & !(player | opponent)
}

/// Returns the squares behind the runs of `through` that start next to `from`, towards higher squares.
#[inline(always)]
fn follow(from: v128, through: v128, step: u32) -> v128 {
    let mut run = v128_and(through, i64x2_shl(from, step));
    run = v128_or(run, v128_and(through, i64x2_shl(run, step)));
    let through2 = v128_and(through, i64x2_shl(through, step));
    run = v128_or(run, v128_and(through2, i64x2_shl(run, 2 * step)));
    run = v128_or(run, v128_and(through2, i64x2_shl(run, 2 * step)));
    i64x2_shl(run, step)
}

/// Both ways along the rows.
#[inline(always)]
fn row(from: u64, through: u64) -> u64 {
    // To the right, a carry passes through the opposing discs next to an own disc.
    let right = through.wrapping_add(through & from << 1) & !through;
    let mut left = through & from >> 1;
    left |= through & left >> 1;
    let through2 = through & through >> 1;
    left |= through2 & left >> 2;
    left |= through2 & left >> 2;
    right | left >> 1
}
