//! The layer of the large network with AVX-512: two inputs at a time for all sixteen neurons.

use std::arch::x86_64::*;

use crate::kernel::wide::{WIDE_INPUTS, WideInputs, WideLayer, WideWords};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn wide_layer(layer: &WideLayer, sum: &WideWords) -> i32 {
    let mut inputs = WideInputs([0; WIDE_INPUTS]);
    // SAFETY: the types hold what is read: 32 words, sixteen longs, 24 times sixteen pairs; the inputs are once 32 words and
    // sixteen more, and 24 pairs. What is not aligned to its size is loaded without asking for it.
    unsafe {
        let sums = _mm512_load_si512(sum.0.as_ptr().cast());
        let zero = _mm512_setzero_si512();
        let cut = _mm512_min_epi16(_mm512_max_epi16(sums, zero), _mm512_set1_epi16(127));
        let products = _mm256_mullo_epi16(_mm512_castsi512_si256(cut), _mm512_extracti64x4_epi64::<1>(cut));
        let place = inputs.0.as_mut_ptr();
        _mm512_store_si512(place.cast(), cut);
        _mm256_store_si256(place.add(32).cast(), _mm256_srli_epi16::<7>(products));
        let pairs = inputs.0.as_ptr().cast::<i32>();
        // Four chains of additions.
        let mut chains = [_mm512_loadu_si512(layer.bias.0.as_ptr().cast()), zero, zero, zero];
        for (n, four) in layer.matrix.0.as_chunks::<4>().0.iter().enumerate() {
            for (chain, weights) in four.iter().enumerate() {
                let pair = _mm512_set1_epi32(*pairs.add(4 * n + chain));
                let given = _mm512_madd_epi16(pair, _mm512_load_si512(weights.as_ptr().cast()));
                chains[chain] = _mm512_add_epi32(chains[chain], given);
            }
        }
        let [one, two, three, four] = chains;
        let neurons = _mm512_add_epi32(_mm512_add_epi32(one, two), _mm512_add_epi32(three, four));
        // Saturates.
        let neurons = _mm512_cvtsepi32_epi16(_mm512_srai_epi32::<8>(neurons));
        let neurons = _mm256_max_epi16(neurons, _mm256_setzero_si256());
        let output = _mm256_madd_epi16(neurons, _mm256_load_si256(layer.output.0.as_ptr().cast()));
        let direct = _mm512_madd_epi16(sums, _mm512_load_si512(layer.direct.0.as_ptr().cast()));
        _mm512_reduce_add_epi32(_mm512_add_epi32(direct, _mm512_zextsi256_si512(output)))
    }
}
