//! WebAssembly: the module is compiled with vectors or not at all.

mod simd128;

pub(super) use simd128::Simd128;
