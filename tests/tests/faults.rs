//! Failures outside the program: full disks, limits, pipes instead of files, endless lines. Each is reported, and the
//! conversation continues. `cli/docs/faults.md` lists them.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use outflank::random::Random;
use outflank_tests::engine::Engine;
use outflank_tests::folder::Folder;
use outflank_tests::spawned::{self, Spawned, program};

/// The protocols, each with a first line, a question that is always answered, and its answer.
const PROTOCOLS: [(&str, &str, &str, &str); 4] = [
    ("nboard", "nboard 2", "ping 987654", "pong 987654"),
    ("cassio", "ENGINE-PROTOCOL init", "ENGINE-PROTOCOL stop", "ready."),
    ("hub", "hub", "ping", "pong"),
    ("xboard", "xboard", "ping 987654", "pong 987654"),
];

/// Finished after nine moves: no white disc is left.
const FINISHED: &str = "set game (;GM[Othello]TY[8]BO[8 ---------------------------OX------XO--------------------------- *]\
    B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)";

fn limited(limit: &str, arguments: &[&str]) -> Spawned {
    let script = format!("{limit}; exec \"$0\" \"$@\"");
    let program = program().unwrap().to_str().unwrap();
    Spawned::new(Path::new("sh"), ["-c", &script, program].iter().chain(arguments)).unwrap()
}

fn complains(engine: &mut Spawned, words: &str) {
    let mut errors = Vec::new();
    for _ in 0..1000 {
        errors.extend(engine.errors());
        if errors.iter().any(|line| line.contains(words)) {
            return;
        }
        engine.wait(Duration::from_millis(10));
    }
    panic!("`{words}` is not in {errors:?}");
}

#[cfg(unix)]
#[test]
fn log_beyond_the_file_size_limit_ends_and_the_game_continues() {
    let folder = Folder::new("faults-log").unwrap();
    let log = folder.name("a.log");
    let mut engine = limited("ulimit -f 1", &["nboard", "--log", &log]);
    for number in 0..300 {
        engine.send(&format!("ping {number}"));
        engine.until(&format!("pong {number}"));
    }
    complains(&mut engine, "nothing more is recorded, the game continues");
    assert!(fs::metadata(&log).unwrap().len() <= 1024);
    assert_eq!(engine.leave().unwrap().1, Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn log_on_a_full_disk_ends_and_the_game_continues() {
    let mut engine = limited("true", &["nboard", "--log", "/dev/full"]);
    engine.send("ping 1");
    engine.until("pong 1");
    complains(&mut engine, "/dev/full: No space left on device");
    engine.send("ping 2");
    engine.until("pong 2");
    assert!(engine.errors().is_empty(), "reported once");
    assert_eq!(engine.leave().unwrap().1, Some(0));
}

#[cfg(unix)]
#[test]
fn book_beyond_the_file_size_limit_is_unchanged_and_learn_is_answered() {
    let folder = Folder::new("faults-book").unwrap();
    let (text, path) = (folder.name("book.txt"), folder.name("a.book"));
    fs::write(&text, "f5 +0.10\n").unwrap();
    assert!(spawned::output(&["book", "import", &text, "--book", &path]).unwrap().status.success());
    let export = || spawned::output(&["book", "export", "--book", &path]).unwrap().stdout;
    let before = export();
    let mut engine = limited("ulimit -f 64", &["nboard", "--book", &path]);
    for _ in 0..2 {
        engine.send(FINISHED);
        engine.send("learn");
        engine.send("ping 1");
        let lines = engine.until("pong 1");
        assert_eq!((lines.len(), lines[1].as_str()), (3, "learned"), "{lines:?}");
        assert!(lines[0].starts_with(&format!("status Error: book: {path}: ")), "{lines:?}");
    }
    assert_eq!(engine.leave().unwrap().1, Some(0));
    assert_eq!(export(), before);
    assert_eq!(fs::read_dir(folder.as_path()).unwrap().count(), 2, "no other file is left");
}

#[cfg(unix)]
#[test]
fn pipe_and_device_are_refused_as_book_and_log() {
    let folder = Folder::new("faults-pipe").unwrap();
    let pipe = folder.name("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
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
        // A running conversation does not hang.
        let mut engine = limited("true", &["xboard"]);
        engine.send("xboard");
        engine.send(&format!("option Book={path}"));
        engine.send("ping 7");
        let lines = engine.until("pong 7");
        assert!(lines.contains(&format!("Error (the book): {path}: {kind}")), "{lines:?}");
        assert_eq!(engine.leave().unwrap().1, Some(0));
    }
    let mut engine = limited("true", &["nboard", "--log", &pipe]);
    complains(&mut engine, &format!("{pipe}: a pipe, not a file"));
    assert_eq!(engine.leave().unwrap().1, Some(2));
}

#[test]
fn endless_line_and_invalid_bytes_do_not_end_a_conversation() {
    let mut random = Random::new(7);
    for (protocol, opening, question, answer) in PROTOCOLS {
        // The large network needs more than the bound, and may be loaded while memory is measured.
        let options = [protocol, "--hash", "1", "--eval", "small"];
        let mut engine = Spawned::new(program().unwrap(), options).unwrap();
        engine.send_bytes(format!("{opening}\r\n{question}\r\n").as_bytes());
        engine.until(answer);
        let before = engine.peak_memory();
        // 48 MiB in one line.
        let part = "f5d6c3d3".repeat(1 << 17);
        for _ in 0..48 {
            engine.send_bytes(part.as_bytes());
        }
        engine.send("");
        // Cassio's protocol has one answer to everything.
        let error = std::iter::from_fn(|| engine.next_line()).find(|line| line != answer).unwrap();
        let parts = ["the line is too long: f5d6c3d3", "the line is too long): f5d6c3d3"];
        assert!(parts.iter().any(|part| error.contains(part)) && error.len() < 200, "{error}");
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..random.below(80)).map(|_| random.below(256) as u8).collect();
            engine.send_bytes(&[&bytes[..], b"\n"].concat());
        }
        engine.send_bytes(format!("\n{question}\r\n").as_bytes());
        let answered = std::iter::from_fn(|| engine.next_line()).take(100_000).any(|line| line == answer);
        assert!(answered, "{protocol}: no `{answer}`");
        assert_eq!(engine.errors(), [""; 0], "{protocol}: standard error");
        if let (Some(before), Some(after)) = (before, engine.peak_memory()) {
            assert!(after < before + (12 << 20), "{before} bytes, then {after}");
        }
        // The input ends in the middle of a line.
        engine.send_bytes(b"pin");
        assert_eq!(engine.leave().unwrap().1, Some(0), "{protocol}");
    }
}

#[test]
fn unreadable_weights_are_named_at_the_start() {
    let folder = Folder::new("faults-weights").unwrap();
    let (noise, cut, none, large) =
        (folder.name("noise"), folder.name("cut"), folder.name("none"), folder.name("large"));
    fs::write(&noise, [7; 5000]).unwrap();
    let whole = include_bytes!("../../engine/weights/outflank.weights");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let mut whole = include_bytes!("../../cli/weights/outflank-large.weights").to_vec();
    whole[1_000_000] ^= 1;
    fs::write(&large, whole).unwrap();
    for arguments in [["nboard", "--eval"], ["bench", "--eval"], ["solve", "--eval"]] {
        for path in [&noise, &cut, &none, &large] {
            let suite = if arguments[0] == "solve" { vec![noise.as_str()] } else { Vec::new() };
            let given = [arguments.as_slice(), &[path.as_str()], &suite].concat();
            let output = spawned::output(&given).unwrap();
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{given:?}");
            let errors = String::from_utf8(output.stderr).unwrap();
            // The fixed search has built-in weights only.
            assert!(errors.contains(if arguments[0] == "bench" { "--eval" } else { path }), "{errors}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn reduced_table_is_reported() {
    for (protocol, opening, question, answer) in PROTOCOLS {
        let mut engine = limited("ulimit -v 3000000", &[protocol, "--hash", "1000000"]);
        engine.send(opening);
        let errors = loop {
            let line = engine.next_line().unwrap();
            if line.contains("not enough memory") {
                break line;
            }
        };
        assert!(errors.contains("not enough memory for the requested hash table; using "), "{errors}");
        engine.send(question);
        engine.until(answer);
        assert_eq!(engine.leave().unwrap().1, Some(0));
    }
    let folder = Folder::new("faults-hash").unwrap();
    let path = folder.name("a.obf");
    fs::write(&path, format!("{SOLVED}\n")).unwrap();
    let mut solve = limited("ulimit -v 3000000", &["solve", &path, "--hash", "1000000"]);
    complains(&mut solve, "not enough memory for the requested hash table; using ");
    solve.until("total: 1 solved");
}

#[cfg(target_os = "linux")]
#[test]
fn missing_memory_for_the_large_network_is_an_error() {
    // The memory of the program without it depends on the build.
    let at = |megabytes: u32| {
        let script = format!("ulimit -v {megabytes}000; exec \"$0\" nboard --eval large");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).arg(program().unwrap()).stdin(Stdio::null());
        let output = shell.output().unwrap();
        let is_reported =
            String::from_utf8_lossy(&output.stderr).contains("--eval large: there is no memory");
        is_reported.then_some((output.status.code(), output.stdout))
    };
    assert_eq!((16..80).step_by(4).find_map(at), Some((Some(2), Vec::new())));
}

/// Six squares are empty.
const SOLVED: &str = "OOOOOOXXOOXOOXXXOXOXOXXXOOXXXOXXOOXXXXOX-OXXXXOXO--XXOOX--XXX-OO X;";

#[cfg(target_os = "linux")]
#[test]
fn full_disk_of_the_output_is_an_error_and_a_closed_output_is_not() {
    let folder = Folder::new("faults-output").unwrap();
    let [suite, game] = [("a.obf", SOLVED), ("a.txt", "f5d6c3")].map(|(name, text)| {
        fs::write(folder.path(name), format!("{text}\n")).unwrap();
        folder.name(name)
    });
    let commands: [&[&str]; 6] = [
        &["bench"],
        &["bench", "--json"],
        &["solve", &suite],
        &["solve", &suite, "--json"],
        &["convert", &game, "-", "--to", "ggf"],
        &["analyze", &game, "--depth", "2"],
    ];
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    for arguments in commands {
        let run = |out: Stdio, err: Stdio| {
            let mut command = Command::new(program().unwrap());
            command.args(arguments).stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap()
        };
        let output = run(full(), Stdio::piped()).wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains("outflank: No space left on device"), "{arguments:?}: {errors}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        // If the error cannot be printed either, the status reports it.
        assert_eq!(run(full(), full()).wait().unwrap().code(), Some(2), "{arguments:?}");
        let mut child = run(Stdio::piped(), Stdio::piped());
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!errors.contains("panicked") && !errors.contains("pipe"), "{arguments:?}: {errors}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    }
    // A session cannot continue without its output.
    let mut command = Command::new(program().unwrap());
    let command = command.arg("hub").stdin(Stdio::piped()).stdout(full()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.as_ref().unwrap().write_all(b"hub\n").unwrap();
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert!(String::from_utf8(output.stderr).unwrap().contains("No space left on device"));
    assert_eq!(output.status.code(), Some(2));
}
