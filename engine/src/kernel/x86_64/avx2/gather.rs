//! Gathered bits by BMI2's bit extraction, which keeps them in the order of the board; a table puts them into their own.

use std::arch::x86_64::_pext_u64;

use crate::kernel::{GATHERED, Gather};

/// As the portable one.
#[target_feature(enable = "bmi2")]
#[inline]
pub(in crate::kernel::x86_64) fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
    let squares = &gather.squares;
    let mut numbers = gather.bases;
    for (n, number) in numbers.iter_mut().enumerate() {
        let (mask, orders) = (squares.masks[n], &squares.orders[n]);
        // A mask has at most nine bits, so what comes of it is within the table anyway.
        let ordered = |set: u64| u32::from(orders[_pext_u64(set, mask) as usize & 0x1ff]);
        *number += ordered(first) | ordered(second) << (squares.lengths[n] & 31);
    }
    numbers
}
