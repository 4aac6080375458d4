//! A short sitting with the program; `cargo xtask soak` has the long one.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::time::Duration;

use outflank::session::Protocol;
use outflank_tests::soak::{Length, Options, run};
use outflank_tests::spawned::program;

#[test]
fn a_game_in_each_dialect_whatever_is_done_to_the_engines() {
    let options = Options {
        engine: program().unwrap().to_owned(),
        dialects: Protocol::ALL.to_vec(),
        length: Length::Games(2),
        seed: 7,
        // Other tests run beside it.
        late: Duration::from_secs(10),
        growth: 32 << 20,
    };
    let outcome = run(&options, |line| println!("{line}")).unwrap();
    println!("{}", outcome.table());
    assert!(outcome.faults.is_empty(), "{}", outcome.faults.join("\n"));
    for (dialect, figures) in &outcome.rows {
        assert!(figures.moves > 50 && figures.replies() > 20, "{dialect}: {figures:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_program_that_dies_is_told_of() {
    let options = Options {
        engine: "false".into(),
        dialects: vec![Protocol::Hub],
        length: Length::Games(1),
        seed: 1,
        late: Duration::from_secs(10),
        growth: 0,
    };
    let fault = run(&options, |_| {}).unwrap_err();
    assert!(fault.starts_with("it has died before its wait"), "{fault}");
}
