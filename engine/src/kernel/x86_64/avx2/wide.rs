//! The layer of the large network with AVX2: one multiply-and-add of pairs takes two inputs to eight neurons.

use std::arch::x86_64::*;

use crate::kernel::wide::{WIDE_INPUTS, WideInputs, WideLayer, WideWords};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn wide_layer(layer: &WideLayer, sum: &WideWords) -> i32 {
    let mut inputs = WideInputs([0; WIDE_INPUTS]);
    // SAFETY: the types are aligned to 32 bytes and hold what is read: twice sixteen words, twice eight longs, 24 times two
    // vectors of eight pairs; the inputs are three times sixteen words, and 24 pairs.
    unsafe {
        let sums =
            [_mm256_load_si256(sum.0.as_ptr().cast()), _mm256_load_si256(sum.0.as_ptr().add(16).cast())];
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(127));
        let cut = sums.map(|sums| _mm256_min_epi16(_mm256_max_epi16(sums, zero), most));
        let place = inputs.0.as_mut_ptr();
        _mm256_store_si256(place.cast(), cut[0]);
        _mm256_store_si256(place.add(16).cast(), cut[1]);
        _mm256_store_si256(place.add(32).cast(), _mm256_srli_epi16::<7>(_mm256_mullo_epi16(cut[0], cut[1])));
        let pairs = inputs.0.as_ptr().cast::<i32>();
        let bias = layer.bias.0.as_ptr();
        // Two chains of additions for each eight neurons.
        let mut low = [_mm256_load_si256(bias.cast()), zero];
        let mut high = [_mm256_load_si256(bias.add(8).cast()), zero];
        for (n, both) in layer.matrix.0.as_chunks::<2>().0.iter().enumerate() {
            for (chain, weights) in both.iter().enumerate() {
                let pair = _mm256_set1_epi32(*pairs.add(2 * n + chain));
                let first = _mm256_madd_epi16(pair, _mm256_load_si256(weights.as_ptr().cast()));
                let second = _mm256_madd_epi16(pair, _mm256_load_si256(weights.as_ptr().add(8).cast()));
                low[chain] = _mm256_add_epi32(low[chain], first);
                high[chain] = _mm256_add_epi32(high[chain], second);
            }
        }
        let low = _mm256_srai_epi32::<8>(_mm256_add_epi32(low[0], low[1]));
        let high = _mm256_srai_epi32::<8>(_mm256_add_epi32(high[0], high[1]));
        // Packing saturates, and orders the quarters 0, 2, 1, 3.
        let neurons = _mm256_permute4x64_epi64::<0xd8>(_mm256_packs_epi32(low, high));
        let neurons = _mm256_max_epi16(neurons, zero);
        let mut eight = _mm256_madd_epi16(neurons, _mm256_load_si256(layer.output.0.as_ptr().cast()));
        for (n, sums) in sums.into_iter().enumerate() {
            let direct = _mm256_load_si256(layer.direct.0.as_ptr().add(16 * n).cast());
            eight = _mm256_add_epi32(eight, _mm256_madd_epi16(sums, direct));
        }
        let four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0x4e>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0xb1>(two)))
    }
}
