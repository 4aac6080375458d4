//! The static evaluation: the value of a board for the mover, in centidiscs, without a search.
//!
//! The configurations of the pattern instances (`patterns`) are updated from move to move ([`Features`]). Each of them
//! selects a row of numbers, as do the moves of both sides (`mobility`, `moves`). A small head computes the value from the sum
//! of the rows ([`network`]). The weights come from the file embedded in the program or from another file of the same kind
//! ([`Network::from_bytes`]). There are two networks: a small one and a large one.

mod evaluator;
mod features;
mod fingerprint;
mod indices;
mod mobility;
mod moves;
pub mod network;
mod numbers;
mod patterns;
mod rows;
#[cfg(all(test, feature = "embedded-weights"))]
mod tests;
mod weights;

pub use evaluator::{Evaluator, NetworkSize};
pub use features::Features;
pub use network::Network;
pub use rows::Rows;
pub use weights::WeightsError;
