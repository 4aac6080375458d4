//! Sides of the comparison.

use std::fmt;

use super::browser::Browser;
use super::{Fault, native};

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

/// Size of the tables in mebibytes. It is small, so that entries are replaced.
pub(crate) const HASH: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Solved {
    pub(crate) score: i64,
    pub(crate) nodes: u64,
}

/// All sides, the reference first.
pub(crate) struct Sides {
    pub(crate) all: Vec<Side>,
    browser: Option<Browser>,
}

impl Sides {
    /// Returns the native sides with at most `max_threads` threads, and those of a browser if requested.
    pub(crate) fn start(max_threads: usize, with_browser: bool) -> Result<Sides, Fault> {
        let mut all = native::sides(max_threads);
        let mut browser = if with_browser { Some(Browser::start()?) } else { None };
        if let Some(browser) = &mut browser {
            all.extend(browser.sides(max_threads)?);
        }
        Ok(Sides { all, browser })
    }

    pub(crate) fn leaves(&mut self, side: &Side, positions: &[String]) -> Result<Vec<String>, Fault> {
        let answers = match &mut self.browser {
            Some(browser) if side.build != Build::Native => browser.leaves(side, positions),
            _ => native::leaves(side, positions),
        };
        complete(side, answers?, positions.len())
    }

    /// Solves positions. If `keep_table` is set, the table is not cleared between them.
    pub(crate) fn solve(
        &mut self,
        side: &Side,
        positions: &[String],
        keep_table: bool,
    ) -> Result<Vec<Solved>, Fault> {
        let answers = match &mut self.browser {
            Some(browser) if side.build != Build::Native => browser.solve(side, positions, keep_table),
            _ => native::solve(side, positions, keep_table),
        };
        complete(side, answers?, positions.len())
    }
}

fn complete<T>(side: &Side, answers: Vec<T>, questions: usize) -> Result<Vec<T>, Fault> {
    match answers.len() {
        count if count == questions => Ok(answers),
        count => Err(format!("{side}: {count} answers to {questions} questions").into()),
    }
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
