//! The numbers of a weights file, as the coder gets them.
//!
//! Numbers of the heads are differences to those of the previous head. Before its numbers, a row has a 1 if it was trained,
//! otherwise only a 0. A number of a row is coded in the context of the mean size of the numbers before it.

use crate::coder::Coder;

/// First context of the 0 or 1 before a row. Each part of the heads has a context before it.
const OF_TRAINED: usize = 6;
/// First context of the numbers of rows.
const OF_NUMBERS: usize = OF_TRAINED + 2;
/// Number of contexts.
pub(super) const CONTEXTS: usize = 44;
/// Added to a size in 64ths of a step, so that the contexts of small sizes are not too narrow.
const SMALL_SIZE: u32 = 16;

/// Codes numbers in rows in a context, each as the difference to the number at its place in the previous row.
pub(super) fn differences<'a, T: Copy + Into<i32> + 'a>(
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

/// Returns a word. -32768 is excluded: its products overflow in some kernels and not in others.
pub(super) fn word(number: i32) -> i16 {
    number.clamp(-32767, 32767) as i16
}

/// Codes rows of numbers that are multiples of `step`.
pub(super) struct RowCoder<'c, C> {
    coder: &'c mut C,
    step: i32,
    trained_before: bool,
    /// Mean size of the last numbers, in 64ths of a step.
    size: u32,
}

impl<'c, C: Coder> RowCoder<'c, C> {
    pub(super) fn new(coder: &'c mut C, step: i32) -> RowCoder<'c, C> {
        RowCoder { coder, step, trained_before: false, size: 0 }
    }

    /// Codes a row. A separate function: browsers optimize a function from its next call, and the loop around this one is called
    /// once.
    #[inline(never)]
    pub(super) fn row<const WIDTH: usize>(&mut self, numbers: &mut [i8; WIDTH]) {
        let step = self.step;
        let mut steps = [0_i32; WIDTH];
        // Only an encoder divides.
        if *numbers != [0; WIDTH] {
            // Rounded to the nearest multiple, halves away from zero.
            steps = numbers.map(|n| (i32::from(n) + i32::from(n).signum() * (step / 2)) / step);
        }
        let context = OF_TRAINED + usize::from(self.trained_before);
        self.trained_before = self.coder.number(context, steps.iter().any(|&n| n != 0).into()) != 0;
        if !self.trained_before {
            *numbers = [0; WIDTH];
            return;
        }
        for (number, steps) in numbers.iter_mut().zip(steps) {
            let size = self.size + SMALL_SIZE;
            // Four contexts for each doubling of the size, at most `CONTEXTS`.
            let context = 4 * (size / SMALL_SIZE).ilog2() + (size << 2 >> size.ilog2() & 3);
            let found = self.coder.number(OF_NUMBERS + context as usize, steps);
            self.size = (7 * self.size + 64 * found.unsigned_abs().min(127)) / 8;
            *number = found.wrapping_mul(step).clamp(-127, 127) as i8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coder::{Decoder, Encoder};

    #[test]
    fn largest_differences_come_back() {
        let written = [[i32::MIN, 0, 5], [i32::MAX, -1, 5], [i32::MIN, i32::MAX, 4], [1 << 30, i32::MIN, -3]];
        let (mut writer, mut copy) = (Encoder::new(CONTEXTS), written);
        differences(&mut writer, 0, copy.iter_mut().map(|row| &mut row[..]), |number| number);
        let bytes = writer.finish();
        let mut read = [[0; 3]; 4];
        differences(
            &mut Decoder::new(&bytes, CONTEXTS),
            0,
            read.iter_mut().map(|row| &mut row[..]),
            |number| number,
        );
        assert_eq!(read, written);
    }
}
