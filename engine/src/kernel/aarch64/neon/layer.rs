//! The layer with NEON: products of words, widened and added to four neurons at a time.

use std::arch::aarch64::*;

use crate::kernel::{Layer, Longs, Words};

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn layer(layer: &Layer, sum: &Words) -> i32 {
    let sums = [0, 8].map(|from| eight(&sum.0, from));
    let [left, right] = sums.map(|sums| cut(sums));
    // Rounds to nearest.
    let products = vrshrq_n_s16::<7>(vmulq_s16(left, right));
    let neurons = neurons::<6>(&layer.bias, &layer.matrix.0, [left, right, products]);
    total(dot(dot(vdupq_n_s32(0), sums, &layer.direct.0), neurons, &layer.output.0))
}

/// Returns eight words of `words` from `from`, which must exist.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn eight(words: &[i16], from: usize) -> int16x8_t {
    let words: &[i16; 8] = words[from..].first_chunk().expect("eight are left");
    // SAFETY: these are eight words.
    unsafe { vld1q_s16(words.as_ptr()) }
}

/// Returns the sums as inputs: clamped to 0 to 127.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn cut(sums: int16x8_t) -> int16x8_t {
    vminq_s16(vmaxq_s16(sums, vdupq_n_s16(0)), vdupq_n_s16(127))
}

/// Like the portable function: inputs and neurons are eight to a vector.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn neurons<const SHIFT: i32>(
    bias: &Longs,
    matrix: &[[[i16; 2]; 16]],
    inputs: impl IntoIterator<Item = int16x8_t>,
) -> [int16x8_t; 2] {
    // SAFETY: sixteen longs are four times four.
    let mut neurons = [0, 4, 8, 12].map(|from| unsafe { vld1q_s32(bias.0.as_ptr().add(from)) });
    for (inputs, weights) in inputs.into_iter().zip(matrix.as_chunks::<4>().0) {
        neurons = add_pair::<0, 1>(neurons, &weights[0], inputs);
        neurons = add_pair::<2, 3>(neurons, &weights[1], inputs);
        neurons = add_pair::<4, 5>(neurons, &weights[2], inputs);
        neurons = add_pair::<6, 7>(neurons, &weights[3], inputs);
    }
    let [a, b, c, d] = neurons.map(|four| vshrq_n_s32::<SHIFT>(four));
    [(a, b), (c, d)].map(|(a, b)| vmaxq_s16(vqmovn_high_s32(vqmovn_s32(a), b), vdupq_n_s16(0)))
}

/// Adds the products of two inputs, in the lanes `FIRST` and `SECOND`, with their weights.
#[target_feature(enable = "neon")]
#[inline]
fn add_pair<const FIRST: i32, const SECOND: i32>(
    neurons: [int32x4_t; 4],
    weights: &[[i16; 2]; 16],
    inputs: int16x8_t,
) -> [int32x4_t; 4] {
    let [a, b, c, d] = neurons;
    // SAFETY: two times sixteen of thirty-two words.
    let (left, right) =
        unsafe { (vld2q_s16(weights.as_ptr().cast()), vld2q_s16(weights.as_ptr().add(8).cast())) };
    let both = |low: int32x4_t, high: int32x4_t, words: int16x8x2_t| {
        let int16x8x2_t(first, second) = words;
        (
            vmlal_laneq_s16::<SECOND>(
                vmlal_laneq_s16::<FIRST>(low, vget_low_s16(first), inputs),
                vget_low_s16(second),
                inputs,
            ),
            vmlal_high_laneq_s16::<SECOND>(
                vmlal_high_laneq_s16::<FIRST>(high, first, inputs),
                second,
                inputs,
            ),
        )
    };
    let ((a, b), (c, d)) = (both(a, b, left), both(c, d, right));
    [a, b, c, d]
}

/// Returns `four` plus four numbers that add up to the sum of the products.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn dot<const N: usize>(
    mut four: int32x4_t,
    numbers: [int16x8_t; N],
    weights: &[i16],
) -> int32x4_t {
    for (n, numbers) in numbers.into_iter().enumerate() {
        let weights = eight(weights, 8 * n);
        four = vmlal_s16(four, vget_low_s16(numbers), vget_low_s16(weights));
        four = vmlal_high_s16(four, numbers, weights);
    }
    four
}

/// Returns the sum of four numbers.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn total(four: int32x4_t) -> i32 {
    vaddvq_s32(four)
}
