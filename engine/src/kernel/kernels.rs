//! What a set of kernels is: its name, its operations, and what is done with one.

use super::gather::{self, GATHERED, Gather};
use super::layer::{Layer, Words};
use super::rows::{self, Row};
use super::wide::{self, WideLayer, WideWords};
use crate::bitboard::Bitboard;
use crate::square::Square;

/// An instruction set the engine has kernels for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Plain 64-bit integer code: everywhere, and the oracle for the others.
    Portable,
    /// AVX2, BMI1, BMI2, LZCNT, POPCNT (x86-64-v3).
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2 and AVX-512 F, BW, CD, DQ, VL (x86-64-v4).
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// WebAssembly's 128-bit vectors.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

/// The neighbours of each square: without an opposing disc there a move flips nothing.
static NEIGHBOURS: [u64; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = Bitboard(1 << square).dilated().0 & !(1 << square);
        square += 1;
    }
    all
};

/// The leaf operations of one instruction set. All are pure, and equal to [`Portable`](super::Portable)'s.
pub trait Kernels: Copy + Default + Send + Sync + 'static {
    /// The instruction set.
    const KERNEL: Kernel;

    /// Calls `body` inside a function compiled for the instruction set.
    fn run<R>(body: impl FnOnce() -> R) -> R;

    /// The discs of the player, who is to move, and of the opponent, in the form in which flips are computed. Where that is
    /// a vector, they stay in it from one position to the next ([`Kernels::after`]).
    type Discs: Copy;

    /// The discs of both sides in that form.
    fn discs(player: u64, opponent: u64) -> Self::Discs;

    /// The discs of the player and of the opponent.
    fn sides(discs: Self::Discs) -> (u64, u64);

    /// The same discs with the opponent to move.
    #[inline(always)]
    fn passed(discs: Self::Discs) -> Self::Discs {
        let (player, opponent) = Self::sides(discs);
        Self::discs(opponent, player)
    }

    /// The discs after a move on the empty `square`, the opponent to move; nothing where it flips none.
    #[inline(always)]
    fn after(square: Square, discs: Self::Discs) -> Option<Self::Discs> {
        let (player, opponent) = Self::sides(discs);
        // Often there is no opposing disc to start from.
        if NEIGHBOURS[square.index()] & opponent == 0 {
            return None;
        }
        let flips = Self::flips_among(square, discs);
        (flips != 0).then(|| Self::discs(opponent ^ flips, player ^ flips ^ 1 << square.index()))
    }

    /// The discs of the opponent that a disc of the player on `square` flips.
    fn flips_among(square: Square, discs: Self::Discs) -> u64;

    /// The discs of `opponent` that a disc of `player` on `square` flips.
    #[inline(always)]
    fn flips(square: Square, player: u64, opponent: u64) -> u64 {
        Self::flips_among(square, Self::discs(player, opponent))
    }

    /// The squares where `player` may place a disc.
    fn moves(player: u64, opponent: u64) -> u64;

    /// For each of the squares `moves`, the lowest first: what `player` flips with a disc there, and where `opponent` may
    /// place one then.
    #[inline(always)]
    fn replies(moves: u64, player: u64, opponent: u64, mut each: impl FnMut(Square, Reply)) {
        let discs = Self::discs(player, opponent);
        for square in Bitboard(moves) {
            let flips = Self::flips_among(square, discs);
            let moves = Self::moves(opponent ^ flips, player ^ flips ^ 1 << square.index());
            each(square, Reply { flips, moves });
        }
    }

    /// Twice the number of discs that `player` flips by filling the one empty `square`, all others being
    /// taken, and whoever is not `player` holding them.
    fn last_flips(square: Square, player: u64) -> u32;

    /// Four words, each of four of the bytes of `bytes`, the lowest first: byte `n` of word `w` is the one at `places[w][n]`,
    /// which is below 4.
    #[inline(always)]
    fn shuffled(bytes: u32, places: &[[u8; 4]; 4]) -> [u32; 4] {
        places.map(|places| u32::from_le_bytes(places.map(|place| (bytes >> (8 * (place & 3))) as u8)))
    }

    /// Asks the processor to load the cache line of `place`; nothing where there is no such instruction.
    #[inline(always)]
    fn prefetch<T>(_place: &T) {}

    /// What a hidden layer makes of sixteen sums: `direct · sum + output · neurons`, the neurons being
    /// `max(0, bias + matrix · clamp(sum, 0, 127)) / 64`, at most 32767. The weights are over −32768.
    fn layer(layer: &Layer, sum: &Words) -> i32;

    /// The same for the large network: of thirty-two sums, the neurons being
    /// `max(0, bias + matrix · clamp(sum, 0, 127)) / 256`.
    #[inline(always)]
    fn wide_layer(layer: &WideLayer, sum: &WideWords) -> i32 {
        wide::portable(layer, sum)
    }

    /// Adds the rows with these indices to the sums. There are as many rows as a power of two; of an index the bits below it
    /// count.
    #[inline(always)]
    fn add_rows<const N: usize>(sum: &mut WideWords, rows: &[Row; N], indices: &[u32]) {
        rows::portable(sum, rows, indices);
    }

    /// The numbers that the squares of `gather` make in two bitboards.
    #[inline(always)]
    fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
        gather::portable(gather, first, second)
    }
}

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The discs it flips.
    pub flips: u64,
    /// The squares where the other side may place a disc after it.
    pub moves: u64,
}

/// Something to do with one set of kernels, named once they are known.
pub trait KernelTask {
    /// What it gives.
    type Output;

    /// Does it.
    fn run<K: Kernels>(self) -> Self::Output;
}
