//! The parts of the program that differ between systems: names of files, line ends, closed pipes and interrupts. The steps `arm`
//! and `windows` of `cargo xtask test` run these tests on other systems.

use std::fs;
use std::process::Command;

use outflank_tests::folder::Folder;
use outflank_tests::spawned::{Spawned, program, succeed, until};

#[test]
fn suite_is_solved_exactly() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/data/suites/fforum-1-19.obf");
    let table = succeed(&["solve", suite, "--hash", "16"]);
    assert!(table.contains("total: 19 solved") && !table.contains("disagree"), "{table}");
    assert!(!table.contains('\r'), "lines end with line feeds on every system");
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
    assert_eq!(succeed(&["convert", &pgn, "-", "--to", "txt"]).lines().count(), 1);
}

#[test]
fn search_ends_when_the_output_is_closed() {
    let mut engine = Spawned::new(["hub", "--hash", "1", "--eval", "small"]);
    engine.send_bytes(b"hub\ninit\nlevel infinite\ngo analyze\n");
    engine.until("info ");
    engine.close_output();
    assert_eq!(engine.exit_code(), Some(0));
}

/// As a user presses Ctrl+C or closes the terminal. On Windows, the program is killed.
#[test]
fn interrupted_analysis_is_resumed() {
    let folder = Folder::new("systems interrupt");
    let games = folder.name("games.txt");
    fs::write(&games, "f5d6c3d3c4f4f6f3\nf5f6e6f4e3d6g4d3c3h3\nf5f4e3f6\n").unwrap();
    for signal in ["-INT", "-HUP"] {
        let rows = folder.name(&format!("rows{signal}.jsonl"));
        let resume = |depth| ["analyze", &games, "--hash", "1", "--resume", &rows, "--depth", depth];
        let mut engine = Spawned::new(resume("40"));
        until("the output", || fs::exists(&rows).unwrap());
        if !cfg!(windows) {
            let kill = Command::new("kill").args([signal, &*engine.id().to_string()]).status();
            assert!(kill.unwrap().success());
            assert_eq!(engine.exit_code(), None, "{signal}");
        }
        drop(engine);
        succeed(&resume("1"));
        assert_eq!(fs::read_to_string(&rows).unwrap().lines().count(), 3);
    }
}
