//! Gathered bits with NEON: tables of bytes, and one widening product that combines the numbers of both bitboards.

use std::arch::aarch64::*;

use crate::kernel::{GATHERED, Gather};

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
    let lanes = |set: u64| {
        let mut all = [vdupq_n_u16(0); 3];
        for (byte, table) in set.to_le_bytes().into_iter().zip(gather.bytes.iter()) {
            let words = &table[usize::from(byte)].0;
            for (n, lanes) in all.iter_mut().enumerate() {
                // SAFETY: three times eight of twenty-four words.
                *lanes = vorrq_u16(*lanes, unsafe { vld1q_u16(words.as_ptr().add(8 * n)) });
            }
        }
        all
    };
    let (first, second) = (lanes(first), lanes(second));
    let mut numbers = [0; GATHERED];
    for n in 0..GATHERED / 4 {
        let (first, second) = (first[n / 2], second[n / 2]);
        let halves = if n % 2 == 0 {
            (vget_low_u16(first), vget_low_u16(second))
        } else {
            (vget_high_u16(first), vget_high_u16(second))
        };
        // SAFETY: four of twenty pairs of words, of twenty longs, and of twenty longs that are written.
        unsafe {
            let uint16x4x2_t(_, factors) = vld2_u16(gather.factors.as_ptr().add(4 * n).cast());
            let bases = vaddw_u16(vld1q_u32(gather.bases.as_ptr().add(4 * n)), halves.0);
            vst1q_u32(numbers.as_mut_ptr().add(4 * n), vmlal_u16(bases, halves.1, factors));
        }
    }
    numbers
}
