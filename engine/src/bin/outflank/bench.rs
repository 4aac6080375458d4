//! The fixed search.

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use outflank::search::bench;

use crate::arguments::BenchOptions;

pub(crate) fn run(options: &BenchOptions) -> io::Result<ExitCode> {
    let BenchOptions { kernel, json } = *options;
    let start = Instant::now();
    let nodes = bench(kernel, |line| {
        if !json {
            println!(
                "{} empties to depth {:2}: {:>6} {:>9} nodes",
                line.position.board().empties(),
                line.depth.plies(),
                line.score.to_string(),
                line.nodes
            );
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9);
    let kernel = kernel.name();
    if json {
        println!(
            "{{\"kernel\": \"{kernel}\", \"nodes\": {nodes}, \"seconds\": {seconds:.6}, \
             \"nodes_per_second\": {speed:.0}}}"
        );
    } else {
        println!("{nodes} nodes ({kernel}) in {seconds:.3} s, {:.2} M/s", speed / 1e6);
    }
    Ok(ExitCode::SUCCESS)
}
