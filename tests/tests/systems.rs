//! The parts of the program that differ between systems: names of files, line ends, closed pipes and interrupts. The steps `arm`
//! and `windows` of `cargo xtask test` run these tests on other systems.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::process::Command;
use std::time::Duration;

use outflank_tests::folder::Folder;
use outflank_tests::spawned::{Ended, Spawned, program, run};

/// Returns the output of a command that must succeed.
fn well(arguments: &[&str]) -> String {
    let Ended { code, out, err } = run(arguments, b"");
    assert_eq!(code, Some(0), "{arguments:?}: {err}");
    out
}

#[test]
fn suite_is_solved_exactly() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/data/suites/fforum-1-19.obf");
    let table = well(&["solve", suite, "--hash", "16"]);
    assert!(table.contains("total: 19 solved") && !table.contains("disagree"), "{table}");
}

#[test]
fn names_of_files_have_spaces_and_any_letters() {
    let folder = Folder::new("Ö ж 日本 é").unwrap();
    let [games, rows, book, pgn] = ["Partien für Zoë.txt", "Ausgabe 1.jsonl", "книга a.book", "対局 1.pgn"]
        .map(|name| folder.name(name));
    fs::write(&games, "\u{feff}f5d6c3d3c4f4f6f3\r\nf5f6e6f4\r\n").unwrap();
    for _ in 0..2 {
        well(&["analyze", &games, "--depth", "1", "--hash", "1", "--resume", &rows]);
        let text = fs::read_to_string(&rows).unwrap();
        assert_eq!((text.lines().count(), text.contains("Partien für Zoë.txt")), (2, true), "{text}");
    }
    well(&["book", "build", &games, "--book", &book, "--plies", "4", "--no-search"]);
    assert!(well(&["book", "check", "--book", &book]).ends_with(" of 2 games, 0 wrong\n"));
    let player = format!("hub:{} hub --hash 1 --eval small", program().unwrap().display());
    well(&["match", &player, &player, "--games", "1", "--depth", "1", "--pgn", &pgn]);
    assert!(fs::read_to_string(&pgn).unwrap().contains("[Result "));
    assert!(well(&["convert", &pgn, "-", "--to", "txt"]).lines().count() == 1);
}

#[test]
fn lines_of_windows_are_read_and_lines_end_with_line_feeds() {
    for (opening, question, answer) in [
        ("nboard 2", "ping 7", "pong 7"),
        ("hub", "ping", "pong"),
        ("xboard", "ping 7", "pong 7"),
        ("ENGINE-PROTOCOL init", "ENGINE-PROTOCOL stop", "ready."),
    ] {
        let mut engine = Spawned::new(program().unwrap(), ["--hash", "1", "--eval", "small"]).unwrap();
        engine.send_bytes(format!("{opening}\r\n{question}\r\n").as_bytes());
        let lines = engine.until(answer);
        assert_eq!(lines.last().unwrap(), answer);
        assert_eq!(engine.leave().unwrap().1, Some(0), "{opening}");
    }
    assert!(!well(&["convert", "--help"]).contains('\r'));
}

#[test]
fn search_ends_when_the_output_is_closed() {
    let mut engine = Spawned::new(program().unwrap(), ["hub", "--hash", "1", "--eval", "small"]).unwrap();
    engine.send_bytes(b"hub\ninit\nlevel infinite\ngo analyze\n");
    engine.until("info ");
    engine.close_output();
    assert_eq!(engine.ended_within(Duration::from_secs(60)).expect("it ends").1, Some(0));
}

/// As a user presses Ctrl+C in a terminal.
#[cfg(unix)]
#[test]
fn interrupted_analysis_is_resumed() {
    let folder = Folder::new("systems interrupt").unwrap();
    let [games, rows] = ["games.txt", "rows.jsonl"].map(|name| folder.name(name));
    fs::write(&games, "f5d6c3d3c4f4f6f3\nf5f6e6f4e3d6g4d3c3h3\nf5f4e3f6\n").unwrap();
    let resume =
        |depth| ["analyze", games.as_str(), "--hash", "1", "--resume", rows.as_str(), "--depth", depth];
    let mut engine = Spawned::new(program().unwrap(), resume("30")).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let killed = Command::new("kill").args(["-INT", &engine.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(engine.ended_within(Duration::from_secs(20)).expect("it ends").1, None);
    well(&resume("1"));
    assert_eq!(fs::read_to_string(&rows).unwrap().lines().count(), 3);
}
