//! The layer with WebAssembly SIMD: two inputs at a time go to four neurons by one dot product of pairs.

use std::arch::wasm32::*;

use crate::kernel::{Layer, Words};

/// As the portable one.
#[inline(always)]
pub(super) fn layer(layer: &Layer, sum: &Words) -> i32 {
    let word = |words: &[i16], from: usize| {
        // SAFETY: all callers name eight words within their sixteen or thirty-two.
        unsafe { v128_load(words.as_ptr().add(from).cast()) }
    };
    let long = |longs: &[i32; 16], from: usize| {
        // SAFETY: as above, four of sixteen.
        unsafe { v128_load(longs.as_ptr().add(from).cast()) }
    };
    let zero = i16x8_splat(0);
    let sums = [word(&sum.0, 0), word(&sum.0, 8)];
    let mut neurons =
        [long(&layer.bias.0, 0), long(&layer.bias.0, 4), long(&layer.bias.0, 8), long(&layer.bias.0, 12)];
    let [left, right] = sums.map(|half| i16x8_min(i16x8_max(half, zero), i16x8_splat(127)));
    let products = u16x8_shr(i16x8_add(i16x8_mul(left, right), i16x8_splat(64)), 7);
    for (inputs, weights) in [left, right, products].into_iter().zip(layer.matrix.0.as_chunks::<4>().0) {
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
    let pack = |a, b| i16x8_max(i16x8_narrow_i32x4(i32x4_shr(a, 6), i32x4_shr(b, 6)), zero);
    let neurons = [pack(neurons[0], neurons[1]), pack(neurons[2], neurons[3])];
    let mut four = i32x4_splat(0);
    for half in 0..2 {
        four = i32x4_add(four, i32x4_dot_i16x8(sums[half], word(&layer.direct.0, 8 * half)));
        four = i32x4_add(four, i32x4_dot_i16x8(neurons[half], word(&layer.output.0, 8 * half)));
    }
    let two = i32x4_add(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
    i32x4_extract_lane::<0>(two).wrapping_add(i32x4_extract_lane::<1>(two))
}
