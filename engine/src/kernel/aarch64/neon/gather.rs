//! Gathered bits with NEON: one widening product combines the numbers of both bitboards.

use std::arch::aarch64::*;

use crate::kernel::gather::Eight;

impl Eight for uint16x8_t {
    // SAFETY: all bits may be zero.
    const ZERO: uint16x8_t = unsafe { std::mem::zeroed() };

    #[inline(always)]
    fn or(self, words: &[u16; 8]) -> uint16x8_t {
        // SAFETY: the target has NEON, and these are eight words.
        unsafe { vorrq_u16(self, vld1q_u16(words.as_ptr())) }
    }

    #[inline(always)]
    fn add(
        numbers: &mut [u32; 4],
        first: uint16x8_t,
        second: uint16x8_t,
        half: usize,
        factors: &[[i16; 2]; 4],
    ) {
        // SAFETY: as above, with four pairs of words, and four longs that are read and written.
        unsafe {
            let [first, second] = [first, second]
                .map(|words| if half == 0 { vget_low_u16(words) } else { vget_high_u16(words) });
            let uint16x4x2_t(_, factors) = vld2_u16(factors.as_ptr().cast());
            let sums = vaddw_u16(vld1q_u32(numbers.as_ptr()), first);
            vst1q_u32(numbers.as_mut_ptr(), vmlal_u16(sums, second, factors));
        }
    }
}
