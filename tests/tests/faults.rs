//! What the world does to a program: full disks, limits, pipes in the place of files, lines without end. Each fault is
//! told, and the conversation goes on. The table of them is in `cli/docs/faults.md`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;

use outflank_tests::corpus::SMALL_TALK;
use outflank_tests::engine::Engine;
use outflank_tests::folder::Folder;
use outflank_tests::spawned::{Spawned, program};

/// Finished after nine moves: no white disc is left.
const FINISHED: &str = "set game (;GM[Othello]TY[8]BO[8 ---------------------------OX------XO--------------------------- *]\
    B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)";

/// The program, after a shell has carried out `limit`.
fn limited(limit: &str, arguments: &[&str]) -> Spawned {
    let script = format!("{limit}; exec \"$0\" \"$@\"");
    let program = program().unwrap().to_str().unwrap();
    Spawned::new(Path::new("sh"), ["-c", &script, program].iter().chain(arguments)).unwrap()
}

/// The lines up to the first that begins with `end`, that one included.
fn until(engine: &mut Spawned, end: &str) -> Vec<String> {
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &String| line.starts_with(end)) {
        lines.push(engine.next_line().unwrap_or_else(|| panic!("no `{end}` after {lines:?}")));
    }
    lines
}

/// Says one of its errors, sooner or later.
fn complains(engine: &mut Spawned, words: &str) {
    let mut told = Vec::new();
    for _ in 0..1000 {
        told.extend(engine.errors());
        if told.iter().any(|line| line.contains(words)) {
            return;
        }
        engine.wait(std::time::Duration::from_millis(10));
    }
    panic!("`{words}` is not in {told:?}");
}

#[cfg(unix)]
#[test]
fn a_log_beyond_the_limit_of_file_sizes_ends_and_the_game_goes_on() {
    let folder = Folder::new("faults-log").unwrap();
    let log = folder.name("a.log");
    let mut engine = limited("ulimit -f 1", &["nboard", "--log", &log]);
    for number in 0..300 {
        engine.send(&format!("ping {number}"));
        until(&mut engine, &format!("pong {number}"));
    }
    complains(&mut engine, "nothing more is recorded, the game goes on");
    assert!(fs::metadata(&log).unwrap().len() <= 1024);
    assert_eq!(engine.leave().unwrap().1, Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_on_a_full_disk_ends_and_the_game_goes_on() {
    let mut engine = limited("true", &["nboard", "--log", "/dev/full"]);
    engine.send("ping 1");
    until(&mut engine, "pong 1");
    complains(&mut engine, "/dev/full: No space left on device");
    engine.send("ping 2");
    until(&mut engine, "pong 2");
    assert!(engine.errors().is_empty(), "it is told once");
    assert_eq!(engine.leave().unwrap().1, Some(0));
}

#[cfg(unix)]
#[test]
fn a_book_beyond_the_limit_of_file_sizes_stays_as_it_is_and_nothing_is_learned() {
    let folder = Folder::new("faults-book").unwrap();
    let path = folder.name("book.txt");
    let text = "% a long comment\n".repeat(100);
    fs::write(&path, &text).unwrap();
    let mut engine = limited("ulimit -f 1", &["nboard", "--book", &path]);
    for _ in 0..2 {
        engine.send(FINISHED);
        engine.send("learn");
        engine.send("ping 1");
        let lines = until(&mut engine, "pong 1");
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with(&format!("status Error: book: {path}: File too large")), "{lines:?}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(fs::read_dir(folder.as_path()).unwrap().count(), 1, "nothing is left beside the book");
    assert_eq!(engine.leave().unwrap().1, Some(0));
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_is_no_book_and_no_log() {
    let folder = Folder::new("faults-pipe").unwrap();
    let pipe = folder.name("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let link = folder.name("link");
    std::os::unix::fs::symlink(&pipe, &link).unwrap();
    for (path, kind) in [
        (pipe.as_str(), "a pipe, not a file"),
        (&link, "a pipe, not a file"),
        ("/dev/zero", "a device, not a file"),
        (&folder.name("."), "a directory, not a file"),
    ] {
        let mut engine = limited("true", &["nboard", "--book", path]);
        complains(&mut engine, &format!("{path}: {kind}"));
        assert_eq!(engine.leave().unwrap().1, Some(2));
        // In the middle of a conversation nothing hangs.
        let mut engine = limited("true", &["xboard"]);
        engine.send("xboard");
        engine.send(&format!("option Book={path}"));
        engine.send("ping 7");
        let lines = until(&mut engine, "pong 7");
        assert!(lines.contains(&format!("Error (the book): {path}: {kind}")), "{lines:?}");
        assert_eq!(engine.leave().unwrap().1, Some(0));
    }
    let mut engine = limited("true", &["nboard", "--log", &pipe]);
    complains(&mut engine, &format!("{pipe}: a pipe, not a file"));
    assert_eq!(engine.leave().unwrap().1, Some(2));
}

#[test]
fn a_line_without_end_is_told_of_and_fills_no_memory() {
    for talk in SMALL_TALK {
        let mut engine = Spawned::new(program().unwrap(), [talk.dialect.name(), "--hash", "1"]).unwrap();
        engine.send(talk.opening);
        engine.send(talk.question);
        until(&mut engine, talk.answer);
        let before = engine.peak_memory();
        // 48 MiB in one line.
        let part = "f5d6c3d3".repeat(1 << 17);
        for _ in 0..48 {
            engine.send_bytes(part.as_bytes());
        }
        engine.send("");
        let error = loop {
            let line = engine.next_line().unwrap();
            // Cassio's dialect has the same answer to everything.
            if line != talk.answer {
                break line;
            }
        };
        assert!(
            error.contains("the line is too long: f5d6c3d3")
                || error.contains("the line is too long): f5d6c3d3")
        );
        assert!(error.len() < 200, "{error}");
        engine.send(talk.question);
        until(&mut engine, talk.answer);
        if let (Some(before), Some(after)) = (before, engine.peak_memory()) {
            assert!(after < before + (12 << 20), "{before} bytes, then {after}");
        }
        assert_eq!(engine.leave().unwrap().1, Some(0));
    }
}
