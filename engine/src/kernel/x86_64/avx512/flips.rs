//! Flips with AVX-512: as with AVX2, the first stop downwards by a leading-zero count.

use std::arch::x86_64::*;

use crate::kernel::x86_64::lanes::{merged, rays};
use crate::square::Square;

/// The discs of `opponent` that a disc of `player` on `square` flips.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn flips(square: Square, player: u64, opponent: u64) -> u64 {
    let p = _mm256_set1_epi64x(player as i64);
    let o = _mm256_set1_epi64x(opponent as i64);
    let (up, down) = rays(square);
    let ones = _mm256_set1_epi64x(-1);

    // Upwards: end = (o | !up) + 1 & up & p, one ternary operation each side of the addition.
    let open = _mm256_ternarylogic_epi64::<0xf3>(o, up, up);
    let end = _mm256_ternarylogic_epi64::<0x80>(_mm256_sub_epi64(open, ones), up, p);
    let found = _mm256_test_epi64_mask(end, end);
    let upward = _mm256_maskz_add_epi64(found, end, ones);

    // Downwards: the highest stop; a shift of 64 gives none where the ray has none.
    let stops = _mm256_andnot_si256(o, down);
    let top = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
    let end = _mm256_and_si256(top, p);
    let found = _mm256_test_epi64_mask(end, end);
    // Everything above the end: -(2 * end).
    let above = _mm256_maskz_sub_epi64(found, _mm256_setzero_si256(), _mm256_add_epi64(end, end));

    // (upward & up) | (above & down)
    merged(_mm256_ternarylogic_epi64::<0xf8>(_mm256_and_si256(upward, up), above, down))
}
