//! `cargo xtask differential`: compares every build, kernel and number of threads, and simple reference programs.
//!
//! | question | asked | reference |
//! | --- | --- | --- |
//! | moves, flips, last flips | one thread | naive rules |
//! | static values | one thread | native portable kernels |
//! | endgames of at most 14 empty squares, with one table for all | all | score of a plain alpha-beta search |
//! | positions of suites, each with a new table | all | score of the suite |
//! | endgames of 15 to 20 empty squares, each with a new table | all | score of the native portable kernels with one thread |
//! | nodes of all these | one thread | native portable kernels |
//!
//! Rounds with new positions run until the time is over. A difference is printed with its position and both answers, and ends
//! the run.

mod browser;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../../engine/tests/properties/naive.rs"]
mod naive;
mod native;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../../engine/tests/plain/mod.rs"]
mod plain;
mod positions;
mod reference;
mod round;
mod side;
mod tally;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use positions::Suites;
use side::Sides;
use tally::Tally;

type Fault = Box<dyn std::error::Error>;

const MAX_THREADS: usize = 8;

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
    let mut suites = Suites::read()?;
    let mut tally = Tally::default();
    println!(
        "{} sides, {} positions of suites, seed {seed}, {minutes} minutes",
        sides.all.len(),
        suites.total()
    );
    let mut number = 0;
    while tally.differences == 0 && (number == 0 || start.elapsed() < time) {
        round::ask(seed.wrapping_add(number), &mut suites, &mut sides, &mut tally)?;
        number += 1;
        let minutes = start.elapsed().as_secs_f64() / 60.0;
        println!(
            "round {number}, {minutes:.1} min: {} answers compared, {} differences",
            tally.answers(),
            tally.differences
        );
    }
    println!("\nseed {seed}, {number} rounds, {:.1} minutes", start.elapsed().as_secs_f64() / 60.0);
    tally.end()
}
