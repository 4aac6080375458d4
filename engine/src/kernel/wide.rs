//! The hidden layer of the large network: like [`Layer`](super::Layer), with twice as many sums.

use super::layer::{Longs, Words};
use super::portable::{dot, neurons};

/// Number of sums.
pub const WIDE_SUMS: usize = 32;
/// Number of inputs of the neurons: the sums, clamped to 0 to 127, then the products of the first half with the second,
/// divided by 128 and truncated.
pub const WIDE_INPUTS: usize = WIDE_SUMS + WIDE_SUMS / 2;

/// Weights from the inputs to sixteen neurons: `[pair][neuron]` contains the weights of inputs `2 pair` and `2 pair + 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct WideMatrix(pub [[[i16; 2]; 16]; WIDE_INPUTS / 2]);

/// Thirty-two 16-bit numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct WideWords(pub [i16; WIDE_SUMS]);

/// The inputs, aligned so that each pair can be loaded into all lanes.
#[cfg(target_arch = "x86_64")]
#[repr(align(64))]
pub(super) struct WideInputs(pub(super) [i16; WIDE_INPUTS]);

/// The weights of a hidden layer between thirty-two sums and one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideLayer {
    /// Weights from the inputs to the neurons.
    pub matrix: WideMatrix,
    /// Neurons without any input.
    pub bias: Longs,
    /// Weights from the sums to the result.
    pub direct: WideWords,
    /// Weights from the neurons to the result.
    pub output: Words,
}

/// Returns `direct · sum + output · neurons`. The neurons are `max(0, bias + matrix · inputs) / 256`, at most 32767. The
/// inputs are `clamp(sum, 0, 127)` and their products, `first half · second half / 128`.
#[inline(always)]
pub(super) fn portable(layer: &WideLayer, sum: &WideWords) -> i32 {
    let mut inputs = [0_i16; WIDE_INPUTS];
    for (input, &sum) in inputs.iter_mut().zip(&sum.0) {
        *input = sum.clamp(0, 127);
    }
    for n in 0..WIDE_SUMS / 2 {
        inputs[WIDE_SUMS + n] = (inputs[n] * inputs[WIDE_SUMS / 2 + n]) >> 7;
    }
    let neurons = neurons::<8>(&layer.bias, &layer.matrix.0, &inputs);
    dot(&sum.0, &layer.direct.0).wrapping_add(dot(&neurons, &layer.output.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, KernelTask, Kernels};
    use crate::random::Random;

    /// Computes the documented formula, neuron by neuron, with numbers that do not overflow until the end.
    fn plain(layer: &WideLayer, sum: &WideWords) -> i32 {
        let cut = |n: usize| i64::from(sum.0[n]).clamp(0, 127);
        let input = |n: usize| if n < 32 { cut(n) } else { cut(n - 32) * cut(n - 16) / 128 };
        let neuron = |neuron: usize| {
            let weight = |n: usize| i64::from(layer.matrix.0[n / 2][neuron][n % 2]);
            let given: i64 = (0..48).map(|n| input(n) * weight(n)).sum();
            i64::from((i64::from(layer.bias.0[neuron]) + given) as i32).div_euclid(256).clamp(0, 32767)
        };
        let direct: i64 = (0..32).map(|n| i64::from(sum.0[n]) * i64::from(layer.direct.0[n])).sum();
        let output: i64 = (0..16).map(|n| neuron(n) * i64::from(layer.output.0[n])).sum();
        (direct + output) as i32
    }

    fn all(each: impl Fn(&WideLayer, &WideWords) -> i32) -> Vec<i32> {
        let mut random = Random::new(3);
        let result = |round: u32| {
            // Small numbers at first, then any.
            let shift = 12 - round % 13;
            let mut word = || ((random.bits() as i16) >> shift).max(-32767);
            let sum = WideWords(std::array::from_fn(|_| word()));
            let layer = WideLayer {
                matrix: WideMatrix(std::array::from_fn(|_| std::array::from_fn(|_| [word(), word()]))),
                bias: Longs(std::array::from_fn(|_| i32::from(word()) << 4)),
                direct: WideWords(std::array::from_fn(|_| word())),
                output: Words(std::array::from_fn(|_| word())),
            };
            each(&layer, &sum)
        };
        (0..3000).map(result).collect()
    }

    struct Results;

    impl KernelTask for Results {
        type Output = Vec<i32>;

        fn run<K: Kernels>(self) -> Vec<i32> {
            all(|layer, sum| K::run(|| K::wide_layer(layer, sum)))
        }
    }

    #[test]
    fn every_kernel_equals_the_plain_layer() {
        let expected = all(plain);
        assert!(expected.iter().filter(|&&value| value != 0).count() > 2000);
        for &kernel in Kernel::available() {
            assert_eq!(kernel.dispatch(Results), expected, "{}", kernel.name());
        }
    }
}
