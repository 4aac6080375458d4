//! Operations that all x86-64 kernels share: vectors of four boards.

use std::arch::x86_64::*;

use crate::kernel::rays::{DOWN, UP};
use crate::square::Square;

/// Returns the four rays from `square` towards higher squares, and the four towards lower ones.
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

/// The discs of both sides, the mover's and the opponent's, each in all four lanes. Moves are made on this form: a
/// conversion to an integer and back takes as long as five operations on vectors.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Sides {
    pub(super) player: __m256i,
    pub(super) opponent: __m256i,
}

impl Sides {
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn of(player: u64, opponent: u64) -> Sides {
        Sides { player: _mm256_set1_epi64x(player as i64), opponent: _mm256_set1_epi64x(opponent as i64) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn sides(self) -> (u64, u64) {
        let first = |lanes| _mm_cvtsi128_si64(_mm256_castsi256_si128(lanes)) as u64;
        (first(self.player), first(self.opponent))
    }

    #[inline(always)]
    pub(super) fn passed(self) -> Sides {
        Sides { player: self.opponent, opponent: self.player }
    }
}

/// Returns the combination of the four lanes.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn merged(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

/// Returns four words of bytes of `bytes`: see [`Kernels::shuffled`](crate::kernel::Kernels::shuffled).
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn shuffled(bytes: u32, places: &[[u8; 4]; 4]) -> [u32; 4] {
    let mut words = [0; 4];
    // SAFETY: sixteen bytes of an array to read, sixteen of another to write.
    unsafe {
        let places = _mm_loadu_si128(places.as_ptr().cast());
        let shuffled = _mm_shuffle_epi8(_mm_cvtsi32_si128(bytes as i32), places);
        _mm_storeu_si128(words.as_mut_ptr().cast(), shuffled);
    }
    words
}
