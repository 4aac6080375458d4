//! Short run of the soak test. `cargo xtask soak` runs the long one.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::time::Duration;

use outflank::session::Protocol;
use outflank_tests::soak::{Length, Options, run};
use outflank_tests::spawned::program;

#[test]
fn disturbed_games_in_every_protocol() {
    let options = Options {
        engine: program().unwrap().to_owned(),
        protocols: Protocol::ALL.to_vec(),
        length: Length::Games(2),
        seed: 7,
        // Other tests run at the same time.
        late: Duration::from_secs(10),
        growth: 32 << 20,
    };
    let outcome = run(&options, |line| println!("{line}")).unwrap();
    println!("{}", outcome.table());
    assert!(outcome.faults.is_empty(), "{}", outcome.faults.join("\n"));
    for (protocol, figures) in &outcome.rows {
        assert!(figures.moves > 50 && figures.replies.len() > 20, "{protocol}: {figures:?}");
    }
}

#[test]
#[cfg(unix)]
fn ended_program_is_reported() {
    let options = Options {
        engine: "false".into(),
        protocols: vec![Protocol::Hub],
        length: Length::Games(1),
        seed: 1,
        late: Duration::from_secs(10),
        growth: 0,
    };
    let fault = run(&options, |_| {}).unwrap_err();
    assert!(fault.starts_with("the engine ended before its "), "{fault}");
}
