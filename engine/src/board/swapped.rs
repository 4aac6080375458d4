//! A bitboard and the same with its rows upside down in one vector of WebAssembly.
//!
//! WebAssembly cannot swap the bytes of an integer in one instruction, but it can shuffle those of a vector.

use std::arch::wasm32::*;

/// The board in lane 0, its rows upside down in lane 1.
#[inline(always)]
pub(super) fn with_swapped(board: u64) -> v128 {
    let both = u64x2_splat(board);
    i8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8>(both, both)
}

/// Lane 0 and, turned back, lane 1 laid on each other.
#[inline(always)]
pub(super) fn merged(both: v128) -> u64 {
    let turned = i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(both, both);
    u64x2_extract_lane::<0>(v128_or(both, turned))
}
