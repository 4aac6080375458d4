//! The layer with AVX2: one multiply-and-add of pairs takes two inputs to eight neurons.

use std::arch::x86_64::*;

use crate::kernel::{Layer, Words};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn layer(layer: &Layer, sum: &Words) -> i32 {
    // SAFETY: the types are aligned to 32 bytes and hold what is read: sixteen words, twice eight longs,
    // twelve times two vectors of eight pairs.
    unsafe {
        let sums = _mm256_load_si256(sum.0.as_ptr().cast());
        let inputs = _mm256_min_epi16(_mm256_max_epi16(sums, _mm256_setzero_si256()), _mm256_set1_epi16(127));
        let mut low = _mm256_load_si256(layer.bias.0.as_ptr().cast());
        let mut high = _mm256_load_si256(layer.bias.0.as_ptr().add(8).cast());
        let (left, right) = (_mm256_castsi256_si128(inputs), _mm256_extracti128_si256::<1>(inputs));
        let products = _mm_add_epi16(_mm_mullo_epi16(left, right), _mm_set1_epi16(64));
        let eights = [left, right, _mm_srli_epi16::<7>(products)];
        for (eight, weights) in eights.into_iter().zip(layer.matrix.0.as_chunks::<4>().0) {
            let both = _mm256_broadcastsi128_si256(eight);
            let pairs = [
                _mm256_shuffle_epi32::<0x00>(both),
                _mm256_shuffle_epi32::<0x55>(both),
                _mm256_shuffle_epi32::<0xaa>(both),
                _mm256_shuffle_epi32::<0xff>(both),
            ];
            for (pair, weights) in pairs.into_iter().zip(weights) {
                let first = _mm256_load_si256(weights.as_ptr().cast());
                let second = _mm256_load_si256(weights.as_ptr().add(8).cast());
                low = _mm256_add_epi32(low, _mm256_madd_epi16(pair, first));
                high = _mm256_add_epi32(high, _mm256_madd_epi16(pair, second));
            }
        }
        // Packing saturates, and orders the quarters 0, 2, 1, 3.
        let packed = _mm256_packs_epi32(_mm256_srai_epi32::<6>(low), _mm256_srai_epi32::<6>(high));
        let neurons = _mm256_max_epi16(_mm256_permute4x64_epi64::<0xd8>(packed), _mm256_setzero_si256());
        let direct = _mm256_madd_epi16(sums, _mm256_load_si256(layer.direct.0.as_ptr().cast()));
        let output = _mm256_madd_epi16(neurons, _mm256_load_si256(layer.output.0.as_ptr().cast()));
        let eight = _mm256_add_epi32(direct, output);
        let four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0x4e>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0xb1>(two)))
    }
}
