//! Opening books with millions of positions, stored in a transactional database file.
//!
//! A book opens at once, can be shared by several programs, and holds the state before or after a change, never a partial
//! one. Values are backed up ([`Changes`]) in the transaction that changes a position, or by [`Store::propagate`] after a bulk
//! change.

mod edit;
mod error;
#[expect(clippy::module_inception, reason = "the file is named by its main type")]
mod store;
#[cfg(test)]
mod tests;

#[cfg(doc)]
use outflank::book::Changes;

pub use edit::{Edit, digest};
pub use error::StoreError;
pub use store::{Snapshot, Store};
