//! Analysis: one question about one position, and the values and losses of whole games.

mod ask;
mod certainty;
mod errors;
#[cfg(feature = "internals")]
mod least_squares;
mod loss;
mod values;

pub use ask::{ask, ask_while, even_leaves};
pub use certainty::{Certainty, Kind};
#[cfg(feature = "internals")]
pub use least_squares::LeastSquares;
pub use loss::{Change, Course, Loss, Sums, loss};
pub(crate) use values::surer;
pub use values::{Known, Point, Values};
