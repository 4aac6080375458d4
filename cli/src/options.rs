//! Options shared by several commands.

use std::io;

use clap::Args;
use outflank::kernel::Kernel;
use outflank::score::Confidence;
use outflank::search::{Depth, Limits, Search};
use outflank_cli::native::spawn_helpers;

use crate::engine::EngineOptions;
use crate::print;

/// Default depth of a measurement in plies.
const DEFAULT_DEPTH: u32 = 10;

/// Number of search threads.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThreadsOption {
    /// Search threads, 1 to 256
    #[arg(id = "threads", long = "threads", value_name = "N", default_value = "1", value_parser = threads)]
    pub(crate) number: usize,
}

/// The instruction set.
#[derive(Args, Clone, Debug)]
pub(crate) struct Instructions {
    /// Instruction set: portable, avx2 or avx512, if this processor has it; the fastest one by default
    #[arg(long, value_name = "NAME", value_parser = kernel)]
    kernel: Option<Kernel>,
}

/// Parallel searches.
#[derive(Args, Clone, Debug)]
pub(crate) struct Jobs {
    /// Games or positions searched in parallel, each with its own table
    #[arg(long = "jobs", id = "jobs", value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) number: u32,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    #[command(flatten)]
    pub(crate) instructions: Instructions,
}

/// The instruction set and the output format of a measurement.
#[derive(Args, Clone, Debug)]
pub(crate) struct Measure {
    #[command(flatten)]
    instructions: Instructions,
    /// Print one JSON value
    #[arg(long)]
    pub(crate) json: bool,
}

/// Limits of the searches of a measurement.
#[derive(Args, Clone, Debug)]
pub(crate) struct SearchLimits {
    /// Search to D plies, 1 to 60 [default: 10, without a limit if --nodes is given]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Search N nodes per position
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Confidence of forward pruning in percent, 1 to 100; 100 disables it
    #[arg(long, value_name = "P", default_value = "100",
        value_parser = clap::value_parser!(u8).range(1..=100))]
    selectivity: u8,
}

impl Default for ThreadsOption {
    fn default() -> ThreadsOption {
        ThreadsOption { number: 1 }
    }
}

impl ThreadsOption {
    /// Starts the helper threads of `search`, and warns if some could not be started.
    pub(crate) fn spawn_helpers(&self, search: &Search) {
        let started = spawn_helpers(search, self.number);
        if started < self.number {
            print::note(format_args!("could start only {started} of {} search threads", self.number));
        }
    }
}

/// Warns if there was not enough memory for the requested table.
pub(crate) fn warn_if_hash_reduced(search: &Search, options: &EngineOptions) {
    if search.hash_size() < options.hash {
        print::note(format_args!(
            "not enough memory for the requested hash table; using {} MiB",
            search.hash_size().0
        ));
    }
}

impl Instructions {
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel.unwrap_or_else(Kernel::best)
    }
}

impl Jobs {
    /// Makes the search of one job and starts its helper threads.
    ///
    /// # Errors
    /// If the weights cannot be read.
    pub(crate) fn search(&self) -> io::Result<Search> {
        let search = Search::new(self.engine.config(self.instructions.kernel())?);
        self.threads.spawn_helpers(&search);
        warn_if_hash_reduced(&search, &self.engine);
        Ok(search)
    }
}

impl Measure {
    pub(crate) fn kernel(&self) -> Kernel {
        self.instructions.kernel()
    }
}

impl SearchLimits {
    pub(crate) fn limits(&self) -> Limits {
        let depth = match (self.depth, self.nodes) {
            (Some(depth), _) => depth,
            (None, Some(_)) => Depth::MAX.plies(),
            (None, None) => DEFAULT_DEPTH,
        };
        let confidence = Confidence::at_least(self.selectivity);
        Limits::to_depth(depth, confidence).with_nodes(self.nodes)
    }
}

fn threads(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|number| (1..=256).contains(number)).ok_or("not a number from 1 to 256")
}

fn kernel(text: &str) -> Result<Kernel, &'static str> {
    let named = Kernel::available().iter().copied().find(|kernel| kernel.name() == text);
    named.ok_or("not an instruction set of this processor (portable, avx2, avx512)")
}
