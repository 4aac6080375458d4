//! The hidden layer of the evaluation's networks: its weights, in the layout of the vector units, and its portable code.

/// Neurons of a layer.
pub const NEURONS: usize = 16;

/// Most inputs of the neurons.
pub(super) const MAX_INPUTS: usize = 48;

/// The weights of two inputs, for each neuron.
pub type Pair = [[i16; 2]; NEURONS];

/// The sums of the rows of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Sums<const WIDTH: usize>(pub [i16; WIDTH]);

/// The weights of a hidden layer between `WIDTH` sums and one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Layer<const WIDTH: usize> {
    /// The weights of [`Layer::pairs`]: 24 for each sum.
    pub matrix: [[i16; 24]; WIDTH],
    /// Neurons without any input.
    pub bias: [i32; NEURONS],
    /// Weights from the sums to the result.
    pub direct: [i16; WIDTH],
    /// Weights from the neurons to the result.
    pub output: [i16; NEURONS],
    /// Added to the result.
    pub base: i32,
}

impl<const WIDTH: usize> Layer<WIDTH> {
    /// Number of inputs of the neurons: the sums, clamped to 0 to 127, then the products of the first half with the second,
    /// divided by 128.
    pub const INPUTS: usize = WIDTH + WIDTH / 2;
    /// The neurons are divided by this power of two.
    pub const SHIFT: u32 = if WIDTH == 16 { 6 } else { 8 };
    /// Added to the products before the division: products are rounded, or their fractions are truncated.
    pub(super) const ROUNDING: i16 = if WIDTH == 16 { 64 } else { 0 };
    /// A layer of zeros.
    pub const ZERO: Layer<WIDTH> = Layer {
        matrix: [[0; 24]; WIDTH],
        bias: [0; NEURONS],
        direct: [0; WIDTH],
        output: [0; NEURONS],
        base: 0,
    };

    /// Returns the weights from the inputs to the neurons: element `n` has those of inputs `2n` and `2n + 1`.
    #[inline(always)]
    pub fn pairs(&self) -> &[Pair] {
        self.matrix.as_flattened().as_chunks().0.as_chunks().0
    }

    /// Returns the same weights for writing.
    pub fn pairs_mut(&mut self) -> &mut [Pair] {
        self.matrix.as_flattened_mut().as_chunks_mut().0.as_chunks_mut().0
    }
}

#[inline(always)]
pub(super) fn portable<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
    let mut inputs = [0; MAX_INPUTS];
    for (input, &sum) in inputs.iter_mut().zip(&sums.0) {
        *input = sum.clamp(0, 127);
    }
    for n in 0..WIDTH / 2 {
        inputs[WIDTH + n] = (inputs[n] * inputs[WIDTH / 2 + n] + Layer::<WIDTH>::ROUNDING) >> 7;
    }
    let mut neurons = layer.bias;
    for (&[first, second], weights) in inputs.as_chunks::<2>().0.iter().zip(layer.pairs()) {
        for (neuron, weights) in neurons.iter_mut().zip(weights) {
            let both = i32::from(first) * i32::from(weights[0]) + i32::from(second) * i32::from(weights[1]);
            *neuron = neuron.wrapping_add(both);
        }
    }
    let neurons = neurons.map(|neuron| (neuron >> Layer::<WIDTH>::SHIFT).clamp(0, 32767) as i16);
    dot(&sums.0, &layer.direct).wrapping_add(dot(&neurons, &layer.output))
}

/// Returns the sum of the products.
#[inline(always)]
fn dot(numbers: &[i16], weights: &[i16]) -> i32 {
    let product = |(&number, &weight): (&i16, &i16)| i32::from(number) * i32::from(weight);
    numbers.iter().zip(weights).map(product).fold(0, i32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, KernelTask, Kernels};
    use crate::random::Random;

    /// Computes the documented formula, neuron by neuron, with numbers that do not overflow until the end.
    fn plain<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
        let (shift, rounding) = if WIDTH == 16 { (64, 64) } else { (256, 0) };
        let cut = |n: usize| i64::from(sums.0[n]).clamp(0, 127);
        let input = |n: usize| match n.checked_sub(WIDTH) {
            Some(n) => (cut(n) * cut(n + WIDTH / 2) + rounding) / 128,
            None => cut(n),
        };
        let neuron = |neuron: usize| {
            let weight = |n: usize| i64::from(layer.pairs()[n / 2][neuron][n % 2]);
            let given: i64 = (0..WIDTH * 3 / 2).map(|n| input(n) * weight(n)).sum();
            i64::from((i64::from(layer.bias[neuron]) + given) as i32).div_euclid(shift).clamp(0, 32767)
        };
        let direct: i64 = (0..WIDTH).map(|n| i64::from(sums.0[n]) * i64::from(layer.direct[n])).sum();
        let output: i64 = (0..NEURONS).map(|n| neuron(n) * i64::from(layer.output[n])).sum();
        (direct + output) as i32
    }

    fn all<const WIDTH: usize>(each: impl Fn(&Layer<WIDTH>, &Sums<WIDTH>) -> i32) -> Vec<i32> {
        let mut random = Random::new(3);
        let result = |round: u32| {
            // Small numbers at first, then any.
            let shift = 12 - round % 13;
            let mut word = || ((random.bits() as i16) >> shift).max(-32767);
            let sums = Sums(std::array::from_fn(|_| word()));
            let mut layer = Layer::ZERO;
            layer.pairs_mut().as_flattened_mut().as_flattened_mut().fill_with(&mut word);
            layer.bias = std::array::from_fn(|_| i32::from(word()) << 4);
            layer.direct.fill_with(&mut word);
            layer.output.fill_with(&mut word);
            each(&layer, &sums)
        };
        (0..3000).map(result).collect()
    }

    struct Results<const WIDTH: usize>;

    impl<const WIDTH: usize> KernelTask for Results<WIDTH> {
        type Output = Vec<i32>;

        fn run<K: Kernels>(self) -> Vec<i32> {
            all::<WIDTH>(|layer, sums| K::run(|| K::layer(layer, sums)))
        }
    }

    fn check<const WIDTH: usize>() {
        let expected = all::<WIDTH>(plain);
        assert!(expected.iter().filter(|&&value| value != 0).count() > 2000);
        for &kernel in Kernel::available() {
            assert_eq!(kernel.dispatch(Results::<WIDTH>), expected, "{}", kernel.name());
        }
    }

    #[test]
    fn every_kernel_equals_the_plain_layer() {
        check::<16>();
        check::<32>();
    }
}
