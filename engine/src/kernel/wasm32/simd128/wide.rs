//! The layer of the large network with WebAssembly SIMD: like [`layer`](super::layer), with twice as many sums.

use std::arch::wasm32::*;

use super::layer::{cut, dot, eight, neurons, total};
use crate::kernel::{WideLayer, WideWords};

#[inline(always)]
pub(super) fn wide_layer(layer: &WideLayer, sum: &WideWords) -> i32 {
    let sums = [0, 8, 16, 24].map(|from| eight(&sum.0, from));
    let [a, b, c, d] = sums.map(cut);
    let products = [u16x8_shr(i16x8_mul(a, c), 7), u16x8_shr(i16x8_mul(b, d), 7)];
    let neurons = neurons::<8>(&layer.bias, &layer.matrix.0, [a, b, c, d, products[0], products[1]]);
    total(i32x4_add(dot(sums, &layer.direct.0), dot(neurons, &layer.output.0)))
}
