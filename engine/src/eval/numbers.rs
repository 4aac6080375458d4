//! The numbers of a weights file, as the range coder writes them.
//!
//! Numbers of embeddings are multiples of a step. They are coded by their size class, in the context of their place in the
//! embedding and of the previous numbers. An embedding that was never trained takes one bit.

use super::coder::{BitModel, Coder};
use crate::kernel::{Longs, Words};

/// Codes 16-bit words.
pub(super) fn words(coder: &mut impl Coder, words: &mut [i16]) {
    for word in words {
        // -32768 is excluded: its products overflow in some kernels and not in others.
        *word = (coder.raw(u32::from(*word as u16), 16) as u16 as i16).max(-i16::MAX);
    }
}

/// Codes a 32-bit word.
pub(super) fn long(coder: &mut impl Coder, long: &mut i32) {
    *long = coder.raw(*long as u32, 32) as i32;
}

/// Codes the weights of a hidden layer of sixteen neurons.
pub(super) fn hidden_layer(
    coder: &mut impl Coder,
    matrix: &mut [[[i16; 2]; 16]],
    bias: &mut Longs,
    direct: &mut [i16],
    output: &mut Words,
) {
    words(coder, matrix.as_flattened_mut().as_flattened_mut());
    for bias in &mut bias.0 {
        long(coder, bias);
    }
    words(coder, direct);
    words(coder, &mut output.0);
}

/// The contexts of the numbers in embeddings.
pub(super) struct Numbers<const WIDTH: usize> {
    /// All numbers are multiples of this.
    step: i32,
    trained: [BitModel; 2],
    places: Vec<Place>,
}

/// The contexts of one place in an embedding after a number of one size class.
#[derive(Clone)]
struct Place {
    class: [BitModel; 8],
    sign: BitModel,
    high: [BitModel; 8],
}

impl<const WIDTH: usize> Numbers<WIDTH> {
    /// Returns fresh contexts. All numbers are multiples of `step`.
    pub(super) fn new(step: i32) -> Numbers<WIDTH> {
        let mut numbers = Numbers { step, trained: [BitModel::EVEN; 2], places: Vec::new() };
        numbers.forget();
        numbers
    }

    pub(super) fn forget(&mut self) {
        let place = Place { class: [BitModel::EVEN; 8], sign: BitModel::EVEN, high: [BitModel::EVEN; 8] };
        self.trained = [BitModel::EVEN; 2];
        self.places = vec![place; WIDTH * 8];
    }

    /// Codes an embedding. Returns `true` if it is not all zeros. A separate function: browsers optimize a function from its
    /// next call, and the loop around this one is called once.
    #[inline(never)]
    pub(super) fn embedding(
        &mut self,
        coder: &mut impl Coder,
        numbers: &mut [i8; WIDTH],
        trained_before: bool,
    ) -> bool {
        let step = self.step;
        let mut steps = [0_i32; WIDTH];
        // Only an encoder divides.
        if *numbers != [0; WIDTH] {
            // Rounded to the nearest multiple, halves away from zero.
            steps = numbers.map(|n| (i32::from(n) + i32::from(n).signum() * (step / 2)) / step);
        }
        let trained =
            coder.bit(&mut self.trained[usize::from(trained_before)], steps.iter().any(|&n| n != 0));
        if trained {
            // The mean size of the last two numbers.
            let mut sizes = [0_u32; 2];
            for (n, number) in steps.iter_mut().enumerate() {
                let class = class_of((sizes[0] + sizes[1]).div_ceil(2));
                let place = &mut self.places[n * 8 + class as usize];
                *number = place.number(coder, *number);
                sizes = [sizes[1], number.unsigned_abs()];
            }
        }
        *numbers = steps.map(|n| (n * step).clamp(-127, 127) as i8);
        trained
    }
}

impl Place {
    /// Codes a number: its size class in unary, its sign, then the bits below the highest one.
    fn number(&mut self, coder: &mut impl Coder, number: i32) -> i32 {
        let size = number.unsigned_abs();
        let mut class = 0;
        while class < 7 && coder.bit(&mut self.class[class as usize], class_of(size) > class) {
            class += 1;
        }
        if class == 0 {
            return 0;
        }
        let negative = coder.bit(&mut self.sign, number < 0);
        let below = class - 1;
        let mut found = 1;
        if below > 0 {
            let high = coder.bit(&mut self.high[class as usize], size >> (below - 1) & 1 != 0);
            found = found << 1 | u32::from(high);
            found = found << (below - 1) | coder.raw(size & ((1 << (below - 1)) - 1), below - 1);
        }
        if negative { -(found as i32) } else { found as i32 }
    }
}

/// Returns the number of bits of a size from 0 to 127.
fn class_of(size: u32) -> u32 {
    (32 - size.leading_zeros()).min(7)
}
