//! The parts of the program that differ between systems: names of files, line ends, closed pipes and interrupts. The steps `arm`
//! and `windows` of `cargo xtask test` run these tests on other systems.

use std::fs;
use std::path::Path;
use std::process::Command;

use outflank_tests::folder::Folder;
use outflank_tests::spawned::{Ended, Spawned, program, run, succeed, until};

use crate::faults::PROTOCOLS;

#[test]
fn suite_is_solved_exactly() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/data/suites/fforum-1-19.obf");
    let table = succeed(&["solve", suite, "--hash", "16"]);
    assert!(table.contains("total: 19 solved") && !table.contains("disagree"), "{table}");
}

#[test]
fn names_of_files_have_spaces_and_any_letters() {
    let folder = Folder::new("Ö ж 日本 é");
    let names = ["Partien für Zoë.txt", "Ausgabe 1.jsonl", "книга a.book", "対局 1.pgn", "αναφορά.txt"];
    let [games, rows, book, pgn, report] = names.map(|name| folder.name(name));
    fs::write(&games, "\u{feff}f5d6c3d3c4f4f6f3\r\nf5f6e6f4\r\n").unwrap();
    for _ in 0..2 {
        succeed(&["analyze", &games, "--depth", "1", "--hash", "1", "--resume", &rows]);
        let text = fs::read_to_string(&rows).unwrap();
        assert_eq!((text.lines().count(), text.contains("Partien für Zoë.txt")), (2, true), "{text}");
    }
    succeed(&["book", "build", &games, "--book", &book, "--plies", "4", "--no-search"]);
    assert!(succeed(&["book", "check", "--book", &book]).ends_with(" of 2 games, 0 wrong\n"));
    let player = format!("hub:{} hub --hash 1 --eval small", program().display());
    let play =
        ["match", &player, &player, "--games", "1", "--depth", "1", "--pgn", &pgn, "--report", &report];
    assert!(!succeed(&play).contains("already"));
    assert!(succeed(&play).starts_with("1 game is in the report already\n"));
    assert_eq!(fs::read_to_string(&pgn).unwrap().matches("[Result ").count(), 1);
    assert!(succeed(&["convert", &pgn, "-", "--to", "txt"]).lines().count() == 1);
}

#[test]
fn lines_of_windows_are_read_and_lines_end_with_line_feeds() {
    for (_, opening, question, answer) in PROTOCOLS {
        let mut engine = Spawned::new(["--hash", "1", "--eval", "small"]);
        engine.send_bytes(format!("{opening}\r\n{question}\r\n").as_bytes());
        let lines = engine.until(answer);
        assert_eq!(lines.last().unwrap(), answer);
        assert_eq!(engine.leave(), Some(0), "{opening}");
    }
    assert!(!succeed(&["convert", "--help"]).contains('\r'));
}

#[test]
fn search_ends_when_the_output_is_closed() {
    let mut engine = Spawned::new(["hub", "--hash", "1", "--eval", "small"]);
    engine.send_bytes(b"hub\ninit\nlevel infinite\ngo analyze\n");
    engine.until("info ");
    engine.close_output();
    assert_eq!(engine.exit_code(), Some(0));
}

/// As a user presses Ctrl+C or closes the terminal.
#[test]
fn interrupted_analysis_is_resumed() {
    let folder = Folder::new("systems interrupt");
    let games = folder.name("games.txt");
    fs::write(&games, "f5d6c3d3c4f4f6f3\nf5f6e6f4e3d6g4d3c3h3\nf5f4e3f6\n").unwrap();
    for signal in if cfg!(windows) { &["-"][..] } else { &["-INT", "-HUP"] } {
        let rows = folder.name(&format!("rows{signal}.jsonl"));
        let resume = |depth| ["analyze", &games, "--hash", "1", "--resume", &rows, "--depth", depth];
        let start = |program: &Path, first: &[&str]| Spawned::of(program, [first, &resume("40")].concat());
        let code = if cfg!(windows) {
            let first = [&rows, program().to_str().unwrap()];
            start(Path::new(env!("CARGO_BIN_EXE_interrupt")), &first).exit_code()
        } else {
            let mut engine = start(program(), &[]);
            until("the output", || fs::exists(&rows).unwrap());
            let kill = Command::new("kill").args([signal, &*engine.id().to_string()]).status();
            assert!(kill.unwrap().success());
            engine.exit_code()
        };
        assert_eq!(code, cfg!(windows).then_some(0), "{signal}");
        succeed(&resume("1"));
        assert_eq!(fs::read_to_string(&rows).unwrap().lines().count(), 3);
    }
}

#[test]
fn locked_output_is_refused() {
    let folder = Folder::new("systems locked");
    let [games, rows] = ["games.txt", "rows.jsonl"].map(|name| folder.name(name));
    fs::write(&games, "f5d6c3").unwrap();
    let file = fs::File::create(&rows).unwrap();
    file.lock().unwrap();
    let resume = ["analyze", &games, "--hash", "1", "--depth", "1", "--resume", &rows];
    let Ended { code, err, .. } = run(&resume);
    assert!(code == Some(2) && err.ends_with("another program keeps it locked\n"), "{code:?} {err}");
    drop(file);
    succeed(&resume);
}
