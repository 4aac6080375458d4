//! What a session is told at the start.

use crate::search::HashSize;

/// What every dialect may have to tell its GUI about the engine, and what it may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionConfig {
    /// The engine's name, one word.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Size of the transposition table at the start.
    pub hash: HashSize,
    /// Number of search threads at the start.
    pub threads: usize,
    /// The most search threads the driver can lend.
    pub max_threads: usize,
}

impl Default for SessionConfig {
    fn default() -> SessionConfig {
        SessionConfig {
            name: "Outflank",
            version: env!("CARGO_PKG_VERSION"),
            hash: HashSize(64),
            threads: 1,
            max_threads: 1,
        }
    }
}
