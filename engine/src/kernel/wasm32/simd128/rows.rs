//! Rows of numbers added up with WebAssembly SIMD.

use std::arch::wasm32::*;

use crate::kernel::{Row, Sums};

#[inline(always)]
pub(super) fn add_rows<const WIDTH: usize, const N: usize>(
    sums: &mut Sums<WIDTH>,
    rows: &[Row<WIDTH>; N],
    indices: &[u32],
) {
    const { assert!(N.is_power_of_two()) };
    let place = sums.0.as_mut_ptr();
    // SAFETY: `WIDTH / 8` times eight words, of which a row has as many bytes.
    unsafe {
        let mut vectors = [i16x8_splat(0); 4];
        for (n, vector) in vectors.iter_mut().take(WIDTH / 8).enumerate() {
            *vector = v128_load(place.add(8 * n).cast());
        }
        let mut add = |index: u32| {
            let row = rows[index as usize & (N - 1)].as_ptr();
            for (n, vector) in vectors.iter_mut().take(WIDTH / 8).enumerate() {
                *vector = i16x8_add(*vector, i16x8_load_extend_i8x8(row.add(8 * n).cast()));
            }
        };
        // Unrolled: V8 performs a check in each pass of a loop.
        let (fours, rest) = indices.as_chunks::<4>();
        for four in fours {
            four.iter().for_each(|&index| add(index));
        }
        rest.iter().for_each(|&index| add(index));
        for (n, vector) in vectors.into_iter().take(WIDTH / 8).enumerate() {
            v128_store(place.add(8 * n).cast(), vector);
        }
    }
}
