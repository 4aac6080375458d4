//! The head in plain integer code.

use super::{Layer, Words};

/// `direct · sum + output · neurons`, the neurons being `max(0, bias + matrix · clamp(sum, 0, 127)) / 64`, at
/// most 32767.
#[inline(always)]
pub(crate) fn layer(layer: &Layer, sum: &Words) -> i32 {
    let mut neurons = layer.bias.0;
    for (pair, weights) in sum.0.as_chunks::<2>().0.iter().zip(&layer.matrix.0) {
        let [first, second] = pair.map(|sum| i32::from(sum.clamp(0, 127)));
        for (neuron, weights) in neurons.iter_mut().zip(weights) {
            let both = first * i32::from(weights[0]) + second * i32::from(weights[1]);
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
