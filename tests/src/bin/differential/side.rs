//! Sides of the comparison.

use std::fmt;

/// A build with a set of kernels and a number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) build: Build,
    pub(crate) kernel: String,
    pub(crate) threads: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    Native,
    /// The module for one worker.
    Wasm,
    /// The module for shared memory.
    Shared,
}

#[derive(Clone, Debug)]
pub(crate) struct Endgames {
    pub(crate) positions: Vec<String>,
    /// The table is not cleared between positions.
    pub(crate) keep_table: bool,
}

/// Size of the tables in mebibytes. It is small, so that entries are replaced.
pub(crate) const HASH: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Solved {
    pub(crate) score: i64,
    pub(crate) nodes: u64,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let build = match self.build {
            Build::Native => "native",
            Build::Wasm => "wasm",
            Build::Shared => "wasm, shared memory",
        };
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        write!(f, "{build}, {}, {} {threads}", self.kernel, self.threads)
    }
}
