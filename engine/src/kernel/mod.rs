//! The leaf operations of rules and evaluation, by instruction set.
//!
//! [`Kernels`] is the set of operations that search and evaluation are generic over. A folder holds those of one
//! instruction set: `portable`, plain integer code that is always compiled and is the oracle for the others, `x86_64`
//! with `avx2` and `avx512`, `wasm32` with `simd128`. They take and give plain words: bit `n` is square `n`.
//!
//! - *Flips*: along each of the eight rays from a square, a run of opposing discs that ends at an own disc is flipped.
//!   All treat the rays that go to higher squares (right, down, and the two diagonals downward) and those to lower ones
//!   alike in two groups: the first square that is *not* an opposing disc is found with a carry, a leading-zero count
//!   or a smear; if it holds an own disc, all squares before it flip.
//!   The last moves of a game are made on the discs as the kernel holds them: on x86-64 they stay in vectors from one
//!   position to the next ([`Kernels::after`]), since what takes the time there is the way of one result to the next.
//! - *Mobility*: for each direction, opposing discs next to an own disc are followed as far as they go; the empty square
//!   behind them is a move. Doubling the step (parallel prefix, Hacker's Delight, section 5-2) follows six discs in three
//!   steps instead of five.
//! - *Replies*: flips and, on the board after them, mobility, for all moves of a position. On x86-64 the discs stay in vectors
//!   between the two; AVX-512 has room for two boards in a vector and takes the moves in pairs.
//! - *Last flips*: with one empty square every other square is the mover's or the opponent's, so the flips along a line
//!   depend only on the mover's discs on it: an eight-bit index into a table for each place on the line.
//! - *Layer*: the hidden layer of the evaluation's network ([`Layer`]), and of the large one ([`WideLayer`]).
//! - *Gather*: bits of bitboards, in chosen orders, as the large network's patterns of moves look them up ([`Gather`]).
//! - *Rows*: those of the large network that a board looks up, added to its sums.
//!
//! Which instructions are used is chosen once at start-up. Each implementation carries [`Kernels::run`]: it calls a closure
//! inside a function that has the instruction set enabled, so that everything inlined into the closure is compiled for it,
//! too. A recursive search function therefore is a one-line call of `run` around an `#[inline(always)]` body.
//! [`Kernel::dispatch`] is the one place where the choice becomes a type.
//!
//! To add an instruction set: a folder with a type that implements [`Kernels`], a variant of [`Kernel`], and its line in
//! [`Kernel::available`], [`Kernel::name`] and [`Kernel::dispatch`]. The tests compare whatever is available.

mod gather;
mod kernels;
mod layer;
mod lines;
mod portable;
mod rays;
mod rows;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
mod wasm32;
mod wide;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86_64;

pub use gather::{GATHERED, Gather, Gathered};
pub use kernels::{Kernel, KernelTask, Kernels, Reply};
pub use layer::{INPUTS, Layer, Longs, Matrix, Words};
pub use portable::Portable;
pub use rows::Row;
pub use wide::{WIDE_INPUTS, WIDE_SUMS, WideLayer, WideMatrix, WideWords};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use wasm32::Simd128;
#[cfg(target_arch = "x86_64")]
use x86_64::{Avx2, Avx512};

impl Kernel {
    /// The fastest one this processor has.
    pub fn best() -> Kernel {
        Kernel::available().last().copied().unwrap_or(Kernel::Portable)
    }

    /// All this processor has, the portable one first, the fastest last.
    pub fn available() -> &'static [Kernel] {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let v3 = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
            let v4 = has!("avx512f")
                && has!("avx512bw")
                && has!("avx512cd")
                && has!("avx512dq")
                && has!("avx512vl");
            match (v3, v4) {
                (true, true) => &[Kernel::Portable, Kernel::Avx2, Kernel::Avx512],
                (true, false) => &[Kernel::Portable, Kernel::Avx2],
                _ => &[Kernel::Portable],
            }
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        {
            &[Kernel::Portable, Kernel::Simd128]
        }
        #[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
        {
            &[Kernel::Portable]
        }
    }

    /// Its name, as the command line and the benches print it.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => "avx512",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => "simd128",
        }
    }

    /// Runs `task` with these kernels; where the processor lacks them, with the portable ones.
    pub fn dispatch<T: KernelTask>(self, task: T) -> T::Output {
        if !Kernel::available().contains(&self) {
            return task.run::<Portable>();
        }
        match self {
            Kernel::Portable => task.run::<Portable>(),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => task.run::<Avx2>(),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => task.run::<Avx512>(),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => task.run::<Simd128>(),
        }
    }
}
