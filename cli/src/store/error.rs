//! Errors of a store.

use std::cell::Cell;
use std::fmt;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use outflank::session::BookError;

/// Message that names the file.
#[derive(Debug)]
pub struct StoreError(String);

impl StoreError {
    pub fn new(words: impl Into<String>) -> StoreError {
        StoreError(words.into())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<StoreError> for io::Error {
    fn from(error: StoreError) -> io::Error {
        io::Error::other(error.0)
    }
}

impl From<StoreError> for BookError {
    fn from(error: StoreError) -> BookError {
        BookError(error.0)
    }
}

impl<E: std::error::Error> From<E> for StoreError {
    fn from(error: E) -> StoreError {
        StoreError(error.to_string())
    }
}

thread_local! {
    /// Set while this thread runs code of the database, whose panics become errors.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that uses the database. A panic, which a damaged file may cause there, becomes an error and prints nothing.
pub(super) fn guarded<R>(run: impl FnOnce() -> Result<R, StoreError>) -> Result<R, StoreError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let other = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                other(info);
            }
        }));
    });
    let outer = GUARDED.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(run));
    GUARDED.set(outer);
    done.unwrap_or_else(|_| Err(StoreError::new("the file is damaged")))
}
