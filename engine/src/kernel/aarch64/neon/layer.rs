//! The layer with NEON: products of words, widened and added to four neurons at a time.

use std::arch::aarch64::*;

use crate::kernel::{Layer, Pair, Sums};

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn layer<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
    // The inputs, eight to a vector.
    let mut eights = [vdupq_n_s16(0); 6];
    for (n, cut) in eights.iter_mut().take(WIDTH / 8).enumerate() {
        *cut = vminq_s16(vmaxq_s16(eight(&sums.0, n), vdupq_n_s16(0)), vdupq_n_s16(127));
    }
    for n in 0..WIDTH / 16 {
        let rounding = vdupq_n_s16(Layer::<WIDTH>::ROUNDING);
        let products = vmlaq_s16(rounding, eights[n], eights[WIDTH / 16 + n]);
        eights[WIDTH / 8 + n] = vshrq_n_s16::<7>(products);
    }
    // SAFETY: sixteen longs are four times four.
    let mut neurons = [0, 4, 8, 12].map(|from| unsafe { vld1q_s32(layer.bias.as_ptr().add(from)) });
    for (inputs, weights) in eights.into_iter().zip(layer.pairs().as_chunks::<4>().0) {
        neurons = add_pair::<0, 1>(neurons, &weights[0], inputs);
        neurons = add_pair::<2, 3>(neurons, &weights[1], inputs);
        neurons = add_pair::<4, 5>(neurons, &weights[2], inputs);
        neurons = add_pair::<6, 7>(neurons, &weights[3], inputs);
    }
    let shift = vdupq_n_s32(-(Layer::<WIDTH>::SHIFT as i32));
    let [a, b, c, d] = neurons.map(|four| vshlq_s32(four, shift));
    let neurons = [(a, b), (c, d)].map(|(a, b)| vmaxq_s16(vqmovn_high_s32(vqmovn_s32(a), b), vdupq_n_s16(0)));
    let mut four = vdupq_n_s32(0);
    for n in 0..WIDTH / 8 {
        four = add_products(four, eight(&sums.0, n), eight(&layer.direct, n));
    }
    for (n, neurons) in neurons.into_iter().enumerate() {
        four = add_products(four, neurons, eight(&layer.output, n));
    }
    vaddvq_s32(four)
}

/// Returns the `n`th eight words.
#[target_feature(enable = "neon")]
#[inline]
fn eight(words: &[i16], n: usize) -> int16x8_t {
    let words = &words.as_chunks::<8>().0[n];
    // SAFETY: these are eight words.
    unsafe { vld1q_s16(words.as_ptr()) }
}

/// Adds the products of two inputs, in the lanes `FIRST` and `SECOND`, with their weights.
#[target_feature(enable = "neon")]
#[inline]
fn add_pair<const FIRST: i32, const SECOND: i32>(
    neurons: [int32x4_t; 4],
    weights: &Pair,
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
fn add_products(four: int32x4_t, numbers: int16x8_t, weights: int16x8_t) -> int32x4_t {
    vmlal_high_s16(vmlal_s16(four, vget_low_s16(numbers), vget_low_s16(weights)), numbers, weights)
}
