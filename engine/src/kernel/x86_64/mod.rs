//! Vectors of 256 bits: x86-64-v3 and x86-64-v4.
//!
//! A type of these is used only in [`super::Kernel::dispatch`], which checks that the processor has its instructions. All
//! code with AVX2 relies on that.

mod avx2;
mod avx512;
mod lanes;

pub(super) use avx2::Avx2;
pub(super) use avx512::Avx512;
