//! What can go wrong with a store.

use std::fmt;
use std::io;

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
