//! Gathered bits with one instruction for four 16-bit numbers: each byte of a vector selects a bit.
//!
//! The instruction belongs to BITALG, which some processors with AVX-512 lack. They gather as with AVX2.

use std::arch::x86_64::*;

use crate::kernel::gather::Squares;
use crate::kernel::{GATHERED, Gather};

#[inline(always)]
pub(super) fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
    if is_x86_feature_detected!("avx512bitalg") {
        // SAFETY: that feature has just been detected, the others by `Kernel::available`.
        unsafe { with_bitalg(gather, first, second) }
    } else {
        // SAFETY: as in `run`.
        unsafe { super::super::avx2::gather(gather, first, second) }
    }
}

/// Requires BITALG.
#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512bitalg"
)]
fn with_bitalg(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
    let Squares { places, used, lengths, .. } = &gather.squares;
    let mut numbers = [0; GATHERED];
    // SAFETY: the squares are five times 64 bytes, aligned as their type is; bases, lengths and numbers are sixteen longs and
    // four more.
    unsafe {
        let squares: [__m512i; 5] =
            std::array::from_fn(|n| _mm512_load_si512(places.as_ptr().add(4 * n).cast()));
        let words = |set: u64| -> [i64; 5] {
            let set = _mm512_set1_epi64(set as i64);
            std::array::from_fn(|n| _mm512_mask_bitshuffle_epi64_mask(used[n], set, squares[n]) as i64)
        };
        let (first, second) = (words(first), words(second));
        let sixteen = |words: &[i64; 5]| {
            _mm512_cvtepu16_epi32(_mm256_set_epi64x(words[3], words[2], words[1], words[0]))
        };
        let four = |words: &[i64; 5]| _mm_cvtepu16_epi32(_mm_cvtsi64_si128(words[4]));
        let by = _mm512_loadu_si512(lengths.as_ptr().cast());
        let both = _mm512_or_si512(sixteen(&first), _mm512_sllv_epi32(sixteen(&second), by));
        let bases = _mm512_loadu_si512(gather.bases.as_ptr().cast());
        _mm512_storeu_si512(numbers.as_mut_ptr().cast(), _mm512_add_epi32(bases, both));
        let by = _mm_loadu_si128(lengths.as_ptr().add(16).cast());
        let both = _mm_or_si128(four(&first), _mm_sllv_epi32(four(&second), by));
        let bases = _mm_loadu_si128(gather.bases.as_ptr().add(16).cast());
        _mm_storeu_si128(numbers.as_mut_ptr().add(16).cast(), _mm_add_epi32(bases, both));
    }
    numbers
}
