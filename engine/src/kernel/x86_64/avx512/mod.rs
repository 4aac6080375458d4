//! AVX-512 F, BW, CD, DQ and VL. They count leading zeros in each lane, which finds the end of a run downwards, and have
//! room for two boards in a vector. All else is AVX2 code, compiled into functions that have both.

mod flips;
mod gather;
mod layer;
mod replies;

use super::Avx2;
use crate::bitboard::Bitboard;
use crate::kernel::x86_64::lanes::{Sides, merged};
use crate::kernel::{GATHERED, Gather, Kernel, Kernels, Layer, Reply, Sums};
use crate::square::Square;

/// x86-64-v4. Dispatched to only if [`Kernel::available`] lists it.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::kernel) struct Avx512;

impl Kernels for Avx512 {
    const KERNEL: Kernel = Kernel::Avx512;

    #[inline(always)]
    fn call<A, B, C, D, R>(a: A, b: B, c: C, d: D, body: impl FnOnce(A, B, C, D) -> R) -> R {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
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
        Avx2::discs(player, opponent)
    }

    #[inline(always)]
    fn sides(discs: Sides) -> (u64, u64) {
        Avx2::sides(discs)
    }

    #[inline(always)]
    fn passed(discs: Sides) -> Sides {
        Avx2::passed(discs)
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
        Avx2::shuffled(bytes, places)
    }

    #[inline(always)]
    fn moves(player: u64, opponent: u64) -> u64 {
        Avx2::moves(player, opponent)
    }

    #[inline(always)]
    fn replies(moves: u64, player: u64, opponent: u64, mut each: impl FnMut(Square, Reply)) {
        let mut squares = Bitboard(moves).into_iter();
        while let Some(first) = squares.next() {
            let second = squares.next();
            // The last of an odd number is processed twice.
            let pair = [first, second.unwrap_or(first)];
            // SAFETY: as in `run`.
            let [one, other] = unsafe { replies::of_two(pair, player, opponent) };
            each(first, one);
            if let Some(second) = second {
                each(second, other);
            }
        }
    }

    #[inline(always)]
    fn last_flips(square: Square, player: u64) -> u32 {
        Avx2::last_flips(square, player)
    }

    #[inline(always)]
    fn prefetch<T>(place: &T) {
        Avx2::prefetch(place);
    }

    #[inline(always)]
    fn layer<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
        // Sixteen sums are two vectors of AVX2.
        if WIDTH < 32 {
            return Avx2::layer(layer, sums);
        }
        // SAFETY: as in `run`.
        unsafe { layer::layer(layer, sums) }
    }

    #[inline(always)]
    fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
        gather::gather(gather, first, second)
    }
}
