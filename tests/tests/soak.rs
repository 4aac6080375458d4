//! Short run of the soak test. `cargo xtask soak` runs the long one.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::time::Duration;

use outflank::session::Protocol;
use outflank_tests::soak::{Options, run};
use outflank_tests::spawned::program;

#[test]
fn disturbed_games_in_every_protocol() {
    let engine = program().unwrap().to_owned();
    // Other tests run at the same time.
    let late = Duration::from_secs(10);
    let options = Options { engine, time: Duration::ZERO, seed: 7, late, growth: 32 << 20 };
    let table = run(&Protocol::ALL, &options, |_| {}).unwrap_or_else(|fault| panic!("{fault}"));
    println!("{table}");
}
