//! What all x86-64 kernels do with vectors of four boards.

use std::arch::x86_64::*;

use crate::kernel::rays::{DOWN, UP};
use crate::square::Square;

/// The four rays from `square` towards higher squares, and the four towards lower ones.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn rays(square: Square) -> (__m256i, __m256i) {
    // SAFETY: the tables are arrays of four aligned 64-bit integers for each of the 64 squares.
    unsafe {
        (
            _mm256_load_si256(UP.0[square.index()].as_ptr().cast()),
            _mm256_load_si256(DOWN.0[square.index()].as_ptr().cast()),
        )
    }
}

/// The four lanes laid on each other.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn merged(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}
