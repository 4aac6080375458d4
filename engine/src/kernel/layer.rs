//! The hidden layer of the evaluation's network: its weights, in the layout of the vector units.

pub(super) const SUMS: usize = 16;
/// Number of inputs of the neurons: the sums, clamped to 0 to 127, then the products of the first half with the second,
/// divided by 128.
pub const INPUTS: usize = SUMS + SUMS / 2;

/// Weights from the inputs to sixteen neurons: `[pair][neuron]` contains the weights of inputs `2 pair` and `2 pair + 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Matrix(pub [[[i16; 2]; 16]; INPUTS / 2]);

/// Sixteen 16-bit numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Words(pub [i16; 16]);

/// Sixteen 32-bit numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Longs(pub [i32; 16]);

/// The weights of a hidden layer between sixteen sums and one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// Weights from the inputs to the neurons.
    pub matrix: Matrix,
    /// Neurons without any input.
    pub bias: Longs,
    /// Weights from the sums to the result.
    pub direct: Words,
    /// Weights from the neurons to the result.
    pub output: Words,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, KernelTask, Kernels};
    use crate::random::Random;

    struct Results;

    impl KernelTask for Results {
        type Output = Vec<i32>;

        fn run<K: Kernels>(self) -> Vec<i32> {
            let mut random = Random::new(3);
            let result = |round: u32| {
                // Small numbers at first, then any.
                let shift = 12 - round % 13;
                let mut word = || ((random.bits() as i16) >> shift).max(-32767);
                let sum = Words(std::array::from_fn(|_| word()));
                let layer = Layer {
                    matrix: Matrix(std::array::from_fn(|_| std::array::from_fn(|_| [word(), word()]))),
                    bias: Longs(std::array::from_fn(|_| i32::from(word()) << 4)),
                    direct: Words(std::array::from_fn(|_| word())),
                    output: Words(std::array::from_fn(|_| word())),
                };
                K::run(|| K::layer(&layer, &sum))
            };
            (0..500).map(result).collect()
        }
    }

    #[test]
    fn all_kernels_agree() {
        let expected = Kernel::Portable.dispatch(Results);
        for &kernel in Kernel::available() {
            assert_eq!(kernel.dispatch(Results), expected, "{}", kernel.name());
        }
    }
}
