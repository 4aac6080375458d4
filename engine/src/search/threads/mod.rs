//! Threads lent to a search: the pool where they meet, and the nodes whose moves they share.

#[cfg(test)]
mod model;
mod pool;
mod split;
mod sync;

pub use pool::Helper;
pub(super) use pool::Pool;
pub(super) use split::{Best, Parent, SearchChild, Split, SplitValue, search_children, share};
