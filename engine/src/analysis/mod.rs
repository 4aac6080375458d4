//! Values of games: what is known of their positions, and what their moves lost.

mod loss;
mod values;

pub use loss::{Change, Course, Loss, Sums, loss};
pub use values::{Certainty, Kind, Known, Point, Values, for_black};
