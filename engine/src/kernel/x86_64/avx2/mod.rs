//! AVX2, BMI1, BMI2, LZCNT and POPCNT.

mod flips;
mod gather;
mod layer;
mod mobility;

pub(super) use gather::gather;

use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch, _pext_u64};

use crate::bitboard::Bitboard;
use crate::kernel::x86_64::lanes::{Sides, merged, shuffled};
use crate::kernel::{GATHERED, Gather, Kernel, Kernels, Layer, Reply, Sums, lines};
use crate::square::Square;

/// x86-64-v3. Dispatched to only if [`Kernel::available`] lists it.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::kernel) struct Avx2;

impl Kernels for Avx2 {
    const KERNEL: Kernel = Kernel::Avx2;

    #[inline(always)]
    fn call<A, B, C, D, R>(a: A, b: B, c: C, d: D, body: impl FnOnce(A, B, C, D) -> R) -> R {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn enabled<A, B, C, D, R>(a: A, b: B, c: C, d: D, body: impl FnOnce(A, B, C, D) -> R) -> R {
            body(a, b, c, d)
        }
        // SAFETY: `Kernel::dispatch` names this type only if the processor has the features.
        unsafe { enabled(a, b, c, d, body) }
    }

    type Sides = Sides;

    #[inline(always)]
    fn discs(player: u64, opponent: u64) -> Sides {
        // SAFETY: as in `run`.
        unsafe { Sides::of(player, opponent) }
    }

    #[inline(always)]
    fn sides(discs: Sides) -> (u64, u64) {
        // SAFETY: as in `run`.
        unsafe { discs.sides() }
    }

    #[inline(always)]
    fn passed(discs: Sides) -> Sides {
        discs.passed()
    }

    #[inline(always)]
    fn flips_among(square: Square, discs: Sides) -> u64 {
        // SAFETY: as in `run`.
        unsafe { merged(flips::flips(square, discs)) }
    }

    #[inline(always)]
    fn after(square: Square, discs: Sides) -> Option<Sides> {
        // SAFETY: as in `run`.
        unsafe { flips::after(square, discs) }
    }

    #[inline(always)]
    fn shuffled(bytes: u32, places: &[[u8; 4]; 4]) -> [u32; 4] {
        // SAFETY: as in `run`.
        unsafe { shuffled(bytes, places) }
    }

    #[inline(always)]
    fn moves(player: u64, opponent: u64) -> u64 {
        // SAFETY: as in `run`.
        unsafe { mobility::moves(Sides::of(player, opponent)) }
    }

    #[inline(always)]
    fn replies(moves: u64, player: u64, opponent: u64, mut each: impl FnMut(Square, Reply)) {
        let discs = Avx2::discs(player, opponent);
        for square in Bitboard(moves) {
            // SAFETY: as in `run`.
            each(square, unsafe { flips::reply(square, discs) });
        }
    }

    #[inline(always)]
    fn last_flips(square: Square, player: u64) -> u32 {
        // SAFETY: as in `run`.
        unsafe { last_flips(square, player) }
    }

    #[inline(always)]
    fn prefetch<T>(place: &T) {
        // SAFETY: a prefetch has no effect on memory; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
    }

    #[inline(always)]
    fn layer<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
        // SAFETY: as in `run`.
        unsafe { layer::layer(layer, sums) }
    }

    #[inline(always)]
    fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
        // SAFETY: as in `run`.
        unsafe { gather::gather(gather, first, second) }
    }
}

/// Returns twice the number of discs that the last move flips, with the column gathered by bit extraction of BMI2.
#[target_feature(enable = "bmi2")]
#[inline]
fn last_flips(square: Square, player: u64) -> u32 {
    lines::last_flips(square, player, _pext_u64(player, lines::COLUMN_A << square.column()))
}
