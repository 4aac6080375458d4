//! `cargo xtask differential`: the same questions to every build, every kernel and every number of threads, and to plain
//! programs that are slow and easy to trust.
//!
//! | what is asked | who | right is |
//! | --- | --- | --- |
//! | moves, flips, last flips, leaves of the game tree | one thread | what the naive rules say |
//! | static values | one thread | the native portable kernels' |
//! | endgames of up to 14 empty squares, the table kept | all | a plain alpha-beta's score |
//! | positions of suites, each on its own | all | the suite's score |
//! | endgames of 15 to 20 empty squares, each on its own | all | the native portable kernels' score with one thread |
//! | nodes of all these | one thread | the native portable kernels' |
//! | games in three notations | the page's rules | what the native library reads |
//!
//! Rounds of fresh positions go on until the minutes are over. A difference is printed with its position and both answers,
//! and ends the run.

mod browser;
#[allow(dead_code, reason = "made for other tests, too")]
#[path = "../../../../engine/tests/properties/naive.rs"]
mod naive;
mod native;
#[allow(dead_code, reason = "made for other tests, too")]
#[path = "../../../../engine/tests/plain/mod.rs"]
mod plain;
mod positions;
#[allow(dead_code, reason = "made for other tests, too")]
#[path = "../../../../engine/tests/properties/random.rs"]
mod random;
mod reference;
mod round;
mod side;
mod tally;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use browser::Browser;
use native::Native;
use positions::Suites;
use round::Round;
use side::Side;
use tally::Tally;

/// What went wrong, for people.
type Fault = Box<dyn std::error::Error>;

/// Threads are tried up to this number.
const MOST_THREADS: usize = 8;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// `cargo xtask differential` gives the minutes, the seed and whether the browser takes part.
fn run() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, seed, browser] = &arguments[..] else {
        return Err("usage: outflank-differential MINUTES SEED browser|native".into());
    };
    let time = Duration::from_secs_f64(minutes.parse::<f64>()? * 60.0);
    let seed: u64 = seed.parse()?;
    let start = Instant::now();

    let mut browser = if browser == "browser" { Some(Browser::start()?) } else { None };
    let mut suites = Suites::read()?;
    let mut tally = Tally::new(sides(browser.as_mut())?);
    println!(
        "{} sides, {} positions of suites, seed {seed}, {minutes} minutes",
        tally.sides().len(),
        suites.total()
    );
    let mut number = 0;
    while tally.differences() == 0 && (number == 0 || start.elapsed() < time) {
        let round = Round::new(seed.wrapping_add(number), &mut suites);
        round.ask(&mut tally, browser.as_mut())?;
        number += 1;
        let minutes = start.elapsed().as_secs_f64() / 60.0;
        println!(
            "round {number}, {minutes:.1} min: {} answers compared, {} differences",
            tally.answers(),
            tally.differences()
        );
    }
    println!("\nseed {seed}, {number} rounds, {:.1} minutes", start.elapsed().as_secs_f64() / 60.0);
    println!("{tally}");
    match tally.differences() {
        0 => Ok(()),
        differences => Err(format!("{differences} differences, the first of them above").into()),
    }
}

/// Everybody who is asked, the one that others are compared with first.
fn sides(browser: Option<&mut Browser>) -> Result<Vec<Side>, Fault> {
    let mut sides = Native::sides(MOST_THREADS);
    if let Some(browser) = browser {
        sides.extend(browser.sides(MOST_THREADS)?);
    }
    Ok(sides)
}
