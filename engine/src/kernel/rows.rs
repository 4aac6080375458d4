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
