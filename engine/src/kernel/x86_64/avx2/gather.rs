//! Gathered bits with AVX2, from tables of bytes.

use std::arch::x86_64::*;

use crate::kernel::{GATHERED, Gather};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(in crate::kernel::x86_64) fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
    let mut numbers = [0; GATHERED];
    // SAFETY: an entry is sixteen words and eight more; factors, bases and numbers are five times four longs.
    unsafe {
        let bits = |set: u64| {
            let (mut sixteen, mut eight) = (_mm256_setzero_si256(), _mm_setzero_si128());
            for (table, byte) in gather.bytes.iter().zip(set.to_le_bytes()) {
                let entry = table[usize::from(byte)].0.as_ptr();
                sixteen = _mm256_or_si256(sixteen, _mm256_loadu_si256(entry.cast()));
                eight = _mm_or_si128(eight, _mm_load_si128(entry.add(16).cast()));
            }
            [_mm256_castsi256_si128(sixteen), _mm256_extracti128_si256::<1>(sixteen), eight]
        };
        let (first, second) = (bits(first), bits(second));
        for n in 0..GATHERED / 4 {
            let (first, second) = (first[n / 2], second[n / 2]);
            let both = match n % 2 {
                0 => _mm_unpacklo_epi16(first, second),
                _ => _mm_unpackhi_epi16(first, second),
            };
            let both = _mm_madd_epi16(both, _mm_loadu_si128(gather.factors.as_ptr().add(4 * n).cast()));
            let bases = _mm_loadu_si128(gather.bases.as_ptr().add(4 * n).cast());
            _mm_storeu_si128(numbers.as_mut_ptr().add(4 * n).cast(), _mm_add_epi32(bases, both));
        }
    }
    numbers
}
