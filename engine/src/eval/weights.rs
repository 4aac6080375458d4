//! The weights file.

use std::fmt;

/// Why bytes are not a weights file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// The file ends too early.
    Truncated,
    /// The file does not begin with the mark of a weights file.
    NotWeights,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WeightsError::Truncated => "the weights file is truncated",
            WeightsError::NotWeights => "not a weights file",
        })
    }
}

impl std::error::Error for WeightsError {}
