//! What can go wrong with a store.

use std::cell::Cell;
use std::fmt;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// What went wrong with a file, in words that name it.
#[derive(Debug)]
pub struct Fault(String);

impl Fault {
    /// In words.
    pub fn new(words: impl Into<String>) -> Fault {
        Fault(words.into())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> io::Error {
        io::Error::other(fault)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault(error.to_string())
    }
}

thread_local! {
    /// Set while this thread runs code of the database, whose panics become faults.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that uses the database. A panic, which a damaged file may cause there, becomes a fault and prints nothing.
pub(super) fn guarded<R>(run: impl FnOnce() -> Result<R, Fault>) -> Result<R, Fault> {
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
    done.unwrap_or_else(|_| Err(Fault::new("the file is damaged")))
}

macro_rules! faults {
    ($($error:ty),*) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Fault {
                Fault(error.to_string())
            }
        })*
    };
}

faults!(redb::TransactionError, redb::TableError, redb::StorageError, redb::CommitError);
