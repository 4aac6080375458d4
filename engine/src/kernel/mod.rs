//! The leaf operations of rules and evaluation, by instruction set.
//!
//! [`Kernels`] is the set of operations over which search and evaluation are generic. Each instruction set has a folder:
//! `portable`, plain integer code that is always compiled and is the reference for the others, `x86_64` with `avx2` and
//! `avx512`, `aarch64` with `neon`, `wasm32` with `simd128`. The operations take and return plain words: bit `n` is square `n`.
//!
//! - *Flips*: along each of the eight rays from a square, a run of opposing discs that ends at an own disc is flipped. All
//!   kernels treat the rays to higher squares (right, down, and the two diagonals downward) and the rays to lower squares as
//!   two groups. The first square that is *not* an opposing disc is found with a carry, a leading-zero count or a smear. If
//!   it contains an own disc, all squares before it flip. For the last moves of a game, the discs stay in the form of the
//!   kernel: in vectors from one position to the next ([`Kernels::after`]), since the latency between results
//!   dominates there.
//! - *Mobility*: in each direction, runs of opposing discs next to an own disc are followed. The empty square behind a run
//!   is a move. Doubling the step (parallel prefix, Hacker's Delight, section 5-2) follows six discs in three steps instead
//!   of five.
//! - *Replies*: for all moves of a position, the flips and the mobility after them. The discs stay in vectors in between.
//!   AVX-512 has room for two boards in a vector and takes the moves in pairs.
//! - *Last flips*: with one empty square, the flips along a line depend only on the mover's discs on it: an eight-bit index
//!   into a table for each place on the line.
//! - *Layer*: the hidden layer of the evaluation's networks ([`Layer`]).
//! - *Gather*: bits of bitboards in chosen orders, for the large network's patterns of moves ([`Gather`]).
//! - *Rows*: the rows of a network for a board, added to its sums.
//!
//! The kernel is chosen once at the start. Each implementation has [`Kernels::call`], which calls a closure inside a function
//! with the instruction set enabled, so that everything inlined into the closure is compiled for it. A recursive search
//! function is therefore a call of `run` or `call` around an `#[inline(always)]` body. Only [`Kernel::dispatch`] turns the
//! choice into a type.
//!
//! To add an instruction set, add a folder with a type that implements [`Kernels`], a variant of [`Kernel`], and its line in
//! [`Kernel::available`], [`Kernel::name`] and [`Kernel::dispatch`]. The tests compare all available kernels.

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64;
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
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86_64;

pub use gather::{GATHERED, Gather, Gathered};
pub use kernels::{Kernel, KernelTask, Kernels, ORDERED, Reply};
pub use layer::{Layer, NEURONS, Pair, Sums};
pub use portable::Portable;
pub use rows::Row;

#[cfg(target_arch = "aarch64")]
use aarch64::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use wasm32::Simd128;
#[cfg(target_arch = "x86_64")]
use x86_64::{Avx2, Avx512};

/// Restricts [`Kernels`] to the types of this module.
mod sealed {
    pub trait Sealed {}

    impl Sealed for super::Portable {}
    #[cfg(target_arch = "aarch64")]
    impl Sealed for super::Neon {}
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    impl Sealed for super::Simd128 {}
    #[cfg(target_arch = "x86_64")]
    impl Sealed for super::Avx2 {}
    #[cfg(target_arch = "x86_64")]
    impl Sealed for super::Avx512 {}
}

impl Kernel {
    /// Returns the fastest kernel of this processor.
    pub fn best() -> Kernel {
        Kernel::available().last().copied().unwrap_or(Kernel::Portable)
    }

    /// Returns all kernels of this processor: the portable one first, the fastest last.
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
        #[cfg(target_arch = "aarch64")]
        {
            &[Kernel::Portable, Kernel::Neon]
        }
        #[cfg(not(any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        {
            &[Kernel::Portable]
        }
    }

    /// Returns the name, as the command line and the benchmarks print it.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => "simd128",
        }
    }

    /// Runs `task` with these kernels, or with the portable ones if the processor lacks them.
    #[cfg_attr(not(feature = "internals"), doc(hidden))]
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
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => task.run::<Neon>(),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => task.run::<Simd128>(),
        }
    }
}
