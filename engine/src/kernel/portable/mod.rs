//! Plain 64-bit integer code.

mod flips;
mod mobility;

use super::{Kernel, Kernels, lines};
use crate::square::Square;

/// Plain integer code.
#[derive(Clone, Copy, Default, Debug)]
pub struct Portable;

impl Kernels for Portable {
    const KERNEL: Kernel = Kernel::Portable;

    type Sides = (u64, u64);

    #[inline(always)]
    fn discs(player: u64, opponent: u64) -> (u64, u64) {
        (player, opponent)
    }

    #[inline(always)]
    fn sides(discs: (u64, u64)) -> (u64, u64) {
        discs
    }

    #[inline(always)]
    fn flips_among(square: Square, (player, opponent): (u64, u64)) -> u64 {
        flips::flips(square, player, opponent)
    }

    #[inline(always)]
    fn moves(player: u64, opponent: u64) -> u64 {
        mobility::moves(player, opponent)
    }

    #[inline(always)]
    fn last_flips(square: Square, player: u64) -> u32 {
        lines::last_flips(square, player, lines::column_byte(square, player))
    }
}
