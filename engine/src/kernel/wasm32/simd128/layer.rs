//! The layer with WebAssembly SIMD: one dot product of pairs takes two inputs to four neurons.

use std::arch::wasm32::*;

use crate::kernel::{Layer, Longs, Words};

#[inline(always)]
pub(super) fn layer(layer: &Layer, sum: &Words) -> i32 {
    let sums = [0, 8].map(|from| eight(&sum.0, from));
    let [left, right] = sums.map(cut);
    let products = u16x8_shr(i16x8_add(i16x8_mul(left, right), i16x8_splat(64)), 7);
    let neurons = neurons::<6>(&layer.bias, &layer.matrix.0, [left, right, products]);
    total(i32x4_add(dot(sums, &layer.direct.0), dot(neurons, &layer.output.0)))
}

/// Returns eight words of `words` from `from`, which must exist.
#[inline(always)]
pub(super) fn eight(words: &[i16], from: usize) -> v128 {
    let words: &[i16; 8] = words[from..].first_chunk().expect("eight are left");
    // SAFETY: these are eight words, of any alignment.
    unsafe { v128_load(words.as_ptr().cast()) }
}

/// Returns the sums as inputs: clamped to 0 to 127.
#[inline(always)]
pub(super) fn cut(sums: v128) -> v128 {
    i16x8_min(i16x8_max(sums, i16x8_splat(0)), i16x8_splat(127))
}

/// Like the portable function: inputs and neurons are eight to a vector.
#[inline(always)]
pub(super) fn neurons<const SHIFT: u32>(
    bias: &Longs,
    matrix: &[[[i16; 2]; 16]],
    inputs: impl IntoIterator<Item = v128>,
) -> [v128; 2] {
    // SAFETY: sixteen longs are four times four, of any alignment.
    let mut neurons = [0, 4, 8, 12].map(|from| unsafe { v128_load(bias.0.as_ptr().add(from).cast()) });
    for (inputs, weights) in inputs.into_iter().zip(matrix.as_chunks::<4>().0) {
        let pairs = [
            i32x4_shuffle::<0, 0, 0, 0>(inputs, inputs),
            i32x4_shuffle::<1, 1, 1, 1>(inputs, inputs),
            i32x4_shuffle::<2, 2, 2, 2>(inputs, inputs),
            i32x4_shuffle::<3, 3, 3, 3>(inputs, inputs),
        ];
        for (pair, weights) in pairs.into_iter().zip(weights) {
            let weights = weights.as_flattened();
            for (n, neuron) in neurons.iter_mut().enumerate() {
                *neuron = i32x4_add(*neuron, i32x4_dot_i16x8(pair, eight(weights, 8 * n)));
            }
        }
    }
    let [a, b, c, d] = neurons.map(|four| i32x4_shr(four, SHIFT));
    [(a, b), (c, d)].map(|(a, b)| i16x8_max(i16x8_narrow_i32x4(a, b), i16x8_splat(0)))
}

/// Returns four numbers that add up to the sum of the products.
#[inline(always)]
pub(super) fn dot<const N: usize>(numbers: [v128; N], weights: &[i16]) -> v128 {
    let mut four = i32x4_splat(0);
    for (n, numbers) in numbers.into_iter().enumerate() {
        four = i32x4_add(four, i32x4_dot_i16x8(numbers, eight(weights, 8 * n)));
    }
    four
}

/// Returns the sum of four numbers.
#[inline(always)]
pub(super) fn total(four: v128) -> i32 {
    let two = i32x4_add(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
    i32x4_extract_lane::<0>(two).wrapping_add(i32x4_extract_lane::<1>(two))
}
