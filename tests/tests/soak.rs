//! Short run of the soak test. `cargo xtask soak` runs the long one.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::time::Duration;

use outflank::session::Protocol;
use outflank_tests::soak::{Options, run};
use outflank_tests::spawned::program;

fn options(engine: &str) -> Options {
    // Other tests run at the same time.
    let late = Duration::from_secs(10);
    Options { engine: engine.into(), time: Duration::ZERO, seed: 7, late, growth: 32 << 20 }
}

#[test]
fn disturbed_games_in_every_protocol() {
    let options = options(program().unwrap().to_str().unwrap());
    let table = run(&Protocol::ALL, &options, |_| {}).unwrap_or_else(|fault| panic!("{fault}"));
    println!("{table}");
}

#[test]
#[cfg(unix)]
fn ended_program_is_reported() {
    let fault = run(&[Protocol::Hub], &options("false"), |_| {}).unwrap_err();
    assert!(fault.starts_with("the engine ended before its "), "{fault}");
}
