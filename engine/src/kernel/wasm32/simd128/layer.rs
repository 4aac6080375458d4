//! The layer with WebAssembly SIMD: one dot product of pairs takes two inputs to four neurons.

use std::arch::wasm32::*;

use crate::kernel::{Layer, Sums};

#[inline(always)]
pub(super) fn layer<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
    // The inputs, eight to a vector.
    let mut eights = [i16x8_splat(0); 6];
    for (n, cut) in eights.iter_mut().take(WIDTH / 8).enumerate() {
        *cut = i16x8_min(i16x8_max(eight(&sums.0, n), i16x8_splat(0)), i16x8_splat(127));
    }
    for n in 0..WIDTH / 16 {
        let products = i16x8_mul(eights[n], eights[WIDTH / 16 + n]);
        eights[WIDTH / 8 + n] = u16x8_shr(i16x8_add(products, i16x8_splat(Layer::<WIDTH>::ROUNDING)), 7);
    }
    // SAFETY: sixteen longs are four times four, of any alignment.
    let mut neurons = [0, 4, 8, 12].map(|from| unsafe { v128_load(layer.bias.as_ptr().add(from).cast()) });
    for (inputs, weights) in eights.into_iter().zip(layer.pairs().as_chunks::<4>().0) {
        let pairs = [
            i32x4_shuffle::<0, 0, 0, 0>(inputs, inputs),
            i32x4_shuffle::<1, 1, 1, 1>(inputs, inputs),
            i32x4_shuffle::<2, 2, 2, 2>(inputs, inputs),
            i32x4_shuffle::<3, 3, 3, 3>(inputs, inputs),
        ];
        for (pair, weights) in pairs.into_iter().zip(weights) {
            for (n, neuron) in neurons.iter_mut().enumerate() {
                *neuron = i32x4_add(*neuron, i32x4_dot_i16x8(pair, eight(weights.as_flattened(), n)));
            }
        }
    }
    let [a, b, c, d] = neurons.map(|four| i32x4_shr(four, Layer::<WIDTH>::SHIFT));
    let neurons = [(a, b), (c, d)].map(|(a, b)| i16x8_max(i16x8_narrow_i32x4(a, b), i16x8_splat(0)));
    // Four numbers that add up to the result.
    let mut four = i32x4_splat(0);
    for n in 0..WIDTH / 8 {
        four = i32x4_add(four, i32x4_dot_i16x8(eight(&sums.0, n), eight(&layer.direct, n)));
    }
    for (n, neurons) in neurons.into_iter().enumerate() {
        four = i32x4_add(four, i32x4_dot_i16x8(neurons, eight(&layer.output, n)));
    }
    let two = i32x4_add(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
    i32x4_extract_lane::<0>(two).wrapping_add(i32x4_extract_lane::<1>(two))
}

/// Returns the `n`th eight words.
#[inline(always)]
fn eight(words: &[i16], n: usize) -> v128 {
    let words = &words.as_chunks::<8>().0[n];
    // SAFETY: these are eight words, of any alignment.
    unsafe { v128_load(words.as_ptr().cast()) }
}
