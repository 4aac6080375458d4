//! The static evaluation: what a board is worth to the mover, in centidiscs, without looking ahead.
//!
//! The configurations of the pattern instances ([`patterns`]) are kept up to date from move to move ([`Features`]); each
//! looks up an embedding, as do the moves of both sides ([`mobility`]), and a small head turns their sum into a value
//! ([`network`]). The weights come from the file embedded in the program or from another one of the same kind
//! ([`Network::from_bytes`]). Beside that network there is a larger one ([`large`]).

mod coder;
mod evaluator;
mod features;
mod fingerprint;
pub mod indices;
pub mod large;
mod leaves;
pub mod mobility;
pub mod network;
mod numbers;
pub mod patterns;
mod weights;

pub use evaluator::Evaluator;
pub use features::Features;
pub use leaves::leaves;
pub use network::Network;
pub use weights::WeightsError;
