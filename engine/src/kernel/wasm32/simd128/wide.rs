//! The layer of the large network with WebAssembly SIMD: as [`layer`](super::layer), with twice as many sums.

use std::arch::wasm32::*;

use crate::kernel::{WideLayer, WideWords};

/// As the portable one.
#[inline(always)]
pub(super) fn wide_layer(layer: &WideLayer, sum: &WideWords) -> i32 {
    let word = |words: &[i16], from: usize| {
        // SAFETY: all callers name eight words within their sixteen or thirty-two.
        unsafe { v128_load(words.as_ptr().add(from).cast()) }
    };
    let long = |longs: &[i32; 16], from: usize| {
        // SAFETY: as above, four of sixteen.
        unsafe { v128_load(longs.as_ptr().add(from).cast()) }
    };
    let zero = i16x8_splat(0);
    let sums = [0, 8, 16, 24].map(|from| word(&sum.0, from));
    let mut neurons = [0, 4, 8, 12].map(|from| long(&layer.bias.0, from));
    let [a, b, c, d] = sums.map(|eight| i16x8_min(i16x8_max(eight, zero), i16x8_splat(127)));
    let products = [u16x8_shr(i16x8_mul(a, c), 7), u16x8_shr(i16x8_mul(b, d), 7)];
    let all = [a, b, c, d, products[0], products[1]];
    for (inputs, weights) in all.into_iter().zip(layer.matrix.0.as_chunks::<4>().0) {
        let pairs = [
            i32x4_shuffle::<0, 0, 0, 0>(inputs, inputs),
            i32x4_shuffle::<1, 1, 1, 1>(inputs, inputs),
            i32x4_shuffle::<2, 2, 2, 2>(inputs, inputs),
            i32x4_shuffle::<3, 3, 3, 3>(inputs, inputs),
        ];
        for (pair, weights) in pairs.into_iter().zip(weights) {
            let weights = weights.as_flattened();
            for (n, neuron) in neurons.iter_mut().enumerate() {
                *neuron = i32x4_add(*neuron, i32x4_dot_i16x8(pair, word(weights, 8 * n)));
            }
        }
    }
    let pack = |a, b| i16x8_max(i16x8_narrow_i32x4(i32x4_shr(a, 8), i32x4_shr(b, 8)), zero);
    let neurons = [pack(neurons[0], neurons[1]), pack(neurons[2], neurons[3])];
    let mut four = i32x4_splat(0);
    for (n, sums) in sums.into_iter().enumerate() {
        four = i32x4_add(four, i32x4_dot_i16x8(sums, word(&layer.direct.0, 8 * n)));
    }
    for (n, neurons) in neurons.into_iter().enumerate() {
        four = i32x4_add(four, i32x4_dot_i16x8(neurons, word(&layer.output.0, 8 * n)));
    }
    let two = i32x4_add(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
    i32x4_extract_lane::<0>(two).wrapping_add(i32x4_extract_lane::<1>(two))
}
