//! Counting leaves.

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use outflank::board::{Board, perft};

use crate::arguments::PerftOptions;

pub(crate) fn run(options: &PerftOptions) -> io::Result<ExitCode> {
    let PerftOptions { depth, kernel, json } = *options;
    let start = Instant::now();
    let nodes = perft(kernel, Board::START, depth);
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9);
    let kernel = kernel.name();
    if json {
        println!(
            "{{\"depth\": {depth}, \"kernel\": \"{kernel}\", \"nodes\": {nodes}, \"seconds\": {seconds:.6}, \
             \"nodes_per_second\": {speed:.0}}}"
        );
    } else {
        println!("perft {depth} ({kernel}): {nodes} leaves in {seconds:.3} s, {:.1} M/s", speed / 1e6);
    }
    Ok(ExitCode::SUCCESS)
}
