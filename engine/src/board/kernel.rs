//! Which instructions the hot loops use, chosen once at start-up.
//!
//! [`Kernels`] is the set of leaf operations the search is generic over. Each implementation also carries
//! [`Kernels::run`]: it calls a closure inside a function that has the instruction set enabled, so that
//! everything inlined into the closure is compiled for it, too. A recursive search function therefore is a
//! one-line call of `run` around an `#[inline(always)]` body.
//!
//! [`Kernel::dispatch`] is the one place where the choice becomes a type.

use super::{flip, mobility, vector};
use crate::board::{Layer, Square, Words};

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

/// The leaf operations of one instruction set. All are pure, and equal to [`Portable`]'s.
pub trait Kernels: Copy + Default + Send + Sync + 'static {
    /// The instruction set.
    const KERNEL: Kernel;

    /// Calls `body` inside a function compiled for the instruction set.
    fn run<R>(body: impl FnOnce() -> R) -> R;

    /// The discs of both sides in the form in which flips are computed, to be made once for several squares.
    type Discs: Copy;

    /// The discs of both sides for [`Kernels::flips_among`].
    fn discs(player: u64, opponent: u64) -> Self::Discs;

    /// The discs of the opponent that a disc of the player on `square` flips.
    fn flips_among(square: Square, discs: Self::Discs) -> u64;

    /// The discs of `opponent` that a disc of `player` on `square` flips.
    #[inline(always)]
    fn flips(square: Square, player: u64, opponent: u64) -> u64 {
        Self::flips_among(square, Self::discs(player, opponent))
    }

    /// The squares where `player` may place a disc.
    fn moves(player: u64, opponent: u64) -> u64;

    /// Twice the number of discs that `player` flips by filling the one empty `square`, all others being
    /// taken, and whoever is not `player` holding them.
    fn last_flips(square: Square, player: u64) -> u32;

    /// Asks the processor to load the cache line of `place`; nothing where there is no such instruction.
    #[inline(always)]
    fn prefetch<T>(_place: &T) {}

    /// What a hidden layer makes of sixteen sums: `direct · sum + output · neurons`, the neurons being
    /// `max(0, bias + matrix · clamp(sum, 0, 127)) / 64`, at most 32767. The weights are over −32768.
    fn layer(layer: &Layer, sum: &Words) -> i32;
}

/// Something to do with one set of kernels, named once they are known.
pub trait KernelTask {
    /// What it gives.
    type Output;

    /// Does it.
    fn run<K: Kernels>(self) -> Self::Output;
}

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

/// Plain integer code.
#[derive(Clone, Copy, Default, Debug)]
pub struct Portable;

impl Kernels for Portable {
    const KERNEL: Kernel = Kernel::Portable;

    #[inline(always)]
    fn run<R>(body: impl FnOnce() -> R) -> R {
        // Not inlined into its caller, as the other kernels' are not: the recursion stays a call.
        #[inline(never)]
        fn called<R>(body: impl FnOnce() -> R) -> R {
            body()
        }
        called(body)
    }

    type Discs = (u64, u64);

    #[inline(always)]
    fn discs(player: u64, opponent: u64) -> (u64, u64) {
        (player, opponent)
    }

    #[inline(always)]
    fn flips_among(square: Square, (player, opponent): (u64, u64)) -> u64 {
        flip::portable::flips(square, player, opponent)
    }

    #[inline(always)]
    fn moves(player: u64, opponent: u64) -> u64 {
        mobility::portable::moves(player, opponent)
    }

    #[inline(always)]
    fn last_flips(square: Square, player: u64) -> u32 {
        flip::last::portable(square, player)
    }

    #[inline(always)]
    fn layer(layer: &Layer, sum: &Words) -> i32 {
        vector::portable::layer(layer, sum)
    }
}

#[cfg(target_arch = "x86_64")]
use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::{Kernel, Kernels};
    use crate::board::{Layer, Square, Words, flip, mobility, vector};

    /// x86-64-v3. Constructed and dispatched to only where [`Kernel::available`] lists it.
    #[derive(Clone, Copy, Default, Debug)]
    pub(super) struct Avx2;

    /// x86-64-v4. Constructed and dispatched to only where [`Kernel::available`] lists it.
    #[derive(Clone, Copy, Default, Debug)]
    pub(super) struct Avx512;

    impl Kernels for Avx2 {
        const KERNEL: Kernel = Kernel::Avx2;

        #[inline(always)]
        fn run<R>(body: impl FnOnce() -> R) -> R {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            #[inline(never)]
            fn enabled<R>(body: impl FnOnce() -> R) -> R {
                body()
            }
            // SAFETY: `Kernel::dispatch` names this type only where the processor has the features.
            unsafe { enabled(body) }
        }

        type Discs = (u64, u64);

        #[inline(always)]
        fn discs(player: u64, opponent: u64) -> (u64, u64) {
            (player, opponent)
        }

        #[inline(always)]
        fn flips_among(square: Square, (player, opponent): (u64, u64)) -> u64 {
            // SAFETY: as in `run`.
            unsafe { flip::avx2::flips(square, player, opponent) }
        }

        #[inline(always)]
        fn moves(player: u64, opponent: u64) -> u64 {
            // SAFETY: as in `run`.
            unsafe { mobility::avx2::moves(player, opponent) }
        }

        #[inline(always)]
        fn last_flips(square: Square, player: u64) -> u32 {
            // SAFETY: as in `run`.
            unsafe { flip::last::bmi2(square, player) }
        }

        #[inline(always)]
        fn prefetch<T>(place: &T) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch has no effect on memory; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
        }

        #[inline(always)]
        fn layer(layer: &Layer, sum: &Words) -> i32 {
            // SAFETY: as in `run`.
            unsafe { vector::avx2::layer(layer, sum) }
        }
    }

    impl Kernels for Avx512 {
        const KERNEL: Kernel = Kernel::Avx512;

        #[inline(always)]
        fn run<R>(body: impl FnOnce() -> R) -> R {
            #[target_feature(
                enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
            )]
            #[inline(never)]
            fn enabled<R>(body: impl FnOnce() -> R) -> R {
                body()
            }
            // SAFETY: `Kernel::dispatch` names this type only where the processor has the features.
            unsafe { enabled(body) }
        }

        type Discs = (u64, u64);

        #[inline(always)]
        fn discs(player: u64, opponent: u64) -> (u64, u64) {
            (player, opponent)
        }

        #[inline(always)]
        fn flips_among(square: Square, (player, opponent): (u64, u64)) -> u64 {
            // SAFETY: as in `run`.
            unsafe { flip::avx512::flips(square, player, opponent) }
        }

        #[inline(always)]
        fn moves(player: u64, opponent: u64) -> u64 {
            // SAFETY: as in `run`.
            unsafe { mobility::avx2::moves(player, opponent) }
        }

        #[inline(always)]
        fn last_flips(square: Square, player: u64) -> u32 {
            // SAFETY: as in `run`.
            unsafe { flip::last::bmi2(square, player) }
        }

        #[inline(always)]
        fn prefetch<T>(place: &T) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch has no effect on memory; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
        }

        #[inline(always)]
        fn layer(layer: &Layer, sum: &Words) -> i32 {
            // SAFETY: as in `run`.
            unsafe { vector::avx2::layer(layer, sum) }
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use wasm::Simd128;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::{Kernel, Kernels};
    use crate::board::{Layer, Square, Words, flip, mobility, vector};

    /// WebAssembly SIMD; the module is compiled for it or not at all.
    #[derive(Clone, Copy, Default, Debug)]
    pub(super) struct Simd128;

    impl Kernels for Simd128 {
        const KERNEL: Kernel = Kernel::Simd128;

        #[inline(always)]
        fn run<R>(body: impl FnOnce() -> R) -> R {
            #[inline(never)]
            fn called<R>(body: impl FnOnce() -> R) -> R {
                body()
            }
            called(body)
        }

        type Discs = flip::simd128::Discs;

        #[inline(always)]
        fn discs(player: u64, opponent: u64) -> Self::Discs {
            flip::simd128::Discs::of(player, opponent)
        }

        #[inline(always)]
        fn flips_among(square: Square, discs: Self::Discs) -> u64 {
            discs.flips(square)
        }

        #[inline(always)]
        fn moves(player: u64, opponent: u64) -> u64 {
            mobility::simd128::moves(player, opponent)
        }

        #[inline(always)]
        fn last_flips(square: Square, player: u64) -> u32 {
            flip::last::portable(square, player)
        }

        #[inline(always)]
        fn layer(layer: &Layer, sum: &Words) -> i32 {
            vector::simd128::layer(layer, sum)
        }
    }
}
