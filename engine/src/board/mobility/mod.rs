//! The squares where a disc may be placed.
//!
//! For each direction, opposing discs next to an own disc are followed as far as they go; the empty square
//! behind them is a move. Doubling the step (parallel prefix, Hacker's Delight, section 5-2) follows six
//! discs in three steps instead of five.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod avx2;
pub(crate) mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd128;

/// Columns b to g: a run of flipped discs along a row or a diagonal never holds an edge column.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
