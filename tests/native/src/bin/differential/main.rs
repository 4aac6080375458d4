//! `cargo xtask differential`: compares every build, kernel and number of threads. The tests of the engine compare its kernels with
//! naive rules, natively and in a worker, and its endgame with a plain search and with the scores of suites.
//!
//! | question | asked | reference |
//! | --- | --- | --- |
//! | endgames of at most 14 empty squares, with one table for all | all | score of the native portable kernels with one thread |
//! | endgames of 15 to 20 empty squares, each with a new table | all | the same |
//! | nodes of all these | one thread | native portable kernels |
//!
//! Rounds with new positions run until the time is over. The first difference ends the run.

mod browser;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../../../engine/tests/plain/mod.rs"]
mod plain;
mod positions;
mod side;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use plain::Random;
use side::{Side, Sides, Solved};

type Fault = Box<dyn std::error::Error>;

const MAX_THREADS: usize = 8;

/// Numbers of positions in a round.
const SMALL: usize = 200;
const LARGE: usize = 6;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, seed, browser] = &arguments[..] else {
        return Err("usage: outflank-differential MINUTES SEED browser|native".into());
    };
    let time = Duration::from_secs_f64(minutes.parse::<f64>()? * 60.0);
    let seed: u64 = seed.parse()?;
    let start = Instant::now();
    let mut sides = Sides::start(MAX_THREADS, browser == "browser")?;
    let mut answers = 0;
    println!("{} sides, seed {seed}, {minutes} minutes", sides.all.len());
    for round in 0.. {
        let mut random = Random::new(seed.wrapping_add(round));
        answers += endgames(&positions::endgames(&mut random, SMALL, false), &mut sides, true)?;
        answers += endgames(&positions::endgames(&mut random, LARGE, true), &mut sides, false)?;
        println!("{} rounds, {:.0?}: {answers} answers compared", round + 1, start.elapsed());
        if start.elapsed() >= time {
            break;
        }
    }
    Ok(())
}

/// Lets all sides solve endgames. Returns the number of answers.
fn endgames(positions: &[String], sides: &mut Sides, keep_table: bool) -> Result<usize, Fault> {
    let mut first = Vec::new();
    for side in &sides.all.clone() {
        let solved = sides.solve(side, positions, keep_table)?;
        compare(side, "number of answers", &positions.len().to_string(), &solved.len().to_string())?;
        if first.is_empty() {
            first.clone_from(&solved);
        }
        for ((position, solved), first) in positions.iter().zip(&solved).zip(&first) {
            let shown = |Solved { score, nodes }| match side.threads {
                1 => format!("score {score:+}, {nodes} nodes"),
                _ => format!("score {score:+}"),
            };
            compare(side, position, &shown(*first), &shown(*solved))?;
        }
    }
    Ok(positions.len() * sides.all.len())
}

fn compare(side: &Side, subject: &str, expected: &str, found: &str) -> Result<(), Fault> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{side}: {subject}\n  expected {expected}\n  found    {found}").into())
}
