//! Flips with AVX2: the four rays of a group in the four lanes of a vector.

use std::arch::x86_64::*;

use super::mobility::moves;
use crate::kernel::Reply;
use crate::kernel::x86_64::lanes::{Sides, rays};
use crate::square::Square;

/// Returns the discs of the opponent that a disc of the player on `square` flips, those of each line in a separate lane.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn flips(square: Square, discs: Sides) -> __m256i {
    let Sides { player: p, opponent: o } = discs;
    let (up, down) = rays(square);
    let ones = _mm256_set1_epi64x(-1);

    // Upwards: the carry through the opposing discs (see `portable`) clears them and sets the first stop.
    let open = _mm256_or_si256(o, _mm256_andnot_si256(up, ones));
    let carried = _mm256_sub_epi64(open, ones);
    let end = _mm256_and_si256(carried, _mm256_and_si256(up, p));
    let none = _mm256_cmpeq_epi64(end, _mm256_setzero_si256());
    let upward = _mm256_andnot_si256(_mm256_or_si256(carried, none), _mm256_and_si256(o, up));

    // Downwards: smear the stops along the ray. The highest stop is the player's if the player's highest square on the ray
    // is above the highest empty one (no such ray has the sign bit).
    let stops = _mm256_andnot_si256(o, down);
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    let step2 = _mm256_set_epi64x(14, 18, 16, 2);
    let step4 = _mm256_set_epi64x(28, 36, 32, 4);
    let mut smear = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, step));
    smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, step2));
    smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, step4));
    let closed = _mm256_cmpgt_epi64(_mm256_and_si256(p, down), _mm256_andnot_si256(p, stops));
    let downward = _mm256_andnot_si256(smear, _mm256_and_si256(down, closed));

    _mm256_or_si256(upward, downward)
}

/// Returns the discs after a move on `square`, with the other side to move. `None` if the move flips nothing.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn after(square: Square, discs: Sides) -> Option<Sides> {
    let lanes = flips(square, discs);
    (_mm256_testz_si256(lanes, lanes) == 0).then(|| placed(square, discs, lanes))
}

/// Returns the effect of a move on `square`, which must flip a disc.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn reply(square: Square, discs: Sides) -> Reply {
    let next = placed(square, discs, flips(square, discs));
    let flips = _mm256_xor_si256(next.player, discs.opponent);
    Reply { flips: _mm_cvtsi128_si64(_mm256_castsi256_si128(flips)) as u64, moves: moves(next) }
}

/// Returns the discs after a move on `square` that flips those of `lanes`.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn placed(square: Square, discs: Sides, lanes: __m256i) -> Sides {
    let Sides { player, opponent } = discs;
    // Combines all lanes in all lanes: three operations in parallel instead of two halvings in sequence. The late operands
    // come last.
    let soon = _mm256_or_si256(lanes, _mm256_shuffle_epi32::<0x4e>(lanes));
    let late =
        _mm256_or_si256(_mm256_permute4x64_epi64::<0x4e>(lanes), _mm256_permute4x64_epi64::<0x1b>(lanes));
    let kept = _mm256_andnot_si256(soon, opponent);
    let gained = _mm256_or_si256(_mm256_xor_si256(player, _mm256_set1_epi64x(1 << square.index())), soon);
    Sides { player: _mm256_andnot_si256(late, kept), opponent: _mm256_or_si256(gained, late) }
}
