//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, value_parser};

/// Builds, serves, checks and measures Outflank.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Build the page and the native engine, and serve the page on 127.0.0.1
    Serve(Serve),
    /// Build the page into dist/
    Build,
    /// Build everything and pack it for users without a compiler, in target/package/
    Package,
    /// Run the quick checks: what has to pass before every commit
    Test {
        /// `release` for the other checks, `all` for both, or names of steps; `list` prints them with their budgets
        #[arg(value_name = "STEP")]
        steps: Vec<String>,
    },
    /// Count lines and code tokens
    Count,
    /// Build wasm-bindgen and wasm-bindgen-test-runner for wasm-pack
    Tools,
    /// Measure the native engine, the browser or the page
    #[command(subcommand)]
    Bench(Bench),
    /// Run the fuzz targets; needs a nightly toolchain
    Fuzz(Fuzz),
    /// Play disturbed games with running engines, and report reply times and memory
    Soak(Soak),
    /// Compare the results of all builds, kernels and thread counts
    Differential(Differential),
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Port on 127.0.0.1; 0 selects a free one
    #[arg(short, long, value_name = "N", default_value_t = 8064)]
    pub(crate) port: u16,
    /// Serve dist/ as it is
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Options of `outflank serve`, after `--`
    #[arg(last = true, value_name = "OPTION")]
    pub(crate) options: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Bench {
    /// Nodes and time of the fixed search, native and wasm, and of a deep search in wasm with 1 and 2 threads
    Search,
    /// Nodes and time of exact solving, native and wasm with 1 and 2 threads
    Endgame {
        /// OBF file with the positions; tests/native/data/suites/fforum-40-49.obf by default
        #[arg(long)]
        file: Option<PathBuf>,
        /// Size of the transposition table in MiB
        #[arg(long, value_name = "MB", default_value_t = 64, value_parser = value_parser!(u32).range(1..=1024))]
        hash: u32,
    },
    /// Check the time and size budgets of the page in a new browser
    Page,
}

#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// Minutes for all targets together
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = minutes())]
    pub(crate) minutes: u32,
    /// Targets that run at the same time
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=256))]
    pub(crate) jobs: u32,
    /// Add the inputs found so far to tests/properties/fuzz/corpus if they reach more code
    #[arg(long)]
    pub(crate) distill: bool,
    /// Names of targets, all by default; `list` prints them
    #[arg(value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// Minutes of play
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = minutes())]
    pub(crate) minutes: u32,
    /// Protocol to speak; may be repeated, all by default
    #[arg(long = "dialect", value_name = "NAME")]
    pub(crate) dialects: Vec<String>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Differential {
    /// Minutes; the last round is completed
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = minutes())]
    pub(crate) minutes: u32,
    /// Seed of the random positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Compare the native builds only
    #[arg(long)]
    pub(crate) native: bool,
}

fn minutes() -> clap::builder::RangedI64ValueParser<u32> {
    value_parser!(u32).range(1..=100_000)
}
