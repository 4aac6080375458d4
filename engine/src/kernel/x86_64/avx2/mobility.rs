//! Mobility with AVX2: the four lines through a square in the four lanes of a vector.

use std::arch::x86_64::*;

use crate::kernel::rays::INNER;
use crate::kernel::x86_64::lanes::{Sides, merged};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn moves(discs: Sides) -> u64 {
    let (player, opponent) = discs.sides();
    merged(reached(discs)) & !(player | opponent)
}

/// Returns the squares behind the opposing discs next to a disc of the player, those of each line in a separate lane. Some
/// are occupied.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn reached(discs: Sides) -> __m256i {
    let Sides { player: p, opponent } = discs;
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    let step2 = _mm256_set_epi64x(14, 18, 16, 2);
    let inner = INNER as i64;
    let o = _mm256_and_si256(opponent, _mm256_set_epi64x(inner, inner, -1, inner));
    let mut up = _mm256_and_si256(o, _mm256_sllv_epi64(p, step));
    let mut down = _mm256_and_si256(o, _mm256_srlv_epi64(p, step));
    up = _mm256_or_si256(up, _mm256_and_si256(o, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(o, _mm256_srlv_epi64(down, step)));
    let through_up = _mm256_and_si256(o, _mm256_sllv_epi64(o, step));
    let through_down = _mm256_srlv_epi64(through_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(through_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(through_down, _mm256_srlv_epi64(down, step2)));
    up = _mm256_or_si256(up, _mm256_and_si256(through_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(through_down, _mm256_srlv_epi64(down, step2)));
    _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step))
}
