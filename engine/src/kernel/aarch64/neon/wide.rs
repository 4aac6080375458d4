//! The layer of the large network with NEON: like [`layer`](super::layer), with twice as many sums.

use std::arch::aarch64::*;

use super::layer::{cut, dot, eight, neurons, total};
use crate::kernel::{WideLayer, WideWords};

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn wide_layer(layer: &WideLayer, sum: &WideWords) -> i32 {
    let sums = [0, 8, 16, 24].map(|from| eight(&sum.0, from));
    let [a, b, c, d] = sums.map(|sums| cut(sums));
    let products = [vshrq_n_s16::<7>(vmulq_s16(a, c)), vshrq_n_s16::<7>(vmulq_s16(b, d))];
    let neurons = neurons::<8>(&layer.bias, &layer.matrix.0, [a, b, c, d, products[0], products[1]]);
    total(dot(dot(vdupq_n_s32(0), sums, &layer.direct.0), neurons, &layer.output.0))
}
