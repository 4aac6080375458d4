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
