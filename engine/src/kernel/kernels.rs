//! The kernels: their names, their operations, and the dispatch.

use super::gather::{self, GATHERED, Gather};
use super::layer::{self, Layer, Sums};
use super::rows::{self, Row};
use crate::bitboard::Bitboard;
use crate::square::Square;

/// An instruction set the engine has kernels for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// Plain 64-bit integer code, on every processor. The reference for the other kernels.
    Portable,
    /// AVX2, BMI1, BMI2, LZCNT, POPCNT (x86-64-v3).
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2 and AVX-512 F, BW, CD, DQ, VL (x86-64-v4).
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// NEON, which every AArch64 processor has.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// WebAssembly's 128-bit vectors.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

/// Number of keys of [`Kernels::take_lowest`].
pub const ORDERED: usize = 16;

/// The neighbors of each square. A move flips nothing if no opposing disc is on them.
static NEIGHBOURS: [u64; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = Bitboard(1 << square).dilated().0 & !(1 << square);
        square += 1;
    }
    all
};

/// The leaf operations of one instruction set. All are pure, and equal to those of [`Portable`](super::Portable).
pub trait Kernels: super::sealed::Sealed + Copy + Default + Send + Sync + 'static {
    /// The instruction set.
    const KERNEL: Kernel;

    /// Calls `body` inside a function compiled for the instruction set.
    #[inline(always)]
    fn run<R>(body: impl FnOnce() -> R) -> R {
        Self::call(
            (),
            (),
            (),
            (),
            #[inline(always)]
            |(), (), (), ()| body(),
        )
    }

    /// Calls `body` like [`Kernels::run`]. Arguments stay in registers, what a closure contains is passed in memory.
    #[inline(always)]
    fn call<A, B, C, D, R>(a: A, b: B, c: C, d: D, body: impl FnOnce(A, B, C, D) -> R) -> R {
        // Not inlined into its caller, like those of other kernels: the recursion stays a call.
        #[inline(never)]
        fn called<A, B, C, D, R>(a: A, b: B, c: C, d: D, body: impl FnOnce(A, B, C, D) -> R) -> R {
            body(a, b, c, d)
        }
        called(a, b, c, d, body)
    }

    /// The discs of the player to move and of the opponent, in the form in which flips are computed. If that is a vector,
    /// the discs stay in it from one position to the next ([`Kernels::after`]).
    type Sides: Copy;

    /// Returns the discs of both sides in that form.
    fn discs(player: u64, opponent: u64) -> Self::Sides;

    /// Returns the discs of the player and of the opponent.
    fn sides(discs: Self::Sides) -> (u64, u64);

    /// Returns the same discs with the opponent to move.
    #[inline(always)]
    fn passed(discs: Self::Sides) -> Self::Sides {
        let (player, opponent) = Self::sides(discs);
        Self::discs(opponent, player)
    }

    /// Returns the discs after a move on the empty `square`, with the opponent to move. `None` if the move flips nothing.
    #[inline(always)]
    fn after(square: Square, discs: Self::Sides) -> Option<Self::Sides> {
        let (player, opponent) = Self::sides(discs);
        // Often there is no opposing disc next to the square.
        if NEIGHBOURS[square.index()] & opponent == 0 {
            return None;
        }
        let flips = Self::flips_among(square, discs);
        (flips != 0).then(|| Self::discs(opponent ^ flips, player ^ flips ^ 1 << square.index()))
    }

    /// Returns the discs of the opponent that a disc of the player on `square` flips.
    fn flips_among(square: Square, discs: Self::Sides) -> u64;

    /// Returns the discs of `opponent` that a disc of `player` on `square` flips.
    #[inline(always)]
    fn flips(square: Square, player: u64, opponent: u64) -> u64 {
        Self::flips_among(square, Self::discs(player, opponent))
    }

    /// Returns the squares where `player` can place a disc.
    fn moves(player: u64, opponent: u64) -> u64;

    /// Returns, for each of the squares `moves` from the lowest, the flips of a disc of `player`, and where `opponent` can
    /// place a disc after it.
    #[inline(always)]
    fn replies(moves: u64, player: u64, opponent: u64, mut each: impl FnMut(Square, Reply)) {
        let discs = Self::discs(player, opponent);
        for square in Bitboard(moves) {
            let flips = Self::flips_among(square, discs);
            let moves = Self::moves(opponent ^ flips, player ^ flips ^ 1 << square.index());
            each(square, Reply { flips, moves });
        }
    }

    /// Returns the number of squares of `set`, with corners counted twice.
    #[inline(always)]
    fn count_with_corners(set: u64) -> u32 {
        set.count_ones() + (set & Bitboard::CORNERS.0).count_ones()
    }

    /// Returns the lowest key and replaces it by `u16::MAX`. The bits 6 to 9 of a key are its place.
    #[inline(always)]
    fn take_lowest(keys: &mut [u16; ORDERED]) -> u16 {
        let lowest = keys.iter().copied().fold(u16::MAX, u16::min);
        keys[usize::from(lowest >> 6) % ORDERED] = u16::MAX;
        lowest
    }

    /// Returns twice the number of discs that `player` flips by filling the only empty `square`. All squares without a disc
    /// of `player` are the opponent's.
    fn last_flips(square: Square, player: u64) -> u32;

    /// Returns the final disc difference for the player, who is to move, if only `square` is empty.
    #[inline(always)]
    fn last_score(square: Square, discs: Self::Sides) -> i32 {
        let (player, _) = Self::sides(discs);
        // player + opponent + 1 = 64, so the difference follows from the player's count alone.
        let count = 2 * player.count_ones() as i32;
        let flipped = Self::last_flips(square, player) as i32;
        if flipped != 0 {
            return count - 62 + flipped;
        }
        let opponent = !player & !(1 << square.index());
        last_score_without_move(count, Self::last_flips(square, opponent) as i32)
    }

    /// Returns four words of four bytes of `bytes` each, the lowest first: byte `n` of word `w` is the byte at
    /// `places[w][n]`, which is below 4.
    #[inline(always)]
    fn shuffled(bytes: u32, places: &[[u8; 4]; 4]) -> [u32; 4] {
        places.map(|places| u32::from_le_bytes(places.map(|place| (bytes >> (8 * (place & 3))) as u8)))
    }

    /// Prefetches the cache line of `place`, if there is such an instruction.
    #[inline(always)]
    fn prefetch<T>(_place: &T) {}

    /// Returns the result of a hidden layer: `direct · sums + output · neurons`. The neurons are `max(0, bias + matrix ·
    /// inputs) / 2^SHIFT`, at most 32767. The inputs are `clamp(sums, 0, 127)` and their products, `(first half · second half +
    /// ROUNDING) / 128`. All weights are above −32768.
    #[inline(always)]
    fn layer<const WIDTH: usize>(layer: &Layer<WIDTH>, sums: &Sums<WIDTH>) -> i32 {
        layer::portable(layer, sums)
    }

    /// Adds the rows with these indices to the sums. The number of rows is a power of two, and higher bits of an index are
    /// ignored.
    #[inline(always)]
    fn add_rows<const WIDTH: usize, const N: usize>(
        sums: &mut Sums<WIDTH>,
        rows: &[Row<WIDTH>; N],
        indices: &[u32],
    ) {
        rows::portable(sums, rows, indices);
    }

    /// Returns the numbers that `gather` defines for two bitboards.
    #[inline(always)]
    fn gather(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
        gather::gather::<[u16; 8]>(gather, first, second)
    }
}

/// Returns the final disc difference for a player who cannot fill the only empty square. `count` is twice the number of the
/// player's discs, `flipped` twice the number of discs that the opponent flips there.
#[inline(always)]
pub(super) fn last_score_without_move(count: i32, flipped: i32) -> i32 {
    if flipped != 0 {
        count - 64 - flipped
    } else if count >= 64 {
        // No side can move: the empty square counts for the winner.
        count - 62
    } else {
        count - 64
    }
}

/// The effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The discs that it flips.
    pub flips: u64,
    /// The squares where the other side can place a disc after it.
    pub moves: u64,
}

/// A computation that is generic over the kernels.
pub trait KernelTask {
    /// The result.
    type Output;

    /// Runs the computation.
    fn run<K: Kernels>(self) -> Self::Output;
}
