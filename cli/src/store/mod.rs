//! Books in files: positions in an embedded store with transactions, so that a book of millions of positions opens at once,
//! is shared by several programs, and holds the old state or the new one whatever happens.
//!
//! A position is kept under its canonical board, and what it is worth is backed up along the moves that the book knows
//! (negamax), in the same transaction as whatever changed it.

mod entry;
mod fault;
mod import;
mod predecessors;
mod settle;
#[expect(clippy::module_inception, reason = "the noun of the file is the store")]
mod store;
#[cfg(test)]
mod tests;

pub use entry::{Entry, Given, Key};
pub use fault::Fault;
pub use import::{Foreign, foreign};
pub use settle::{Child, Edit, digest};
pub use store::{Snapshot, Store};
