//! A bitboard and the same with its rows upside down in one vector of WebAssembly.
//!
//! WebAssembly cannot swap the bytes of an integer in one instruction, but it can shuffle those of a vector.

use std::arch::wasm32::*;

/// A vector that stays in memory. One that the compiler knows it writes into the code, and V8 (version 14) makes it
/// anew at each use, by up to six instructions.
#[repr(align(16))]
pub(super) struct Kept(pub(super) [u64; 2]);

impl Kept {
    #[inline(always)]
    pub(super) fn get(&'static self) -> v128 {
        // SAFETY: sixteen bytes, aligned; any bits are a vector.
        unsafe { std::ptr::read_volatile(self.0.as_ptr().cast()) }
    }
}

/// The bytes of a half, and behind them the same from the last to the first.
static BESIDE: Kept = Kept([0x0706_0504_0302_0100, 0x0001_0203_0405_0607]);
/// All bytes from the last to the first.
static BACK: Kept = Kept([0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607]);

/// The board in lane 0, its rows upside down in lane 1.
#[inline(always)]
pub(super) fn with_swapped(board: u64) -> v128 {
    i8x16_swizzle(u64x2_splat(board), BESIDE.get())
}

/// Lane 0 and, turned back, lane 1 laid on each other.
#[inline(always)]
pub(super) fn merged(both: v128) -> u64 {
    u64x2_extract_lane::<0>(v128_or(both, i8x16_swizzle(both, BACK.get())))
}
