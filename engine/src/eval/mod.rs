//! The static evaluation: what a board is worth to the mover, in centidiscs, without looking ahead.

mod evaluator;
mod features;
mod handmade;
mod weights;

pub use evaluator::Evaluator;
pub use features::Features;
pub use weights::WeightsError;
