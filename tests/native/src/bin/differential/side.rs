//! Sides of the comparison, and those of the native library in this process.

use std::fmt;
use std::thread;

use outflank::analysis::ask;
use outflank::kernel::Kernel;
use outflank::notation::squares;
use outflank::search::{Goal, HashSize, Limits, Search, SearchConfig};

use super::Fault;
use super::browser::Browser;

/// A build with a set of kernels and a number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) build: &'static str,
    pub(crate) kernel: String,
    pub(crate) threads: usize,
}

pub(crate) const NATIVE: &str = "native";

/// Size of the tables in mebibytes. It is small, so that entries are replaced.
pub(crate) const HASH: u32 = 4;

#[derive(Clone, Copy, Debug)]
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
    /// Returns every native kernel with one thread, the best kernel with up to `max_threads`, and the sides of a browser if
    /// requested.
    pub(crate) fn start(max_threads: usize, with_browser: bool) -> Result<Sides, Fault> {
        let side =
            |kernel: Kernel, threads| Side { build: NATIVE, kernel: kernel.name().to_owned(), threads };
        let mut all: Vec<Side> = Kernel::available().iter().map(|&kernel| side(kernel, 1)).collect();
        all.extend((2..=max_threads).map(|threads| side(Kernel::best(), threads)));
        let mut browser = if with_browser { Some(Browser::start()?) } else { None };
        if let Some(browser) = &mut browser {
            all.extend(browser.sides(max_threads)?);
        }
        Ok(Sides { all, browser })
    }

    /// Solves positions. If `keep_table` is set, the table is not cleared between them.
    pub(crate) fn solve(
        &mut self,
        side: &Side,
        positions: &[String],
        keep_table: bool,
    ) -> Result<Vec<Solved>, Fault> {
        if let Some(browser) = self.browser.as_mut().filter(|_| side.build != NATIVE) {
            return browser.solve(side, positions, keep_table);
        }
        let config = SearchConfig::default().with_hash(HashSize(HASH)).with_kernel(side.kernel()?);
        let mut search = Search::new(config);
        thread::scope(|scope| {
            for _ in 1..side.threads {
                let helper = search.helper();
                scope.spawn(move || helper.help());
            }
            let solve = |text: &String| {
                if !keep_table {
                    search.clear();
                }
                let root = squares::read(text)?;
                let report = ask(&mut search, root, Goal::BestMove, Limits::NONE);
                let over = 100 * root.board().final_score();
                let centidiscs = report.best().map_or(over, |line| line.score.centidiscs());
                Ok(Solved { score: i64::from(centidiscs / 100), nodes: report.nodes })
            };
            let solved = positions.iter().map(solve).collect();
            search.close_helpers();
            solved
        })
    }
}

impl Side {
    fn kernel(&self) -> Result<Kernel, Fault> {
        let mut all = Kernel::available().iter().copied();
        Ok(all.find(|kernel| kernel.name() == self.kernel).ok_or("unknown kernel")?)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        write!(f, "{}, {}, {} {threads}", self.build, self.kernel, self.threads)
    }
}
