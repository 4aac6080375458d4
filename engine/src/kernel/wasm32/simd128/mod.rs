//! The 128-bit vectors of WebAssembly.

mod flips;
mod gather;
mod layer;
mod mobility;
mod order;
mod rows;
mod swapped;

use std::arch::wasm32::{i8x16_swizzle, u32x4_splat, u64x2_extract_lane, v128, v128_load, v128_store};

use crate::bitboard::Bitboard;
use crate::kernel::{GATHERED, Gather, Kernel, Kernels, Layer, ORDERED, Portable, Reply, Row, Sums};
use crate::square::Square;

#[derive(Clone, Copy, Default, Debug)]
pub(in crate::kernel) struct Simd128;

impl Kernels for Simd128 {
    const KERNEL: Kernel = Kernel::Simd128;

    type Sides = flips::Sides;

    #[inline(always)]
    fn discs(player: u64, opponent: u64) -> Self::Sides {
        flips::Sides::of(player, opponent)
    }

    #[inline(always)]
    fn sides(discs: Self::Sides) -> (u64, u64) {
        (discs.player, discs.opponent)
    }

    #[inline(always)]
    fn passed(discs: Self::Sides) -> Self::Sides {
        discs.passed()
    }

    #[inline(always)]
    fn after(square: Square, discs: Self::Sides) -> Option<Self::Sides> {
        let flips = discs.both_flips(square);
        (u64x2_extract_lane::<0>(flips) != 0).then(|| discs.after(square, flips))
    }

    #[inline(always)]
    fn flips_among(square: Square, discs: Self::Sides) -> u64 {
        discs.flips(square)
    }

    #[inline(always)]
    fn moves(player: u64, opponent: u64) -> u64 {
        mobility::moves(flips::Sides::of(player, opponent))
    }

    #[inline(always)]
    fn replies(moves: u64, player: u64, opponent: u64, mut each: impl FnMut(Square, Reply)) {
        let discs = flips::Sides::of(player, opponent);
        for square in Bitboard(moves) {
            let flips = discs.both_flips(square);
            let moves = mobility::moves(discs.after(square, flips));
            each(square, Reply { flips: u64x2_extract_lane::<0>(flips), moves });
        }
    }

    #[inline(always)]
    fn take_lowest(keys: &mut [u16; ORDERED]) -> u16 {
        order::take_lowest(keys)
    }

    #[inline(always)]
    fn last_flips(square: Square, player: u64) -> u32 {
        Portable::last_flips(square, player)
    }

    #[inline(always)]
    fn shuffled(bytes: u32, places: &[[u8; 4]; 4]) -> [u32; 4] {
        let mut words = [0; 4];
        // SAFETY: sixteen bytes of an array to read, sixteen of another to write.
        unsafe {
            let places = v128_load(places.as_ptr().cast());
            v128_store(words.as_mut_ptr().cast(), i8x16_swizzle(u32x4_splat(bytes), places));
        }
        words
    }

    #[inline(always)]
    fn layer<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
        layer::layer(layer, sums)
    }

    #[inline(always)]
    fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
        crate::kernel::gather::gather::<v128>(gather, first, second)
    }

    #[inline(always)]
    fn add_rows<const WIDTH: usize, const N: usize>(
        sums: &mut Sums<WIDTH>,
        rows: &[Row<WIDTH>; N],
        indices: &[u32],
    ) {
        rows::add_rows(sums, rows, indices);
    }
}
