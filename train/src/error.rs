//! Why a subcommand could not do its work.

use std::fmt;
use std::path::Path;

/// An error, told in words.
pub(crate) struct Error(String);

impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Error {
        Error(error.to_string())
    }
}

impl Error {
    /// One of these words.
    pub(crate) fn new(text: impl Into<String>) -> Error {
        Error(text.into())
    }

    /// The same, naming the file.
    pub(crate) fn at(path: &Path, error: impl fmt::Display) -> Error {
        Error(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
