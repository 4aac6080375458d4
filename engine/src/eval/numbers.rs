//! The numbers of a weights file, as the coder gets them.
//!
//! Embeddings are coded one after the other. Each number is predicted, and the difference is coded in the context of its
//! expected size. The prediction is a sum of the numbers at the same place in the embeddings of similar features
//! ([`Section::neighbors`]), and of the earlier numbers of the embedding. Its factors are learned from the numbers coded
//! before (normalized least mean squares: Widrow and Hoff, *Adaptive switching circuits*, 1960). Before its numbers, an
//! embedding has a 1 if it was trained, otherwise only a 0. Numbers of the heads are differences to those of the previous head.
//!
//! Encoder and decoder must compute equal predictions. They use only operations that IEEE 754 defines exactly.

use super::coder::{CONTEXTS, Coder};
use super::indices::{RELATIONS, Section};

/// Factors of the corrections after each embedding.
const NEIGHBOR_RATE: f32 = 0.02;
const EARLIER_RATE: f32 = 0.012;
/// 1.5 · 2²³.
const ROUNDING: f32 = 12_582_912.0;
/// Least sum of squares that a correction is divided by.
const MIN_SQUARES: f32 = 16.0;
/// Weight of a new error in the mean error.
const ERROR_RATE: f32 = 0.1;
/// Fractions of the number of neighbors that are distinguished.
const FRACTIONS: usize = 5;
/// Places of an embedding that are corrected together: two vectors.
const BLOCK: usize = 8;
/// First context of the 0 or 1 before an embedding. Each part of the heads has a context before it.
const OF_TRAINED: usize = 6;
/// First context of the differences. There are four for each binary order of magnitude of the expected size.
const OF_DIFFERENCES: usize = OF_TRAINED + 2 * FRACTIONS;

/// Codes numbers in rows in a context, each as the difference to the number at its place in the previous row.
pub(super) fn rows<'a, T: Copy + Into<i32> + 'a>(
    coder: &mut impl Coder,
    context: usize,
    rows: impl Iterator<Item = &'a mut [T]>,
    from: impl Fn(i32) -> T,
) {
    let mut before: &[T] = &[];
    for row in rows {
        for (n, number) in row.iter_mut().enumerate() {
            let expected = before.get(n).map_or(0, |&number| number.into());
            let difference = coder.number(context, (*number).into().wrapping_sub(expected));
            *number = from(expected.wrapping_add(difference));
        }
        before = row;
    }
}

/// Codes the biases and heads of a network, part by part. A macro: the heads of both networks have different types with equal
/// fields.
macro_rules! biases_and_heads {
    ($coder:expr, $network:expr) => {
        use $crate::eval::numbers::{rows, word};
        let heads = &mut $network.heads;
        rows($coder, 0, $network.biases.iter_mut().map(|bias| &mut bias[..]), word);
        rows(
            $coder,
            1,
            heads.iter_mut().map(|head| head.layer.matrix.0.as_flattened_mut().as_flattened_mut()),
            word,
        );
        rows($coder, 2, heads.iter_mut().map(|head| &mut head.layer.bias.0[..]), |number| number);
        rows($coder, 3, heads.iter_mut().map(|head| &mut head.layer.direct.0[..]), word);
        rows($coder, 4, heads.iter_mut().map(|head| &mut head.layer.output.0[..]), word);
        rows($coder, 5, heads.iter_mut().map(|head| std::slice::from_mut(&mut head.bias)), |number| number);
    };
}
pub(super) use biases_and_heads;

/// Returns a word. -32768 is excluded: its products overflow in some kernels and not in others.
pub(super) fn word(number: i32) -> i16 {
    number.clamp(-32767, 32767) as i16
}

/// The state of the coding of embeddings.
pub(super) struct Numbers<const WIDTH: usize> {
    /// All numbers are multiples of this.
    step: i32,
    /// The factors of the neighbors by place in the embedding.
    of_neighbors: [[f32; WIDTH]; RELATIONS],
    /// The factors of each number for the later ones.
    of_earlier: [[f32; WIDTH]; WIDTH],
    /// The trained neighbors of the current feature in steps, with their relations to it.
    neighbors: Vec<(usize, [f32; WIDTH])>,
}

impl<const WIDTH: usize> Numbers<WIDTH> {
    /// All numbers are multiples of `step`.
    pub(super) fn new(step: i32) -> Numbers<WIDTH> {
        Numbers {
            step,
            of_neighbors: [[0.0; WIDTH]; RELATIONS],
            of_earlier: [[0.0; WIDTH]; WIDTH],
            neighbors: Vec::with_capacity(RELATIONS),
        }
    }

    /// Codes the embeddings of a section. `firsts` has the first mirror image of each feature, `get` and `set` read and write
    /// an embedding.
    pub(super) fn section<N>(
        &mut self,
        coder: &mut impl Coder,
        network: &mut N,
        section: &Section,
        firsts: &[usize],
        get: impl Fn(&N, usize) -> [i8; WIDTH],
        set: impl Fn(&mut N, usize, [i8; WIDTH]),
    ) {
        let unit = 1.0 / self.step as f32;
        let mut trained_before = false;
        let mut counter = section.counter();
        for index in section.range.clone() {
            let before = get(network, index);
            let mut row = before;
            if firsts[index] != index {
                row = get(network, firsts[index]);
            } else {
                self.neighbors.clear();
                let mut count = 0;
                counter.neighbors(|relation, neighbor| {
                    let row = get(network, neighbor);
                    count += 1;
                    if row != [0; WIDTH] {
                        let mut steps = [0.0; WIDTH];
                        for (steps, number) in steps.iter_mut().zip(row) {
                            *steps = f32::from(number) * unit;
                        }
                        self.neighbors.push((relation, steps));
                    }
                });
                let fraction = self.neighbors.len() * (FRACTIONS - 1) / count.max(1);
                trained_before = self.embedding(coder, &mut row, fraction, trained_before);
            }
            // Unused memory is not written.
            if row != before {
                set(network, index, row);
            }
            counter.advance();
        }
    }

    /// Codes an embedding. Returns `true` if it is not all zeros. A separate function: browsers optimize a function from its
    /// next call, and the loop around this one is called once.
    #[inline(never)]
    fn embedding(
        &mut self,
        coder: &mut impl Coder,
        numbers: &mut [i8; WIDTH],
        fraction: usize,
        trained_before: bool,
    ) -> bool {
        let step = self.step;
        let mut steps = [0_i32; WIDTH];
        // Only an encoder divides.
        if *numbers != [0; WIDTH] {
            // Rounded to the nearest multiple, halves away from zero.
            steps = numbers.map(|n| (i32::from(n) + i32::from(n).signum() * (step / 2)) / step);
        }
        let context = OF_TRAINED + 2 * fraction + usize::from(trained_before);
        let trained = coder.number(context, steps.iter().any(|&n| n != 0).into());
        if trained == 0 {
            *numbers = [0; WIDTH];
            return false;
        }
        let unit = 1.0 / step as f32;
        let mut expected = [0.0_f32; WIDTH];
        let mut squares = [0.0_f32; WIDTH];
        for (relation, row) in &self.neighbors {
            let factors = &self.of_neighbors[*relation];
            for n in 0..WIDTH {
                expected[n] += factors[n] * row[n];
                squares[n] += row[n] * row[n];
            }
        }
        let share = 1.0 / self.neighbors.len().max(1) as f32;
        let sizes = squares.map(|square| (square * share).sqrt());
        let mut error = sizes.iter().sum::<f32>() * (0.6 / WIDTH as f32);
        let mut coded = [0.0_f32; WIDTH];
        let mut rates = [0.0_f32; WIDTH];
        let mut earlier = MIN_SQUARES;
        for n in 0..WIDTH {
            let scale = 0.15 + 0.25 * sizes[n] + 0.65 * error;
            // The exponent and two bits of the mantissa, counted from those of 1/8.
            let context = (scale.to_bits() >> 21).saturating_sub(0.125_f32.to_bits() >> 21) as usize;
            // The addend leaves no bits for a fraction: the sum is rounded to the nearest integer.
            let guess = ((expected[n] + ROUNDING).to_bits() as i32).wrapping_sub(ROUNDING.to_bits() as i32);
            let context = (OF_DIFFERENCES + context).min(CONTEXTS - 1);
            let found = guess.wrapping_add(coder.number(context, steps[n].wrapping_sub(guess)));
            numbers[n] = found.wrapping_mul(step).clamp(-127, 127) as i8;
            coded[n] = f32::from(numbers[n]) * unit;
            let difference = coded[n] - expected[n];
            error += (difference.abs() - error) * ERROR_RATE;
            rates[n] = difference / (squares[n] + earlier);
            earlier += coded[n] * coded[n];
            add_products(&mut expected, &self.of_earlier[n], coded[n], n);
        }
        for (relation, row) in &self.neighbors {
            let factors = &mut self.of_neighbors[*relation];
            for n in 0..WIDTH {
                factors[n] += NEIGHBOR_RATE * rates[n] * row[n];
            }
        }
        for (n, factors) in self.of_earlier.iter_mut().enumerate() {
            add_products(factors, &rates, EARLIER_RATE * coded[n], n);
        }
        true
    }
}

/// Adds the products of `numbers` with `factor`. Blocks with no place after `n` are skipped: they are not used.
#[inline(always)]
fn add_products<const WIDTH: usize>(sums: &mut [f32; WIDTH], numbers: &[f32; WIDTH], factor: f32, n: usize) {
    const { assert!(WIDTH.is_multiple_of(BLOCK)) };
    for start in (0..WIDTH).step_by(BLOCK) {
        if n < start + BLOCK - 1 {
            for place in start..start + BLOCK {
                sums[place] += numbers[place] * factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::coder::{Decoder, Encoder};

    #[test]
    fn largest_differences_come_back() {
        let written = [[i32::MIN, 0, 5], [i32::MAX, -1, 5], [i32::MIN, i32::MAX, 4], [1 << 30, i32::MIN, -3]];
        let (mut writer, mut copy) = (Encoder::new(), written);
        rows(&mut writer, 0, copy.iter_mut().map(|row| &mut row[..]), |number| number);
        let bytes = writer.finish();
        let mut read = [[0; 3]; 4];
        rows(&mut Decoder::new(&bytes), 0, read.iter_mut().map(|row| &mut row[..]), |number| number);
        assert_eq!(read, written);
    }
}
