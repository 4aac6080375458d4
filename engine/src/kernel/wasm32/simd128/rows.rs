//! Rows of numbers added up with WebAssembly SIMD.

use std::arch::wasm32::*;

use crate::kernel::{Row, WideWords};

#[inline(always)]
pub(super) fn add_rows<const N: usize>(sum: &mut WideWords, rows: &[Row; N], indices: &[u32]) {
    const { assert!(N.is_power_of_two()) };
    let place = sum.0.as_mut_ptr();
    // SAFETY: four times eight of thirty-two words, of which a row has as many bytes.
    unsafe {
        let mut sums: [v128; 4] = std::array::from_fn(|n| v128_load(place.add(8 * n).cast()));
        let mut add = |index: u32| {
            let row = rows[index as usize & (N - 1)].as_ptr();
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum = i16x8_add(*sum, i16x8_load_extend_i8x8(row.add(8 * n).cast()));
            }
        };
        // Unrolled: V8 performs a check in each pass of a loop.
        let (fours, rest) = indices.as_chunks::<4>();
        for four in fours {
            four.iter().for_each(|&index| add(index));
        }
        rest.iter().for_each(|&index| add(index));
        for (n, sum) in sums.into_iter().enumerate() {
            v128_store(place.add(8 * n).cast(), sum);
        }
    }
}
