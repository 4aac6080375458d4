//! Flips with AVX-512: as with AVX2, with a leading-zero count for the first stop downwards.
//!
//! The time depends on the chain of dependent operations from the discs to the flips, not on their number. Comparisons are
//! operands of ternary operations: for a plain `and` with a comparison, the compiler uses a mask register, which takes
//! several times as long.

use std::arch::x86_64::*;

use crate::kernel::x86_64::lanes::{Sides, rays};
use crate::square::Square;

/// Returns the discs of the opponent that a disc of the player on `square` flips, those of each line in a separate lane.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn flips(square: Square, discs: Sides) -> __m256i {
    let Sides { player: p, opponent: o } = discs;
    let (up, down) = rays(square);
    let ones = _mm256_set1_epi64x(-1);

    // Upwards: the carry through the opposing discs clears them and sets the first stop.
    let open = _mm256_ternarylogic_epi64::<0xf3>(o, up, up);
    let carried = _mm256_sub_epi64(open, ones);
    let end = _mm256_ternarylogic_epi64::<0x80>(carried, up, p);
    let none = _mm256_cmpeq_epi64(end, _mm256_setzero_si256());
    // open & !carried & up
    let upward = _mm256_ternarylogic_epi64::<0x20>(open, carried, up);

    // Downwards: the highest stop is the player's if the player's highest square on the ray is above the highest empty one
    // (no such ray has the sign bit). The squares above the stop are the run.
    let stops = _mm256_andnot_si256(o, down);
    let from_stop = _mm256_srav_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
    // !p & !o & down
    let empty = _mm256_ternarylogic_epi64::<0x02>(p, o, down);
    let closed = _mm256_cmpgt_epi64(_mm256_and_si256(p, down), empty);
    // closed & down & o
    let run = _mm256_ternarylogic_epi64::<0x80>(closed, down, o);
    let downward = _mm256_and_si256(from_stop, run);

    // (upward & !none) | downward
    _mm256_ternarylogic_epi64::<0xba>(upward, none, downward)
}

/// Returns the discs after a move on `square`, with the other side to move. `None` if the move flips nothing. As with AVX2,
/// except for explicit ternary operations: those that the compiler chooses form a longer chain.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn after(square: Square, discs: Sides) -> Option<Sides> {
    let Sides { player, opponent } = discs;
    let lanes = flips(square, discs);
    if _mm256_testz_si256(lanes, lanes) != 0 {
        return None;
    }
    // Combines all lanes in all lanes: three operations in parallel instead of two halvings in sequence.
    let one = _mm256_shuffle_epi32::<0x4e>(lanes);
    let two = _mm256_permute4x64_epi64::<0x4e>(lanes);
    let three = _mm256_permute4x64_epi64::<0x1b>(lanes);
    let placed = _mm256_xor_si256(player, _mm256_set1_epi64x(1 << square.index()));
    // a & !b & !c and a | b | c. The late operands come last.
    let kept = _mm256_ternarylogic_epi64::<0x10>(opponent, lanes, one);
    let gained = _mm256_ternarylogic_epi64::<0xfe>(placed, lanes, one);
    Some(Sides {
        player: _mm256_ternarylogic_epi64::<0x10>(kept, two, three),
        opponent: _mm256_ternarylogic_epi64::<0xfe>(gained, two, three),
    })
}
