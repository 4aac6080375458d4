//! Rows of numbers added up with NEON.

use std::arch::aarch64::*;

use crate::kernel::{Embedding, Row, WideWords, Words};

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn add_embeddings<const N: usize, const COUNT: usize>(
    sum: &mut Words,
    table: &[Embedding; N],
    index: impl Fn(usize) -> usize,
) {
    const { assert!(N.is_power_of_two()) };
    // Computed in vectors.
    let places: [u32; COUNT] = std::array::from_fn(|n| (index(n) & (N - 1)) as u32);
    let sums = sum.0.as_mut_ptr();
    // SAFETY: two times eight of sixteen words. The places are masked, and a row has sixteen bytes.
    unsafe {
        let (mut low, mut high) = (vld1q_s16(sums), vld1q_s16(sums.add(8)));
        for place in places {
            let row = vld1q_s8(table.as_ptr().add(place as usize).cast());
            low = vaddw_s8(low, vget_low_s8(row));
            high = vaddw_high_s8(high, row);
        }
        vst1q_s16(sums, low);
        vst1q_s16(sums.add(8), high);
    }
}

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn add_rows<const N: usize>(sum: &mut WideWords, rows: &[Row; N], indices: &[u32]) {
    const { assert!(N.is_power_of_two()) };
    let place = sum.0.as_mut_ptr();
    // SAFETY: four times eight of thirty-two words, of which a row has as many bytes.
    unsafe {
        let mut sums: [int16x8_t; 4] = std::array::from_fn(|n| vld1q_s16(place.add(8 * n)));
        for &index in indices {
            let row = rows[index as usize & (N - 1)].as_ptr().cast();
            let (left, right) = (vld1q_s8(row), vld1q_s8(row.add(16)));
            sums = [
                vaddw_s8(sums[0], vget_low_s8(left)),
                vaddw_high_s8(sums[1], left),
                vaddw_s8(sums[2], vget_low_s8(right)),
                vaddw_high_s8(sums[3], right),
            ];
        }
        for (n, sum) in sums.into_iter().enumerate() {
            vst1q_s16(place.add(8 * n), sum);
        }
    }
}
