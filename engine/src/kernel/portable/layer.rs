//! The layer in plain integer code.

use crate::kernel::layer::{INPUTS, Layer, Longs, SUMS, Words};

/// Returns `direct · sum + output · neurons`. The neurons are `max(0, bias + matrix · inputs) / 64`, at most 32767. The
/// inputs are `clamp(sum, 0, 127)` and their products, `(first half · second half + 64) / 128`.
#[inline(always)]
pub(super) fn layer(layer: &Layer, sum: &Words) -> i32 {
    let mut inputs = [0_i16; INPUTS];
    for (input, &sum) in inputs.iter_mut().zip(&sum.0) {
        *input = sum.clamp(0, 127);
    }
    for n in 0..SUMS / 2 {
        inputs[SUMS + n] = (inputs[n] * inputs[SUMS / 2 + n] + 64) >> 7;
    }
    let neurons = neurons::<6>(&layer.bias, &layer.matrix.0, &inputs);
    dot(&sum.0, &layer.direct.0).wrapping_add(dot(&neurons, &layer.output.0))
}

/// Returns sixteen neurons: `max(0, bias + matrix · inputs) / 2^SHIFT`, at most 32767. `matrix` is `[pair][neuron]`, with
/// the weights of inputs `2 pair` and `2 pair + 1`.
#[inline(always)]
pub(in crate::kernel) fn neurons<const SHIFT: u32>(
    bias: &Longs,
    matrix: &[[[i16; 2]; 16]],
    inputs: &[i16],
) -> [i16; 16] {
    let mut neurons = bias.0;
    for (&[first, second], weights) in inputs.as_chunks::<2>().0.iter().zip(matrix) {
        for (neuron, weights) in neurons.iter_mut().zip(weights) {
            let both = i32::from(first) * i32::from(weights[0]) + i32::from(second) * i32::from(weights[1]);
            *neuron = neuron.wrapping_add(both);
        }
    }
    neurons.map(|neuron| (neuron >> SHIFT).clamp(0, 32767) as i16)
}

/// Returns the sum of the products.
#[inline(always)]
pub(in crate::kernel) fn dot(numbers: &[i16], weights: &[i16]) -> i32 {
    let product = |(&number, &weight): (&i16, &i16)| i32::from(number) * i32::from(weight);
    numbers.iter().zip(weights).map(product).fold(0, i32::wrapping_add)
}
