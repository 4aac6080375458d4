//! Properties of the rules and the notations, over random games, boards and texts.
//!
//! Everything is seeded: a failure repeats, and its message names the seed or the text.

mod board;
mod evaluation;
mod kernels;
mod linear;
mod naive;
mod notation;
mod random;
