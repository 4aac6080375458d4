//! Counting leaves.

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use outflank::board::{Board, perft};
use serde::Serialize;

use crate::json;
use crate::options::Measure;
use crate::print;

/// Count the leaves of the game tree
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Depth in plies, 0 to 20
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    #[command(flatten)]
    measure: Measure,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Count {
    depth: u32,
    kernel: &'static str,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let (depth, kernel) = (options.depth, options.measure.kernel());
    let start = Instant::now();
    let nodes = perft(kernel, Board::START, depth);
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9);
    let kernel = kernel.name();
    if options.measure.json {
        let nodes_per_second = speed.round() as u64;
        let seconds = json::rounded(seconds, 6);
        json::print(&Count { depth, kernel, nodes, seconds, nodes_per_second })?;
    } else {
        print::line(format_args!(
            "perft {depth} ({kernel}): {nodes} leaves in {seconds:.3} s, {:.1} M/s",
            speed / 1e6
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
