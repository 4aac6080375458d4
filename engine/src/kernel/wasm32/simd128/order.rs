//! Keys in order with WebAssembly SIMD.

use std::arch::wasm32::*;

use crate::kernel::ORDERED;

#[inline(always)]
pub(super) fn take_lowest(keys: &mut [u16; ORDERED]) -> u16 {
    let place = keys.as_mut_ptr();
    // SAFETY: sixteen words are twice eight, of any alignment.
    unsafe {
        let [first, second] = [0, 8].map(|from| v128_load(place.add(from).cast()));
        let eight = u16x8_min(first, second);
        let four = u16x8_min(eight, i64x2_shuffle::<1, 0>(eight, eight));
        let two = u16x8_min(four, i32x4_shuffle::<1, 0, 3, 2>(four, four));
        let lowest = u16x8_min(two, i16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(two, two));
        for (from, keys) in [(0, first), (8, second)] {
            v128_store(place.add(from).cast(), v128_or(keys, i16x8_eq(keys, lowest)));
        }
        u16x8_extract_lane::<0>(lowest)
    }
}
