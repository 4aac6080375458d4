//! The layer in plain integer code.

use crate::kernel::layer::{INPUTS, Layer, SUMS, Words};

/// `direct · sum + output · neurons`, the neurons being `max(0, bias + matrix · inputs) / 64`, at most 32767,
/// the inputs `clamp(sum, 0, 127)` and their products, `(first half · second half + 64) / 128`.
#[inline(always)]
pub(super) fn layer(layer: &Layer, sum: &Words) -> i32 {
    let mut inputs = [0_i16; INPUTS];
    for (input, &sum) in inputs.iter_mut().zip(&sum.0) {
        *input = sum.clamp(0, 127);
    }
    for n in 0..SUMS / 2 {
        inputs[SUMS + n] = (inputs[n] * inputs[SUMS / 2 + n] + 64) >> 7;
    }
    let mut neurons = layer.bias.0;
    for (&[first, second], weights) in inputs.as_chunks::<2>().0.iter().zip(&layer.matrix.0) {
        for (neuron, weights) in neurons.iter_mut().zip(weights) {
            let both = i32::from(first) * i32::from(weights[0]) + i32::from(second) * i32::from(weights[1]);
            *neuron = neuron.wrapping_add(both);
        }
    }
    let mut result = 0_i32;
    for (&sum, &direct) in sum.0.iter().zip(&layer.direct.0) {
        result = result.wrapping_add(i32::from(sum) * i32::from(direct));
    }
    for (&neuron, &output) in neurons.iter().zip(&layer.output.0) {
        result = result.wrapping_add((neuron >> 6).clamp(0, 32767) * i32::from(output));
    }
    result
}
