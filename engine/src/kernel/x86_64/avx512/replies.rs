//! Two moves at a time with AVX-512: the flips and the replies of each, one board in each half of a vector.

use std::arch::x86_64::*;

use crate::kernel::Reply;
use crate::kernel::rays::{DOWN, INNER, UP};
use crate::square::Square;

/// Returns the flips of a disc of `player` on each of `squares`, and where `opponent` can place a disc after it.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn of_two(squares: [Square; 2], player: u64, opponent: u64) -> [Reply; 2] {
    let [a, b] = squares;
    let p = _mm512_set1_epi64(player as i64);
    let o = _mm512_set1_epi64(opponent as i64);
    let ones = _mm512_set1_epi64(-1);
    let (up, down) = (rays(&UP.0, squares), rays(&DOWN.0, squares));

    // Like the flips of one square, without comparisons, whose results would go through mask registers.
    let open = _mm512_ternarylogic_epi64::<0xf3>(o, up, up);
    let carried = _mm512_sub_epi64(open, ones);
    let end = _mm512_ternarylogic_epi64::<0x80>(carried, up, p);
    // open & !carried & up
    let run = _mm512_ternarylogic_epi64::<0x20>(open, carried, up);
    let found = _mm512_srai_epi64::<63>(_mm512_sub_epi64(_mm512_setzero_si512(), end));
    let from_stop =
        _mm512_srav_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(_mm512_andnot_si512(o, down)));
    // !p & !o & down
    let empty = _mm512_ternarylogic_epi64::<0x02>(p, o, down);
    let closed = _mm512_srai_epi64::<63>(_mm512_sub_epi64(empty, _mm512_and_si512(p, down)));
    // from_stop & closed & (o & down)
    let downward = _mm512_ternarylogic_epi64::<0x80>(from_stop, closed, _mm512_and_si512(o, down));
    // downward | (run & found)
    let lanes = _mm512_ternarylogic_epi64::<0xf8>(downward, run, found);
    let (one, two, three) = others(lanes);

    // The boards after the moves, with the other side to move.
    let places =
        _mm512_inserti64x4::<1>(_mm512_set1_epi64(1 << a.index()), _mm256_set1_epi64x(1 << b.index()));
    let placed = _mm512_xor_si512(p, places);
    let kept = _mm512_ternarylogic_epi64::<0x10>(o, lanes, one);
    let gained = _mm512_ternarylogic_epi64::<0xfe>(placed, lanes, one);
    let own = _mm512_ternarylogic_epi64::<0x10>(kept, two, three);
    let other = _mm512_ternarylogic_epi64::<0xfe>(gained, two, three);
    let flips = _mm512_andnot_si512(own, o);

    // Like the moves of one board.
    let lines = |lines: [i64; 4]| {
        let [a, b, c, d] = lines;
        _mm512_set_epi64(d, c, b, a, d, c, b, a)
    };
    let step = lines([1, 8, 9, 7]);
    let step2 = lines([2, 16, 18, 14]);
    let step4 = lines([4, 32, 36, 28]);
    let inner = INNER as i64;
    let o = _mm512_and_si512(other, lines([inner, -1, inner, inner]));
    // Sides that follow one opposing disc, and three: the reach of a doubled step.
    let (over, under) = (_mm512_sllv_epi64(o, step), _mm512_srlv_epi64(o, step));
    let (up_two, down_two) = (_mm512_and_si512(o, over), _mm512_and_si512(o, under));
    let up_four = _mm512_and_si512(up_two, _mm512_sllv_epi64(up_two, step2));
    let down_four = _mm512_and_si512(down_two, _mm512_srlv_epi64(down_two, step2));
    let mut up = _mm512_or_si512(own, _mm512_and_si512(o, _mm512_sllv_epi64(own, step)));
    let mut down = _mm512_or_si512(own, _mm512_and_si512(o, _mm512_srlv_epi64(own, step)));
    up = _mm512_or_si512(up, _mm512_and_si512(up_two, _mm512_sllv_epi64(up, step2)));
    down = _mm512_or_si512(down, _mm512_and_si512(down_two, _mm512_srlv_epi64(down, step2)));
    up = _mm512_or_si512(up, _mm512_and_si512(up_four, _mm512_sllv_epi64(up, step4)));
    down = _mm512_or_si512(down, _mm512_and_si512(down_four, _mm512_srlv_epi64(down, step4)));
    // (over & up) | (under & down)
    let upward = _mm512_and_si512(over, _mm512_sllv_epi64(up, step));
    let lanes = _mm512_ternarylogic_epi64::<0xf8>(upward, under, _mm512_srlv_epi64(down, step));
    let (one, two, three) = others(lanes);
    let pairs = _mm512_or_si512(lanes, one);
    let reached = _mm512_ternarylogic_epi64::<0xfe>(pairs, two, three);
    let moves = _mm512_ternarylogic_epi64::<0x10>(reached, own, other);

    let of = |flips: __m256i, moves: __m256i| Reply {
        flips: _mm_cvtsi128_si64(_mm256_castsi256_si128(flips)) as u64,
        moves: _mm_cvtsi128_si64(_mm256_castsi256_si128(moves)) as u64,
    };
    [
        of(_mm512_castsi512_si256(flips), _mm512_castsi512_si256(moves)),
        of(_mm512_extracti64x4_epi64::<1>(flips), _mm512_extracti64x4_epi64::<1>(moves)),
    ]
}

/// The rays of the first square in the lower half, those of the second in the upper one.
#[target_feature(enable = "avx512f")]
#[inline]
fn rays(table: &[[u64; 4]; 64], squares: [Square; 2]) -> __m512i {
    let [a, b] = squares.map(|square| table[square.index()].as_ptr());
    // SAFETY: four aligned 64-bit integers for each square.
    unsafe {
        _mm512_inserti64x4::<1>(
            _mm512_castsi256_si512(_mm256_load_si256(a.cast())),
            _mm256_load_si256(b.cast()),
        )
    }
}

/// The other three lanes of each half for each lane.
#[target_feature(enable = "avx512f")]
#[inline]
fn others(lanes: __m512i) -> (__m512i, __m512i, __m512i) {
    (
        _mm512_shuffle_epi32::<0x4e>(lanes),
        _mm512_permutex_epi64::<0x4e>(lanes),
        _mm512_permutex_epi64::<0x1b>(lanes),
    )
}
