//! The commands.

pub(crate) mod bench;
pub(crate) mod matches;
pub(crate) mod perft;
pub(crate) mod solve;
pub(crate) mod speak;
