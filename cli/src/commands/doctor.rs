//! Checks the program on this machine.

use std::fs;
use std::io;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::analysis::ask;
use outflank::board::Position;
use outflank::eval::Evaluator;
use outflank::kernel::Kernel;
use outflank::notation::obf::{self, ScoredPosition};
use outflank::score::Discs;
use outflank::search::{BENCH_SIGNATURE, Goal, HashSize, Limits, bench};

use crate::engine::{self, EngineOptions, Weights};
use crate::json::{self, object};
use crate::options::{Instructions, SearchOptions, ThreadsOption};
use crate::print;

/// Positions 40 to 49 of the FFO suite, with the score of the best move.
const SUITE: &str = include_str!("doctor.obf");
/// Seconds for the suite in the README's comparison, with one thread and with two.
const README_SECONDS: [f64; 2] = [16.6, 7.4];
const HASH: HashSize = HashSize(64);

/// Check the program on this machine: kernels, networks, threads, and speed
///
/// Prints the processor, the memory, the instruction sets, the evaluation networks and the threads that start. Runs the fixed
/// search with each instruction set, which must visit the same number of nodes on every machine. Solves positions 40 to 49 of
/// the FFO suite with one thread and with all, and prints the times beside those of the README. The exit status is 1 if a check
/// failed.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Do not measure the speed
    #[arg(long)]
    quick: bool,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
}

/// The exact solution of the suite with a number of threads.
struct Speed {
    threads: usize,
    nodes: u64,
    time: Duration,
    /// All scores are those of the suite.
    agrees: bool,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let signatures: Vec<(Kernel, u64)> = Kernel::available()
        .iter()
        .map(|&kernel| (kernel, bench(kernel, Evaluator::default(), |_| {})))
        .collect();
    let large = EngineOptions { hash: HASH, weights: Weights { eval: Some(engine::Eval::Large) } };
    let large = large.config(Kernel::best()).map(drop);
    let mut threads = vec![1, cores];
    threads.dedup();
    threads.retain(|_| !options.quick);
    let speeds: Vec<Speed> = threads.into_iter().map(solve).collect::<Result<_, _>>()?;
    let names: Vec<&str> = signatures.iter().map(|(kernel, _)| kernel.name()).collect();
    let wrong = signatures.iter().filter(|(_, nodes)| *nodes != BENCH_SIGNATURE);
    let wrong: Vec<&str> = wrong.map(|(kernel, _)| kernel.name()).collect();
    let all_well = wrong.is_empty() && large.is_ok() && speeds.iter().all(|speed| speed.agrees);
    let status = if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    let version = env!("CARGO_PKG_VERSION");
    let processor = processor().unwrap_or_else(|| "unknown".to_owned());
    let memory = memory_bytes().map(|bytes| bytes as f64 / (1_u64 << 30) as f64);
    if options.json {
        let solved = speeds.iter().map(|speed| {
            object! {
                "threads": speed.threads,
                "nodes": speed.nodes,
                "seconds": json::rounded(speed.time.as_secs_f64(), 3),
                "agrees": speed.agrees,
            }
        });
        json::print(&object! {
            "version": version,
            "system": system(),
            "processor": processor,
            "cores": cores,
            "memory_gib?": memory.map(|gib| json::rounded(gib, 1)),
            "kernels": names,
            "signature": BENCH_SIGNATURE,
            "wrong": wrong,
            "large_network": large.is_ok(),
            "solved": solved.collect::<Vec<_>>(),
            "passed": all_well,
        })?;
        return Ok(status);
    }
    print::line(format_args!("outflank {version}, {}", system()))?;
    print::line(format_args!("processor    {processor}, {cores} hardware threads"))?;
    if let Some(gib) = memory {
        print::line(format_args!("memory       {gib:.1} GiB"))?;
    }
    print::line(format_args!("kernels      {}; {} is used", names.join(", "), Kernel::best().name()))?;
    print::line(format_args!("network      {}", network(&large)))?;
    for (kernel, nodes) in &signatures {
        let verdict = if wrong.contains(&kernel.name()) { "WRONG" } else { "right" };
        print::line(format_args!("signature    {nodes} with {}: {verdict}", kernel.name()))?;
    }
    speeds.iter().try_for_each(print_speed)?;
    print::line(if all_well { "all checks passed" } else { "a check failed" })?;
    Ok(status)
}

/// Returns the networks that are used.
fn network(large: &io::Result<()>) -> String {
    match (large, Kernel::best()) {
        (Err(error), _) => format!("small; the large one is invalid: {error}"),
        (Ok(()), Kernel::Portable) => "small, since the processor has no kernel for the large one".to_owned(),
        (Ok(()), _) => "large for GUIs, small for `solve` and `bench`".to_owned(),
    }
}

fn print_speed(speed: &Speed) -> io::Result<()> {
    let (seconds, count) = (speed.time.as_secs_f64(), speed.threads);
    let millions = speed.nodes as f64 / 1e6;
    let readme = README_SECONDS.get(count - 1).map(|of| format!("; README: {of} s")).unwrap_or_default();
    let verdict = if speed.agrees { "" } else { "; WRONG SCORES" };
    print::line(format_args!(
        "speed        {count} thread{}: {millions:.1} M nodes in {seconds:.2} s, {:.1} M/s{readme}{verdict}",
        if count == 1 { "" } else { "s" },
        millions / seconds.max(1e-9)
    ))
}

/// Solves the suite, each position with an empty table.
fn solve(threads: usize) -> io::Result<Speed> {
    let options = SearchOptions {
        threads: ThreadsOption { number: threads },
        engine: EngineOptions { hash: HASH, weights: Weights { eval: None } },
        instructions: Instructions { kernel: Kernel::best() },
    };
    let mut search = options.search()?;
    let mut speed = Speed { threads, nodes: 0, time: Duration::ZERO, agrees: true };
    for (root, expected) in positions()? {
        search.clear();
        let start = Instant::now();
        let report = ask(&mut search, root, Goal::BestMove, Limits::NONE);
        speed.time += start.elapsed();
        speed.nodes += report.nodes;
        speed.agrees &= report.best().is_some_and(|line| line.score.centidiscs() == 100 * expected.get());
    }
    Ok(speed)
}

/// Returns the positions of the suite with their scores.
fn positions() -> io::Result<Vec<(Position, Discs)>> {
    let read = |(_, read): (usize, Result<ScoredPosition, _>)| {
        let scored = read.map_err(io::Error::other)?;
        let score = scored.best().ok_or_else(|| io::Error::other("a position without a score"))?;
        Ok((scored.position, score))
    };
    obf::read(SUITE).map(read).collect()
}

pub(super) fn system() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Returns the name of the processor, `None` if the system does not report it.
pub(super) fn processor() -> Option<String> {
    if cfg!(windows) {
        return std::env::var("PROCESSOR_IDENTIFIER").ok();
    }
    let value = field("/proc/cpuinfo", "model name").or_else(|| sysctl("machdep.cpu.brand_string"));
    value.filter(|value| !value.is_empty())
}

/// Returns the size of the memory, `None` if the system does not report it.
fn memory_bytes() -> Option<u64> {
    let kib = field("/proc/meminfo", "MemTotal");
    let kib = kib.and_then(|text| text.strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.map(|kib| kib << 10).or_else(|| sysctl("hw.memsize")?.parse().ok())
}

/// Returns the first value of a field in a file of `/proc`.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_prefix(':'))?;
    Some(value.trim().to_owned())
}

/// Returns a value of macOS.
fn sysctl(name: &str) -> Option<String> {
    if !cfg!(target_os = "macos") {
        return None;
    }
    let output = Command::new("sysctl").args(["-n", name]).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
