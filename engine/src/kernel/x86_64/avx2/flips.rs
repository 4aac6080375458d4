//! Flips with AVX2: the four rays of a group in the four lanes of a vector.

use std::arch::x86_64::*;

use crate::kernel::x86_64::lanes::{merged, rays};
use crate::square::Square;

/// The discs of `opponent` that a disc of `player` on `square` flips.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn flips(square: Square, player: u64, opponent: u64) -> u64 {
    let p = _mm256_set1_epi64x(player as i64);
    let o = _mm256_set1_epi64x(opponent as i64);
    let (up, down) = rays(square);
    let ones = _mm256_set1_epi64x(-1);
    let zero = _mm256_setzero_si256();

    // Upwards: a carry through the opposing discs (see `portable`).
    let carried = _mm256_sub_epi64(_mm256_or_si256(o, _mm256_andnot_si256(up, ones)), ones);
    let end = _mm256_and_si256(_mm256_and_si256(carried, up), p);
    // end - 1, or 0 where there is no end.
    let before = _mm256_sub_epi64(_mm256_add_epi64(end, ones), _mm256_cmpeq_epi64(end, zero));
    let upward = _mm256_and_si256(before, up);

    // Downwards: smear the stops along the ray, the top of the smear is the first stop.
    let stops = _mm256_andnot_si256(o, down);
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    let step2 = _mm256_set_epi64x(14, 18, 16, 2);
    let step4 = _mm256_set_epi64x(28, 36, 32, 4);
    let mut smear = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, step));
    smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, step2));
    smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, step4));
    let behind = _mm256_srlv_epi64(smear, step);
    let end = _mm256_and_si256(_mm256_andnot_si256(behind, stops), p);
    let none = _mm256_cmpeq_epi64(end, zero);
    let downward = _mm256_andnot_si256(none, _mm256_andnot_si256(smear, down));

    merged(_mm256_or_si256(upward, downward))
}
