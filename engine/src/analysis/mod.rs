//! Analysis: one question about one position, and the values and losses of whole games.

mod ask;
mod loss;
mod values;

pub use ask::{ask, ask_while, even_leaves};
pub use loss::{Change, Course, Loss, Sums, loss};
pub use values::{Certainty, Kind, Known, Point, Values, for_black};
