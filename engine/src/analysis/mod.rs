//! Analysis: one question about one position, and the values and losses of whole games.

mod ask;
mod errors;
#[cfg(feature = "internals")]
mod least_squares;
mod loss;
mod values;

pub use ask::{ask, ask_while, even_leaves};
#[cfg(feature = "internals")]
pub use least_squares::LeastSquares;
pub use loss::{Change, Course, Loss, Sums, loss};
pub use values::{Certainty, Kind, Known, Point, Values};
