//! Rows of numbers added to the sums of the large network.

use super::wide::{WIDE_SUMS, WideWords};

/// The numbers of a row, as bits.
pub type Row = [u8; WIDE_SUMS];

/// Two rows at a time into two sums, which reduces the time spent waiting for memory.
#[inline(always)]
pub(super) fn portable<const N: usize>(sum: &mut WideWords, rows: &[Row; N], indices: &[u32]) {
    const { assert!(N.is_power_of_two()) };
    let mut other = WideWords::default();
    let (twos, rest) = indices.as_chunks::<2>();
    for [one, two] in twos {
        add(sum, &rows[*one as usize & (N - 1)]);
        add(&mut other, &rows[*two as usize & (N - 1)]);
    }
    for index in rest {
        add(sum, &rows[*index as usize & (N - 1)]);
    }
    for (sum, other) in sum.0.iter_mut().zip(other.0) {
        *sum = sum.wrapping_add(other);
    }
}

#[inline(always)]
fn add(sum: &mut WideWords, row: &Row) {
    for (sum, &number) in sum.0.iter_mut().zip(row) {
        *sum = sum.wrapping_add(i16::from(number as i8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, KernelTask, Kernels};
    use crate::random::Random;

    const ROWS: usize = 64;

    /// The result of adding to zeros, for each number of rows.
    struct Results;

    impl KernelTask for Results {
        type Output = Vec<WideWords>;

        fn run<K: Kernels>(self) -> Vec<WideWords> {
            let (rows, indices) = any();
            let sum = |count: usize| {
                let mut sum = WideWords([-7; WIDE_SUMS]);
                K::run(|| K::add_rows(&mut sum, &rows, &indices[..count]));
                sum
            };
            (0..indices.len()).map(sum).collect()
        }
    }

    /// Rows of any numbers, and indices of which only the lowest six bits are used.
    fn any() -> ([Row; ROWS], [u32; 90]) {
        let mut random = Random::new(8);
        let rows = std::array::from_fn(|_| std::array::from_fn(|_| random.bits() as u8));
        (rows, std::array::from_fn(|_| random.below(1 << 20)))
    }

    #[test]
    fn every_kernel_adds_number_by_number() {
        let (rows, indices) = any();
        let number = |index: u32, n: usize| i32::from(rows[index as usize % ROWS][n] as i8);
        let sum = |count: usize| {
            let sum = |n| -7 + indices[..count].iter().map(|&index| number(index, n)).sum::<i32>();
            WideWords(std::array::from_fn(|n| sum(n) as i16))
        };
        let expected: Vec<WideWords> = (0..indices.len()).map(sum).collect();
        for &kernel in Kernel::available() {
            assert_eq!(kernel.dispatch(Results), expected, "{}", kernel.name());
        }
    }
}
