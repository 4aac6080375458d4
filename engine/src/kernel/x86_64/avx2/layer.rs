//! The layer with AVX2: one multiply-and-add of pairs takes two inputs to eight neurons.

use std::arch::x86_64::*;

use crate::kernel::{Layer, Sums};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn layer<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
    // SAFETY: `WIDTH / 16` times sixteen words of the sums and of their weights, twice eight longs of the biases, sixteen words
    // of the output weights. A pair of inputs has two vectors of eight pairs of weights.
    unsafe {
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(127));
        let sixteen = |n: usize| _mm256_loadu_si256(sums.0.as_ptr().add(16 * n).cast());
        let mut eights = [_mm_setzero_si128(); 6];
        for n in 0..WIDTH / 16 {
            let cut = _mm256_min_epi16(_mm256_max_epi16(sixteen(n), zero), most);
            eights[2 * n] = _mm256_castsi256_si128(cut);
            eights[2 * n + 1] = _mm256_extracti128_si256::<1>(cut);
        }
        for n in 0..WIDTH / 16 {
            let products = _mm_mullo_epi16(eights[n], eights[WIDTH / 16 + n]);
            let products = _mm_add_epi16(products, _mm_set1_epi16(Layer::<WIDTH>::ROUNDING));
            eights[WIDTH / 8 + n] = _mm_srli_epi16::<7>(products);
        }
        let mut low = _mm256_loadu_si256(layer.bias.as_ptr().cast());
        let mut high = _mm256_loadu_si256(layer.bias.as_ptr().add(8).cast());
        for (eight, weights) in eights.into_iter().zip(layer.pairs().as_chunks::<4>().0) {
            let both = _mm256_broadcastsi128_si256(eight);
            let pairs = [
                _mm256_shuffle_epi32::<0x00>(both),
                _mm256_shuffle_epi32::<0x55>(both),
                _mm256_shuffle_epi32::<0xaa>(both),
                _mm256_shuffle_epi32::<0xff>(both),
            ];
            for (pair, weights) in pairs.into_iter().zip(weights) {
                let first = _mm256_loadu_si256(weights.as_ptr().cast());
                let second = _mm256_loadu_si256(weights.as_ptr().add(8).cast());
                low = _mm256_add_epi32(low, _mm256_madd_epi16(pair, first));
                high = _mm256_add_epi32(high, _mm256_madd_epi16(pair, second));
            }
        }
        let shift = _mm_cvtsi32_si128(Layer::<WIDTH>::SHIFT as i32);
        // Packing saturates, and orders the quarters 0, 2, 1, 3.
        let packed = _mm256_packs_epi32(_mm256_sra_epi32(low, shift), _mm256_sra_epi32(high, shift));
        let neurons = _mm256_max_epi16(_mm256_permute4x64_epi64::<0xd8>(packed), zero);
        let mut eight = _mm256_madd_epi16(neurons, _mm256_loadu_si256(layer.output.as_ptr().cast()));
        for n in 0..WIDTH / 16 {
            let direct = _mm256_loadu_si256(layer.direct.as_ptr().add(16 * n).cast());
            eight = _mm256_add_epi32(eight, _mm256_madd_epi16(sixteen(n), direct));
        }
        let four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0x4e>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0xb1>(two)))
    }
}
