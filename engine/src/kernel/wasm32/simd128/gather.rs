//! Gathered bits with WebAssembly SIMD: one dot product combines the numbers of both bitboards.

use std::arch::wasm32::*;

use crate::kernel::gather::Eight;

impl Eight for v128 {
    const ZERO: v128 = i64x2(0, 0);

    #[inline(always)]
    fn or(self, words: &[u16; 8]) -> v128 {
        // SAFETY: eight words, of any alignment.
        v128_or(self, unsafe { v128_load(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn add(numbers: &mut [u32; 4], first: v128, second: v128, half: usize, factors: &[[i16; 2]; 4]) {
        let pairs = if half == 0 {
            i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(first, second)
        } else {
            i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(first, second)
        };
        let place = numbers.as_mut_ptr().cast();
        // SAFETY: four pairs of words, and four longs that are read and written.
        unsafe {
            let both = i32x4_dot_i16x8(pairs, v128_load(factors.as_ptr().cast()));
            v128_store(place, i32x4_add(both, v128_load(place)));
        }
    }
}
