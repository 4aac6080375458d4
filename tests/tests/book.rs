//! Opening books in text form, through the program.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use outflank_tests::engine::Engine;
use outflank_tests::folder::Folder;
use outflank_tests::spawned::{Spawned, program};

const START: &str = "---------------------------OX------XO---------------------------";

fn book(folder: &Folder, text: &str) -> PathBuf {
    let path = folder.path("book.txt");
    fs::write(&path, text).unwrap();
    path
}

fn start(dialect: &str, book: &Path) -> Spawned {
    let arguments = [dialect.as_ref(), "--hash".as_ref(), "4".as_ref(), "--book".as_ref(), book.as_os_str()];
    Spawned::new(program().unwrap(), arguments).unwrap()
}

fn game(moves: &str) -> String {
    format!("set game (;GM[Othello]TY[8]BO[8 {START} *]{moves};)")
}

const AFTER_F5: &str = "B[F5]";

#[test]
fn nboard_plays_and_hints() {
    let folder = Folder::new("book-nboard").unwrap();
    let path = book(&folder, "f5d6c3 +0.50\nf5f6 +2.25\nf5d6c5 +0\nf5f4e3 +64\n");
    let mut engine = start("nboard", &path);
    for line in ["nboard 2", "set depth 4", &game(AFTER_F5), "go"] {
        engine.send(line);
    }
    let lines = engine.until("=== ");
    assert_eq!(lines[1..], ["book D6C3 -0.50 2 2@book", "=== D6/-0.50/0.00"]);
    engine.until("status Outflank is waiting");

    // All moves are in the book: no search is needed.
    engine.send("hint 64");
    assert_eq!(
        engine.until("status Outflank is waiting"),
        [
            "status Outflank is analyzing",
            "book D6C3 -0.50 2 2@book",
            "book F6 -2.25 1 1@book",
            "book F4E3 -64.00 1 2@book",
            "status Outflank is waiting"
        ]
    );
    // One of five moves is in the book, the others are searched.
    engine.send(&game("B[F5]W[F6]"));
    engine.send("hint 3");
    let lines = engine.until("status Outflank is waiting");
    assert!(
        lines.iter().any(|line| line.starts_with("search ")) && !lines.iter().any(|l| l.starts_with("book"))
    );

    // A game that is not over cannot be learned, and a text cannot learn.
    engine.send("learn");
    assert_eq!(engine.until("learned"), ["status the game is not over: nothing to learn", "learned"]);
    let before = fs::read_to_string(&path).unwrap();
    engine.send(&game("B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5]"));
    engine.send("learn");
    let error = format!(
        "status Error: book: {}: cannot learn into a text: `outflank book import` makes a stored book of it",
        path.display()
    );
    assert_eq!(engine.until("learned"), [error.as_str(), "learned"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
}

#[test]
fn hub_opens_the_book_of_its_parameter() {
    let folder = Folder::new("book-hub").unwrap();
    let path = book(&folder, "f5d6 +0.50\n");
    let mut engine = Spawned::new(program().unwrap(), ["hub", "--hash", "4"]).unwrap();
    engine.send("hub");
    assert!(engine.until("wait").contains(&"param name=book value=\"\" type=string".to_owned()));
    engine.send(&format!("set-param name=book value=\"{}\"", folder.path("none.txt").display()));
    engine.send("init");
    let lines = engine.until("ready");
    assert!(lines[0].starts_with("error message=\"book: ") && lines[0].contains("none.txt"), "{lines:?}");
    engine.send(&format!("set-param name=book value=\"{}\"", path.display()));
    engine.send("init");
    assert_eq!(engine.until("ready"), ["ready"]);
    let squares = START.replace('X', "b").replace('O', "w").replace('-', "e");
    engine.send(&format!("pos pos=B{squares} moves=f5"));
    engine.send("level depth=3");
    engine.send("go think");
    assert_eq!(engine.until("done"), ["info score=-0.50 proof=book pv=d6", "done move=d6"]);
    // An analysis does not use the book.
    engine.send("go analyze");
    assert!(engine.until("done")[0].contains("proof=heuristic"));
}

#[test]
fn invalid_book_is_named_by_file_and_line() {
    let folder = Folder::new("book-faulty").unwrap();
    let path = book(&folder, "f5d6 +0.5\n\nf5d6c3\n");
    let error = |path: &Path| {
        let output = Command::new(program().unwrap()).args(["nboard", "--book"]).arg(path).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let expected = format!("{}: line 3: the value is missing, and the game is not over", path.display());
    assert!(error(&path).contains(&expected), "{}", error(&path));
    assert!(error(&folder.path("none")).contains("none"));
}
