//! The threads of a search: the pool where they wait for work, and the nodes whose moves they share.

#[cfg(test)]
mod model;
mod pool;
mod split_point;
mod sync;

pub use pool::Helper;
pub(super) use pool::Pool;
pub(super) use split_point::{Best, Parent, SearchChild, SplitPoint, SplitValue, search_children, share};
