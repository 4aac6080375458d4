//! Flips with WebAssembly SIMD: two rays in a vector, rows swapped so that the rays upward become rays
//! downward and a carry finds their end, too.
//!
//! ```text
//!   lane 0 of a vector: the board, rays downward      d  dr dl
//!   lane 1: the board with its bytes swapped, rays up u  ur ul
//! ```
//!
//! Only the two rays along the row are left; they are done in integer code.

use std::arch::wasm32::*;

use super::rays::{DOWN, UP};
use crate::board::Square;
use crate::board::swapped::{merged, with_swapped};

/// The discs of `opponent` that a disc of `player` on `square` flips.
#[inline(always)]
pub(crate) fn flips(square: Square, player: u64, opponent: u64) -> u64 {
    let index = square.index();
    let up = &UP.0[index];
    let swapped = &UP.0[index ^ 56];
    let p = with_swapped(player);
    let o = with_swapped(opponent);
    let one = i64x2_splat(1);
    let zero = i64x2_splat(0);
    let mut both = zero;
    for direction in 1..4 {
        let ray = i64x2(up[direction] as i64, swapped[direction] as i64);
        let carried = i64x2_add(v128_or(o, v128_not(ray)), one);
        let end = v128_and(v128_and(carried, ray), p);
        // end - 1, or 0 where there is no end.
        let before = i64x2_sub(i64x2_sub(end, one), i64x2_eq(end, zero));
        both = v128_or(both, v128_and(before, ray));
    }
    let right = up[0];
    let end = (opponent | !right).wrapping_add(1) & right & player;
    let rightward = end.wrapping_sub(u64::from(end != 0)) & right;
    let left = DOWN.0[index][0];
    let stop = left & !opponent;
    let end = (1 << 63 >> (stop | 1).leading_zeros()) & stop & player;
    let leftward = end.wrapping_add(end).wrapping_neg() & left & u64::from(end == 0).wrapping_sub(1);
    merged(both) | rightward | leftward
}
