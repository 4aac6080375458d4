//! Rows of numbers added to the sums of the networks.

use super::layer::{SUMS, Words};
use super::wide::{WIDE_SUMS, WideWords};

/// The numbers that a feature adds to the sums of the small network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
pub struct Embedding(pub [i8; SUMS]);

/// The numbers of a row of the large network, as bits.
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

/// In pairs into two sums, as above.
#[inline(always)]
pub(super) fn portable_embeddings<const N: usize, const COUNT: usize>(
    sum: &mut Words,
    table: &[Embedding; N],
    index: impl Fn(usize) -> usize,
) {
    const { assert!(N.is_power_of_two() && COUNT.is_multiple_of(2)) };
    let add = |sum: &mut Words, n: usize| {
        for (sum, &number) in sum.0.iter_mut().zip(&table[index(n) & (N - 1)].0) {
            *sum = sum.wrapping_add(number.into());
        }
    };
    let mut other = Words::default();
    for n in (0..COUNT).step_by(2) {
        add(sum, n);
        add(&mut other, n + 1);
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
