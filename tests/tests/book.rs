//! The opening book, through the program.
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

/// The lines up to the first that begins with `end`, that one included.
fn until(engine: &mut Spawned, end: &str) -> Vec<String> {
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &String| line.starts_with(end)) {
        lines.push(engine.next_line().unwrap_or_else(|| panic!("no `{end}` after {lines:?}")));
    }
    lines
}

fn game(moves: &str) -> String {
    format!("set game (;GM[Othello]TY[8]BO[8 {START} *]{moves};)")
}

/// Six squares are empty: a draw, or losses by 16 and by 2.
const DRAW: &str = "OOOOOOXXOOXOOXXXOXOXOXXXOOXXXOXXOOXXXXOX-OXXXXOXO--XXOOX--XXX-OO";
const AFTER_F5: &str = "B[F5]";

#[test]
fn nboard_plays_hints_and_learns() {
    let folder = Folder::new("book-nboard").unwrap();
    let path = book(&folder, "f5d6c3 +0.50\nf5f6 +2.25\nf5d6c5 +0\nf5f4e3 +64\n");
    let mut engine = start("nboard", &path);
    for line in ["nboard 2", "set depth 4", &game(AFTER_F5), "go"] {
        engine.send(line);
    }
    let lines = until(&mut engine, "=== ");
    assert_eq!(lines[1..], ["book D6C3 -0.50 2 2@book", "=== D6/-0.50/0.00"]);
    until(&mut engine, "status Outflank is waiting");

    // The whole position is in the book: nothing is searched.
    engine.send("hint 64");
    assert_eq!(
        until(&mut engine, "status Outflank is waiting"),
        [
            "status Outflank is analyzing",
            "book D6C3 -0.50 2 2@book",
            "book F6 -2.25 1 1@book",
            "book F4E3 -64.00 1 2@book",
            "status Outflank is waiting"
        ]
    );
    // Here one move of five is known; the search tells of the others.
    engine.send(&game("B[F5]W[F6]"));
    engine.send("hint 3");
    let lines = until(&mut engine, "status Outflank is waiting");
    assert!(
        lines.iter().any(|line| line.starts_with("search ")) && !lines.iter().any(|l| l.starts_with("book"))
    );

    // A game that is not over teaches nothing.
    engine.send("learn");
    assert_eq!(until(&mut engine, "learned"), ["status the game is not over: nothing to learn", "learned"]);
    let before = fs::read_to_string(&path).unwrap();
    engine.send(&game("B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5]"));
    engine.send("learn");
    assert_eq!(until(&mut engine, "learned"), ["learned"]);
    engine.send("learn");
    engine.send("ping 1");
    until(&mut engine, "pong 1");
    let after = fs::read_to_string(&path).unwrap();
    let learnt = after.strip_prefix(&before).unwrap();
    assert_eq!(learnt.lines().count(), 1, "{learnt}");
    assert!(learnt.starts_with("(;GM[Othello]") && learnt.contains("B[E6]W[F4]"), "{learnt}");
    // It is used at once, and after a new start.
    for engine in [&mut engine, &mut start("nboard", &path)] {
        engine.send("nboard 2");
        engine.send(&game("B[E6]W[F4]B[E3]W[F6]"));
        engine.send("go");
        let lines = until(engine, "=== ");
        assert!(lines.contains(&"book G5D6E7F5C5 64.00 1 5@book".to_owned()), "{lines:?}");
    }
    assert_eq!(fs::read_dir(folder.as_path()).unwrap().count(), 1, "nothing is left beside the book");
}

#[test]
fn contempt_decides_about_draws_of_the_book() {
    let folder = Folder::new("book-contempt").unwrap();
    let path = book(&folder, "f5d6 +0\nf5f6 +1.00\nf5f4 +4\n");
    let mut engine = start("nboard", &path);
    engine.send("nboard 2");
    engine.send(&game(AFTER_F5));
    let mut goes = |contempt: &str| {
        engine.send(contempt);
        engine.send("go");
        let lines = until(&mut engine, "=== ");
        until(&mut engine, "status Outflank is waiting");
        lines[lines.len() - 2..].to_vec()
    };
    // White to move.
    assert_eq!(goes("set contempt 0"), ["book D6 0.00 1 100%", "=== D6/0.00/0.00"]);
    assert_eq!(goes("set contempt 2"), ["book F6 -1.00 1 1@book", "=== F6/-1.00/0.00"]);
    assert_eq!(goes("set contempt -100"), ["book D6 64.00,-64.00 1 100%", "=== D6/64.00/0.00"]);
}

/// A position that is solved at once: the best move draws, another loses by little.
#[test]
fn contempt_decides_about_proven_draws() {
    let folder = Folder::new("book-proven").unwrap();
    let mut engine = start("nboard", &book(&folder, ""));
    engine.send("nboard 2");
    engine.send("set depth 10");
    engine.send(&format!("set game (;GM[Othello]TY[8]BO[8 {DRAW} *];)"));
    let mut goes = |contempt: &str| {
        engine.send(contempt);
        engine.send("go");
        let lines = until(&mut engine, "=== ");
        lines[lines.len() - 1].clone()
    };
    let neutral = goes("set contempt 0");
    assert!(neutral.starts_with("=== ") && neutral.contains("/0.00/"), "{neutral}");
    let proud = goes("set contempt -100");
    assert!(!proud.contains("/0.00/"), "{proud}");
    let content = goes("set contempt 100");
    assert!(content.contains("/0.00/"), "{content}");
}

#[test]
fn hub_opens_the_book_of_its_parameter() {
    let folder = Folder::new("book-hub").unwrap();
    let path = book(&folder, "f5d6 +0.50\n");
    let mut engine = Spawned::new(program().unwrap(), ["hub", "--hash", "4"]).unwrap();
    engine.send("hub");
    assert!(until(&mut engine, "wait").contains(&"param name=book value=\"\" type=string".to_owned()));
    engine.send(&format!("set-param name=book value=\"{}\"", folder.path("none.txt").display()));
    engine.send("init");
    let lines = until(&mut engine, "ready");
    assert!(lines[0].starts_with("error message=\"book: ") && lines[0].contains("none.txt"), "{lines:?}");
    engine.send(&format!("set-param name=book value=\"{}\"", path.display()));
    engine.send("init");
    assert_eq!(until(&mut engine, "ready"), ["ready"]);
    let squares: String = START
        .chars()
        .map(|c| {
            if c == 'X' {
                'b'
            } else if c == 'O' {
                'w'
            } else {
                'e'
            }
        })
        .collect();
    engine.send(&format!("pos pos=B{squares} moves=f5"));
    engine.send("level depth=3");
    engine.send("go think");
    assert_eq!(until(&mut engine, "done"), ["info score=-0.50 proof=book pv=d6", "done move=d6"]);
    // Whoever analyses wants to know more.
    engine.send("go analyze");
    assert!(until(&mut engine, "done")[0].contains("proof=heuristic"));
}

#[test]
fn xboard_plays_and_shows_the_book() {
    let folder = Folder::new("book-xboard").unwrap();
    let path = book(&folder, "f5d6c3 +0.50\n");
    let mut engine = start("xboard", &path);
    for line in ["xboard", "protover 2"] {
        engine.send(line);
    }
    let features = until(&mut engine, "feature done=1");
    assert!(features.contains(&format!("feature option=\"Book -file {}\"", path.display())), "{features:?}");
    for line in ["new", "force", "f5", "bk", "post", "go"] {
        engine.send(line);
    }
    assert_eq!(
        until(&mut engine, "move"),
        [" D@d6 D@c3  -0.50  1 games", "", "0 -50 0 0 D@d6 D@c3 (book)", "move D@d6"]
    );
    engine.send("option Book=");
    engine.send("bk");
    assert_eq!(until(&mut engine, " This")[0], " This position is not in the book.");
    engine.send("option Book=/none/of/this");
    engine.send("ping 1");
    assert!(
        until(&mut engine, "pong 1").iter().any(|line| line.starts_with("Error (the book): /none/of/this: "))
    );
}

#[test]
fn a_faulty_book_is_named_by_file_and_line() {
    let folder = Folder::new("book-faulty").unwrap();
    let path = book(&folder, "f5d6 +0.5\n\nf5d6c3\n");
    let told = |path: &Path| {
        let output = Command::new(program().unwrap()).args(["nboard", "--book"]).arg(path).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let expected = format!("{}: line 3: the value is missing, and the game is not over", path.display());
    assert!(told(&path).contains(&expected), "{}", told(&path));
    assert!(told(&folder.path("none")).contains("none"));
}
