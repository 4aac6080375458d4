//! Opening books: positions whose values are known before a search.
//!
//! [`Book`] answers questions about a position. Its positions are in memory, read from a text, or in a [`BookStore`] of the
//! host. [`Changes`] adds positions to either, and backs values up (negamax): a position has the value of the best of its
//! moves. The book also stores values of its own for positions: a proven value, or the value of the best of the moves that are
//! not in the book. A move in the book without a value bounds nothing. A position with such a move has no value, unless it has
//! a value of its own.
//!
//! Symmetric positions are one position, and so are positions with exchanged colors. A forced pass is not a position.

#[expect(clippy::module_inception, reason = "the file is named by its main type")]
mod book;
mod changes;
mod entry;
mod imported;
mod packed;
mod predecessors;

pub use book::{Book, BookMove, BookStore, MemoryStore, ToKnow};
pub use changes::{Changes, Child, Nodes};
pub use entry::{BackedUpValue, Contempt, Entry, Key, OwnValue};
pub use imported::{exported, imported};
pub use packed::{PackedError, is_packed, pack};
