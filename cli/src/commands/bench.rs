//! Measurements: the fixed search, and accuracy.

mod accuracy;
mod reasons;

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand};
use outflank::eval::Evaluator;

use crate::json::{self, object};
use crate::options::Measure;
use crate::print;

/// Run the fixed search, whose node count is the signature, or another measurement
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Options {
    #[command(subcommand)]
    measurement: Option<Measurement>,
    #[command(flatten)]
    measure: Measure,
}

#[derive(Debug, Subcommand)]
enum Measurement {
    Accuracy(accuracy::Options),
    Reasons(reasons::Options),
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    match &options.measurement {
        None => fixed_search(&options.measure),
        Some(Measurement::Accuracy(options)) => accuracy::run(options),
        Some(Measurement::Reasons(options)) => reasons::run(options),
    }
}

fn fixed_search(measure: &Measure) -> io::Result<ExitCode> {
    let kernel = measure.instructions.kernel;
    let start = Instant::now();
    let mut printed = Ok(());
    let nodes = outflank::search::bench(kernel, Evaluator::default(), |line| {
        if !measure.json && printed.is_ok() {
            printed = print::line(format_args!(
                "{} empties to depth {:2}: {:>6} {:>9} nodes",
                line.position.board().empties(),
                line.depth.plies(),
                line.score.to_string(),
                line.nodes
            ));
        }
    });
    printed?;
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9);
    let kernel = kernel.name();
    if measure.json {
        json::print(&object! {
            "kernel": kernel,
            "nodes": nodes,
            "seconds": json::rounded(seconds, 6),
            "nodes_per_second": speed.round() as u64,
        })?;
    } else {
        print::line(format_args!("{nodes} nodes ({kernel}) in {seconds:.3} s, {:.2} M/s", speed / 1e6))?;
    }
    Ok(ExitCode::SUCCESS)
}
