//! NEON, part of AArch64.

mod flips;
mod gather;
mod layer;
mod mobility;
mod rows;
mod sides;

use std::arch::aarch64::*;
use std::arch::asm;

use crate::bitboard::Bitboard;
use crate::kernel::kernels::last_score_without_move;
use crate::kernel::{GATHERED, Gather, Kernel, Kernels, Layer, Reply, Row, Sums};
use crate::square::Square;
use sides::{Sides, lower};

#[derive(Clone, Copy, Default, Debug)]
pub(in crate::kernel) struct Neon;

impl Kernels for Neon {
    const KERNEL: Kernel = Kernel::Neon;

    type Sides = Sides;

    #[inline(always)]
    fn discs(player: u64, opponent: u64) -> Sides {
        // SAFETY: the target has NEON.
        unsafe { Sides::of(player, opponent) }
    }

    #[inline(always)]
    fn sides(discs: Sides) -> (u64, u64) {
        // SAFETY: as in `discs`.
        unsafe { (lower(discs.players), lower(discs.opponents)) }
    }

    #[inline(always)]
    fn passed(discs: Sides) -> Sides {
        Sides { players: discs.opponents, opponents: discs.players }
    }

    #[inline(always)]
    fn after(square: Square, discs: Sides) -> Option<Sides> {
        // SAFETY: as in `discs`.
        unsafe {
            let flips = flips::flips(square, discs);
            (lower(flips) != 0).then(|| discs.after(square, flips))
        }
    }

    #[inline(always)]
    fn flips_among(square: Square, discs: Sides) -> u64 {
        // SAFETY: as in `discs`.
        unsafe { lower(flips::flips(square, discs)) }
    }

    #[inline(always)]
    fn moves(player: u64, opponent: u64) -> u64 {
        // SAFETY: as in `discs`.
        unsafe { lower(mobility::moves(Sides::of(player, opponent))) }
    }

    #[inline(always)]
    fn replies(moves: u64, player: u64, opponent: u64, mut each: impl FnMut(Square, Reply)) {
        let discs = Neon::discs(player, opponent);
        for square in Bitboard(moves) {
            // SAFETY: as in `discs`.
            let reply = unsafe {
                let flips = flips::flips(square, discs);
                Reply { flips: lower(flips), moves: lower(mobility::moves(discs.after(square, flips))) }
            };
            each(square, reply);
        }
    }

    #[inline(always)]
    fn count_with_corners(set: u64) -> u32 {
        // SAFETY: as in `discs`.
        unsafe {
            let corners = vcombine_u64(vcreate_u64(!0), vcreate_u64(Bitboard::CORNERS.0));
            u32::from(vaddvq_u8(vcntq_u8(vreinterpretq_u8_u64(vandq_u64(vdupq_n_u64(set), corners)))))
        }
    }

    #[inline(always)]
    fn last_flips(square: Square, player: u64) -> u32 {
        // SAFETY: as in `discs`.
        unsafe { 2 * flips::last_flips(square, Sides::of(player, 0).players) }
    }

    #[inline(always)]
    fn last_score(square: Square, discs: Sides) -> i32 {
        // SAFETY: as in `discs`.
        unsafe {
            let players = discs.players;
            let count = 2 * i32::from(vaddv_u8(vcnt_u8(vreinterpret_u8_u64(vget_low_u64(players)))));
            let flipped = flips::last_flips(square, players) as i32;
            if flipped != 0 {
                return count - 62 + 2 * flipped;
            }
            let others = vreinterpretq_u64_u8(vmvnq_u8(vreinterpretq_u8_u64(players)));
            last_score_without_move(count, 2 * flips::last_flips(square, others) as i32)
        }
    }

    #[inline(always)]
    fn shuffled(bytes: u32, places: &[[u8; 4]; 4]) -> [u32; 4] {
        let mut words = [0; 4];
        // SAFETY: sixteen bytes of an array to read, sixteen of another to write.
        unsafe {
            let places = vld1q_u8(places.as_ptr().cast());
            vst1q_u8(words.as_mut_ptr().cast(), vqtbl1q_u8(vreinterpretq_u8_u32(vdupq_n_u32(bytes)), places));
        }
        words
    }

    #[inline(always)]
    fn prefetch<T>(place: &T) {
        // SAFETY: a hint, without effect on memory.
        unsafe { asm!("prfm pldl1keep, [{}]", in(reg) place, options(nostack, preserves_flags, readonly)) }
    }

    #[inline(always)]
    fn layer<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
        // SAFETY: as in `discs`.
        unsafe { layer::layer(layer, sums) }
    }

    #[inline(always)]
    fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
        crate::kernel::gather::gather::<uint16x8_t>(gather, first, second)
    }

    #[inline(always)]
    fn add_rows<const WIDTH: usize, const N: usize>(
        sums: &mut Sums<WIDTH>,
        rows: &[Row<WIDTH>; N],
        indices: &[u32],
    ) {
        // SAFETY: as in `discs`.
        unsafe { rows::add_rows(sums, rows, indices) };
    }
}
