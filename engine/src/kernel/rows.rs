//! Rows of numbers added to the sums of a network.

use super::layer::Sums;

/// The numbers that a feature adds to the sums, as bits.
pub type Row<const WIDTH: usize> = [u8; WIDTH];

/// Two rows at a time into two sums, which reduces the time spent waiting for memory.
#[inline(always)]
pub(super) fn portable<const WIDTH: usize, const N: usize>(
    sums: &mut Sums<WIDTH>,
    rows: &[Row<WIDTH>; N],
    indices: &[u32],
) {
    const { assert!(N.is_power_of_two()) };
    let add = |sums: &mut Sums<WIDTH>, index: u32| {
        for (sum, &number) in sums.0.iter_mut().zip(&rows[index as usize & (N - 1)]) {
            *sum = sum.wrapping_add(i16::from(number as i8));
        }
    };
    let mut others = Sums([0; WIDTH]);
    let (twos, rest) = indices.as_chunks::<2>();
    for [one, two] in twos {
        add(sums, *one);
        add(&mut others, *two);
    }
    rest.iter().for_each(|&index| add(sums, index));
    for (sum, other) in sums.0.iter_mut().zip(others.0) {
        *sum = sum.wrapping_add(other);
    }
}
