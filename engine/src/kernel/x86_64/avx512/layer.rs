//! The layer with AVX-512, for 32 sums: two inputs at a time for all sixteen neurons.

use std::arch::x86_64::*;

use crate::kernel::layer::MAX_INPUTS;
use crate::kernel::{Layer, Sums};

/// The inputs, aligned so that each pair can be loaded into all lanes.
#[repr(align(64))]
struct Inputs([i16; MAX_INPUTS]);

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn layer<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
    assert!(WIDTH == 32, "other layers have less than a vector of sums");
    let mut inputs = Inputs([0; MAX_INPUTS]);
    // SAFETY: 32 words of the sums and of their weights, sixteen longs of the biases, 24 times sixteen pairs of weights, sixteen
    // words of the output weights; the inputs are once 32 words and sixteen more, and 24 pairs.
    unsafe {
        let sums = _mm512_loadu_si512(sums.0.as_ptr().cast());
        let zero = _mm512_setzero_si512();
        let cut = _mm512_min_epi16(_mm512_max_epi16(sums, zero), _mm512_set1_epi16(127));
        let products = _mm256_mullo_epi16(_mm512_castsi512_si256(cut), _mm512_extracti64x4_epi64::<1>(cut));
        let products = _mm256_add_epi16(products, _mm256_set1_epi16(Layer::<WIDTH>::ROUNDING));
        let place = inputs.0.as_mut_ptr();
        _mm512_store_si512(place.cast(), cut);
        _mm256_store_si256(place.add(32).cast(), _mm256_srli_epi16::<7>(products));
        let pairs = inputs.0.as_ptr().cast::<i32>();
        // Four chains of additions.
        let mut chains = [_mm512_loadu_si512(layer.bias.as_ptr().cast()), zero, zero, zero];
        for (n, four) in layer.pairs().as_chunks::<4>().0.iter().enumerate() {
            for (chain, weights) in four.iter().enumerate() {
                let pair = _mm512_set1_epi32(*pairs.add(4 * n + chain));
                let given = _mm512_madd_epi16(pair, _mm512_loadu_si512(weights.as_ptr().cast()));
                chains[chain] = _mm512_add_epi32(chains[chain], given);
            }
        }
        let [one, two, three, four] = chains;
        let neurons = _mm512_add_epi32(_mm512_add_epi32(one, two), _mm512_add_epi32(three, four));
        let shift = _mm_cvtsi32_si128(Layer::<WIDTH>::SHIFT as i32);
        // Saturates.
        let neurons = _mm512_cvtsepi32_epi16(_mm512_sra_epi32(neurons, shift));
        let neurons = _mm256_max_epi16(neurons, _mm256_setzero_si256());
        let output = _mm256_madd_epi16(neurons, _mm256_loadu_si256(layer.output.as_ptr().cast()));
        let direct = _mm512_madd_epi16(sums, _mm512_loadu_si512(layer.direct.as_ptr().cast()));
        _mm512_reduce_add_epi32(_mm512_add_epi32(direct, _mm512_zextsi256_si512(output)))
    }
}
