//! The static evaluation: the value of a board for the mover, in centidiscs, without a search.
//!
//! The configurations of the pattern instances ([`patterns`]) are updated from move to move ([`Features`]). Each of them
//! selects an embedding, as do the moves of both sides ([`mobility`]). A small head computes the value from the sum of the
//! embeddings ([`network`]). The weights come from the file embedded in the program or from another file of the same kind
//! ([`Network::from_bytes`]). A second network is larger ([`large`]).

mod coder;
mod evaluator;
mod features;
mod fingerprint;
pub mod indices;
pub mod large;
#[cfg(feature = "internals")]
mod leaves;
pub mod mobility;
pub mod network;
mod numbers;
pub mod patterns;
mod weights;

pub use evaluator::{Evaluator, NetworkSize};
pub use features::Features;
#[cfg(feature = "internals")]
pub use leaves::leaves;
pub use network::Network;
pub use weights::WeightsError;
