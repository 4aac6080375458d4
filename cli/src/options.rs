//! Options shared by several commands.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::TypedValueParser;
use outflank::kernel::Kernel;
use outflank::search::{Report, Search};
use outflank::session::OpenBook;

use crate::engine::EngineOptions;
use crate::native::{books, in_file, spawn_helpers};
use crate::print;

/// Number of search threads.
#[derive(Args, Clone, Debug)]
pub(crate) struct ThreadsOption {
    /// Search threads, 1 to 256
    #[arg(id = "threads", long = "threads", value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256).map(usize::from))]
    pub(crate) number: usize,
}

/// The instruction set.
#[derive(Args, Clone, Debug)]
pub(crate) struct Instructions {
    /// Instruction set: portable, avx2, avx512 or neon, if this processor has it; the fastest one by default
    #[arg(long, value_name = "NAME", value_parser = kernel, default_value = Kernel::best().name(),
        hide_default_value = true)]
    pub(crate) kernel: Kernel,
}

/// Reads a number of discs.
pub(crate) fn discs(text: &str) -> Result<f64, &'static str> {
    let discs = text.parse().ok().filter(|discs| (0.0..=128.0).contains(discs));
    discs.ok_or("must be a number of discs from 0 to 128")
}

/// Opens the book in a file, or the one of the program.
///
/// # Errors
/// The file and its error.
pub(crate) fn open_book(path: &Path) -> io::Result<OpenBook> {
    // Protocols transmit the name of the book as text.
    let name = path.to_str().ok_or_else(|| io::Error::other("the path of a book must be UTF-8"));
    books::open(name.map_err(in_file(path))?.to_owned()).map_err(io::Error::other)
}

/// Parallel searches.
#[derive(Args, Clone, Debug)]
pub(crate) struct Jobs {
    /// Games or positions searched in parallel, each with its own table
    #[arg(long = "jobs", id = "jobs", value_name = "N", default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) number: u32,
    #[command(flatten)]
    pub(crate) each: SearchOptions,
}

/// A search with its threads.
#[derive(Args, Clone, Debug)]
pub(crate) struct SearchOptions {
    #[command(flatten)]
    pub(crate) threads: ThreadsOption,
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    #[command(flatten)]
    pub(crate) instructions: Instructions,
}

/// The instruction set and the output format of a measurement.
#[derive(Args, Clone, Debug)]
pub(crate) struct Measure {
    #[command(flatten)]
    pub(crate) instructions: Instructions,
    /// Print one JSON value
    #[arg(long)]
    pub(crate) json: bool,
}

impl SearchOptions {
    /// Makes a search and starts its helper threads. Warns if some could not be started, or if there was not enough memory for
    /// the requested table.
    ///
    /// # Errors
    /// If the weights cannot be read.
    pub(crate) fn search(&self) -> io::Result<Search> {
        let search = Search::new(self.engine.config(self.instructions.kernel)?);
        let threads = self.threads.number;
        let started = spawn_helpers(&search, threads);
        if started < threads {
            print::note(format_args!("could start only {started} of {threads} search threads"));
        }
        let hash = search.hash_size();
        if hash < self.engine.hash {
            let text = "not enough memory for the requested hash table";
            print::note(format_args!("{text}; using {} MiB", hash.0));
        }
        Ok(search)
    }
}

/// The stop flag of searches that no other thread stops.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// Returns a function that returns `true` until `time` is over or `stop` is set, and until there is a report.
pub(crate) fn within(time: Option<Duration>, stop: &AtomicBool) -> impl Fn(Option<&Report>) -> bool {
    let start = Instant::now();
    let may_continue =
        move || !stop.load(Ordering::Relaxed) && time.is_none_or(|time| start.elapsed() < time);
    move |last| last.is_none() || may_continue()
}

/// Reads a number of seconds above 0.
pub(crate) fn seconds(text: &str) -> Result<Duration, &'static str> {
    let time = duration(text).filter(|time| !time.is_zero());
    time.ok_or("not a time in seconds above 0")
}

/// Reads a number of seconds, also with the unit `s` or `ms`. `None` for a negative time and for one of more than a year.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.parse::<f64>().ok()? * unit;
    (seconds <= 3.2e7).then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
}

fn kernel(text: &str) -> Result<Kernel, &'static str> {
    let named = Kernel::available().iter().copied().find(|kernel| kernel.name() == text);
    named.ok_or("not an instruction set of this processor (portable, avx2, avx512, neon)")
}
