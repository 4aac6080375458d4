//! `outflank match` on every system: games of programs in all protocols, and faulty programs. `tests/native/console` contains
//! more.

use outflank_tests::spawned::{program, run};

#[test]
fn programs_play_and_faulty_ones_lose() {
    let fake = |mode: &str| format!("{} {mode}", env!("CARGO_BIN_EXE_fake_engine"));
    let program = program().unwrap().display();
    let own = |protocol: &str| format!("{protocol}:{program} {protocol} --hash 2 --eval small --book none");
    for (first, second, options, expected) in [
        (own("nboard"), own("cassio"), &["--depth", "2"][..], "first 0, second 0"),
        (own("hub"), own("xboard"), &["--depth", "2"], "first 0, second 0"),
        // The margin covers any delay of the machine.
        (own("nboard"), own("xboard"), &["--time", "1", "--margin", "900"], "first 0, second 0"),
        (own("xboard"), own("hub"), &["--move-time", "0.01", "--margin", "900"], "first 0, second 0"),
        (own("hub"), own("hub"), &["--nodes", "1000"], "first 0, second 0"),
        (own("gtp"), own("nboard"), &["--depth", "2"], "first 0, second 0"),
        (own("gtp"), own("gtp"), &["--time", "1", "--margin", "900"], "first 0, second 0"),
        (fake("crash"), fake("honest"), &["--depth", "1"], "first 2, second 0"),
        (fake("honest"), fake("illegal"), &["--depth", "1"], "first 0, second 2"),
        (fake("late"), fake("honest"), &["--depth", "1"], "first 0, second 0"),
    ] {
        let ended = run(&[&["match", &first, &second, "--games", "2"], options].concat(), b"");
        let line = format!("games lost by an error: {expected}\n");
        assert!(ended.code == Some(0) && ended.out.ends_with(&line), "{first}, {second}: {ended:?}");
    }
}
