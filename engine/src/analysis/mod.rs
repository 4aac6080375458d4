//! Analysis with a search: the answer to one question about one position.

mod ask;

pub use ask::{ask, ask_while, even_leaves};
