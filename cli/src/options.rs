//! Options that several commands have.

use std::io;

use clap::Args;
use outflank::kernel::Kernel;
use outflank::score::Confidence;
use outflank::search::{Depth, Limits, Search};
use outflank_cli::native::lend_threads;

use crate::engine::EngineOptions;
use crate::print;

/// Depth in plies of a measuring search when nothing is said.
const DEFAULT_DEPTH: u32 = 10;

/// How many threads search.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Threads {
    /// Search threads, 1 to 256
    #[arg(id = "threads", long = "threads", value_name = "N", default_value = "1", value_parser = threads)]
    pub(crate) number: usize,
}

/// What to compute with.
#[derive(Args, Clone, Debug)]
pub(crate) struct Instructions {
    /// Instruction set: portable, avx2 or avx512, as far as this processor has it; the best there is by default
    #[arg(long, value_name = "NAME", value_parser = kernel)]
    kernel: Option<Kernel>,
}

/// Searches side by side.
#[derive(Args, Clone, Debug)]
pub(crate) struct Jobs {
    /// Games or positions side by side, each with its own table
    #[arg(long = "jobs", id = "jobs", value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) number: u32,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    #[command(flatten)]
    pub(crate) instructions: Instructions,
}

/// What to compute with, and how to print.
#[derive(Args, Clone, Debug)]
pub(crate) struct Measure {
    #[command(flatten)]
    instructions: Instructions,
    /// Print one JSON value
    #[arg(long)]
    pub(crate) json: bool,
}

/// How far a measuring search goes.
#[derive(Args, Clone, Debug)]
pub(crate) struct SearchLimits {
    /// Search to D plies, 1 to 60 [default: 10, or with --nodes no limit]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Search N nodes a position
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Confidence of the cuts in percent, 1 to 100; 100 is no cuts
    #[arg(long, value_name = "P", default_value = "100",
        value_parser = clap::value_parser!(u8).range(1..=100))]
    selectivity: u8,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads { number: 1 }
    }
}

impl Threads {
    /// Starts all threads but this one, as far as they are to be had.
    pub(crate) fn lend_to(&self, search: &Search) {
        let lent = lend_threads(search, self.number);
        if lent < self.number {
            print::note(format_args!(
                "no more than {lent} of {} threads could be started to search",
                self.number
            ));
        }
    }
}

/// Tells if there was no memory for the table that was wanted.
pub(crate) fn told_of_hash(search: &Search, wanted: &EngineOptions) {
    if search.hash_size() < wanted.hash {
        print::note(format_args!("no room for so large a table; it has {} MiB", search.hash_size().0));
    }
}

impl Instructions {
    /// The instruction set.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel.unwrap_or_else(Kernel::best)
    }
}

impl Jobs {
    /// A search with its threads, for one of the jobs.
    ///
    /// # Errors
    /// Where the weights cannot be read.
    pub(crate) fn search(&self) -> io::Result<Search> {
        let search = Search::new(self.engine.config(self.instructions.kernel())?);
        self.threads.lend_to(&search);
        told_of_hash(&search, &self.engine);
        Ok(search)
    }
}

impl Measure {
    /// The instruction set.
    pub(crate) fn kernel(&self) -> Kernel {
        self.instructions.kernel()
    }
}

impl SearchLimits {
    /// The limits.
    pub(crate) fn limits(&self) -> Limits {
        let depth = match (self.depth, self.nodes) {
            (Some(depth), _) => Depth::new(depth),
            // Nodes alone end the search.
            (None, Some(_)) => Depth::MAX,
            (None, None) => Depth::new(DEFAULT_DEPTH),
        };
        let confidence = Confidence::at_least(self.selectivity);
        Limits { depth, exact_from: 0, confidence, nodes: self.nodes }
    }
}

fn threads(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|number| (1..=256).contains(number)).ok_or("not a number from 1 to 256")
}

fn kernel(text: &str) -> Result<Kernel, &'static str> {
    let named = Kernel::available().iter().copied().find(|kernel| kernel.name() == text);
    named.ok_or("not an instruction set this processor has (portable, avx2, avx512)")
}
