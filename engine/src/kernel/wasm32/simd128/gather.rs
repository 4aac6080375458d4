//! Gathered bits with WebAssembly SIMD: tables of bytes, and one dot product that combines the numbers of both bitboards.

use std::arch::wasm32::*;

use crate::kernel::{GATHERED, Gather};

#[inline(always)]
pub(super) fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
    let lanes = |set: u64| {
        let mut all = [i16x8_splat(0); 3];
        for (byte, table) in set.to_le_bytes().into_iter().zip(gather.bytes.iter()) {
            let words = &table[usize::from(byte)].0;
            for (n, lanes) in all.iter_mut().enumerate() {
                // SAFETY: three times eight of twenty-four words.
                *lanes = v128_or(*lanes, unsafe { v128_load(words.as_ptr().add(8 * n).cast()) });
            }
        }
        all
    };
    let (first, second) = (lanes(first), lanes(second));
    let mut numbers = [0; GATHERED];
    for n in 0..GATHERED / 4 {
        let (first, second) = (first[n / 2], second[n / 2]);
        let pairs = if n % 2 == 0 {
            i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(first, second)
        } else {
            i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(first, second)
        };
        // SAFETY: four of twenty pairs of words, of twenty longs, and of twenty longs that are written.
        unsafe {
            let both = i32x4_dot_i16x8(pairs, v128_load(gather.factors.as_ptr().add(4 * n).cast()));
            let four = i32x4_add(both, v128_load(gather.bases.as_ptr().add(4 * n).cast()));
            v128_store(numbers.as_mut_ptr().add(4 * n).cast(), four);
        }
    }
    numbers
}
