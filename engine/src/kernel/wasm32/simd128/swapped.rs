//! A vector with a bitboard and the same bitboard with its rows upside down.
//!
//! WebAssembly cannot swap the bytes of an integer in one instruction, but it can shuffle those of a vector.

use std::arch::wasm32::*;

/// A vector in memory. If the compiler knew its value, it would be a constant in the code, which V8 (version 14) builds
/// again at each use, with up to six instructions.
#[repr(align(16))]
pub(super) struct Kept(pub(super) [u64; 2]);

impl Kept {
    #[inline(always)]
    pub(super) fn get(&'static self) -> v128 {
        // SAFETY: sixteen bytes, aligned; any bits are a vector.
        unsafe { std::ptr::read_volatile(self.0.as_ptr().cast()) }
    }
}

/// The bytes of a half, followed by the same bytes in reverse order.
static BESIDE: Kept = Kept([0x0706_0504_0302_0100, 0x0001_0203_0405_0607]);
/// All bytes in reverse order.
static BACK: Kept = Kept([0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607]);

/// Returns the board in lane 0, and with its rows upside down in lane 1.
#[inline(always)]
pub(super) fn with_swapped(board: u64) -> v128 {
    i8x16_swizzle(u64x2_splat(board), BESIDE.get())
}

/// Combines each lane with the other one, its rows turned back.
#[inline(always)]
pub(super) fn with_turned(both: v128) -> v128 {
    v128_or(both, i8x16_swizzle(both, BACK.get()))
}
