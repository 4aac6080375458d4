//! Rows of numbers added up with NEON.

use std::arch::aarch64::*;

use crate::kernel::{Row, Sums};

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn add_rows<const WIDTH: usize, const N: usize>(
    sums: &mut Sums<WIDTH>,
    rows: &[Row<WIDTH>; N],
    indices: &[u32],
) {
    const { assert!(N.is_power_of_two()) };
    let place = sums.0.as_mut_ptr();
    // SAFETY: `WIDTH / 8` times eight words, of which a row has as many bytes.
    unsafe {
        let mut vectors = [vdupq_n_s16(0); 4];
        for (n, vector) in vectors.iter_mut().take(WIDTH / 8).enumerate() {
            *vector = vld1q_s16(place.add(8 * n));
        }
        for &index in indices {
            let row = rows[index as usize & (N - 1)].as_ptr().cast::<i8>();
            for n in 0..WIDTH / 16 {
                let bytes = vld1q_s8(row.add(16 * n));
                vectors[2 * n] = vaddw_s8(vectors[2 * n], vget_low_s8(bytes));
                vectors[2 * n + 1] = vaddw_high_s8(vectors[2 * n + 1], bytes);
            }
        }
        for (n, vector) in vectors.into_iter().take(WIDTH / 8).enumerate() {
            vst1q_s16(place.add(8 * n), vector);
        }
    }
}
