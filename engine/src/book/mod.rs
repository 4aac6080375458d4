//! Opening books: values of positions that are known before a search.

#[expect(clippy::module_inception, reason = "the file is named by its main type")]
mod book;
mod shelf;

pub use book::{Book, BookMove, Contempt, Unfinished};
pub use shelf::{Shelf, Shelved};
