//! Vectors of 128 bits that every 64-bit ARM processor has.

mod neon;

pub(super) use neon::Neon;
