//! The discs a move flips.
//!
//! Along each of the eight rays from the square, a run of opposing discs that ends at an own disc is
//! flipped. All kernels treat rays that go to higher squares (right, down, and the two diagonals downward)
//! and to lower ones alike in two groups: the first square that is *not* an opposing disc is found with a
//! carry, a leading-zero count or a smear; if it holds an own disc, all squares before it flip.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod avx512;
pub(crate) mod last;
pub(crate) mod portable;
mod rays;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
pub(crate) mod simd128;
