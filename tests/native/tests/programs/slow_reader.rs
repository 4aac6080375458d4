//! The program with a client that does not read its output, or reads it slowly. `cli/src/native/event_queue.rs` tests that a client
//! that sends without end is blocked.
//!
//! The clock of these tests is the processor time of the program: a thread that has work to do gets its share while the search
//! runs.
#![cfg(target_os = "linux")]

use std::fs;

use outflank_tests::folder::Folder;
use outflank_tests::spawned::{Spawned, until};

/// A running program whose output is not read, and which logs every line to a file.
struct Logged {
    engine: Spawned,
    /// Folder of the log.
    folder: Folder,
}

impl Logged {
    fn new(protocol: &str) -> Logged {
        let folder = Folder::new("slow-reader");
        Logged { engine: start(&[protocol, "--log", &folder.name("log")]), folder }
    }

    fn text(&self) -> String {
        fs::read_to_string(self.folder.path("log")).unwrap_or_default()
    }

    fn quit(&mut self) {
        self.engine.send("quit");
        assert_eq!(self.engine.exit_code(), Some(0));
    }

    /// Returns the number of sent lines that start with `text`.
    fn sent(&self, text: &str) -> usize {
        let text = format!("< {text}");
        self.text().lines().filter(|line| line.get(11..).is_some_and(|line| line.starts_with(&text))).count()
    }
}

/// Starts a program without a log, whose output is not read. Logging takes longer than the lines themselves.
fn start(arguments: &[&str]) -> Spawned {
    let mut engine = Spawned::new([arguments, &["--hash", "4", "--book", "none"]].concat());
    engine.read_on(false);
    engine
}

/// Returns the processor time in hundredths of a second.
fn used(engine: &Spawned) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/stat", engine.id())).unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Waits until the program has used this processor time, as a running search does.
#[track_caller]
fn work(engine: &Spawned, hundredths: u64) {
    let before = used(engine);
    until("a running search", || used(engine) >= before + hundredths);
}

/// Waits until the search thread has ended or sleeps: several times in sequence, it has not run since the last check.
#[track_caller]
fn until_search_sleeps(engine: &Spawned) {
    let tasks = format!("/proc/{}/task", engine.id());
    let status = || {
        fs::read_dir(&tasks).unwrap().find_map(|task| {
            let text = fs::read_to_string(task.ok()?.path().join("status")).ok()?;
            text.starts_with("Name:\tsearch\n").then_some(text)
        })
    };
    let (mut last, mut equal) = (status(), 0);
    until("the end of the search", || {
        let now = status();
        let sleeps = now.as_ref().is_none_or(|text| text.contains("State:\tS")) && now == last;
        (last, equal) = (now, if sleeps { equal + 1 } else { 0 });
        equal == 50
    });
}

fn pongs(lines: &[String]) -> usize {
    lines.iter().filter(|line| *line == "pong").count()
}

/// Starts a Hub session with an endless search and more unread output than a pipe holds.
fn searching() -> Logged {
    let mut logged = Logged::new("hub");
    logged.engine.send_bytes(HUB);
    logged.engine.send_bytes("ping\n".repeat(30_000).as_bytes());
    logged.engine.send_bytes(b"set-param name=hash value=nonsense\n");
    until("an answer to the last line", || logged.sent("error") > 0);
    work(&logged.engine, 5);
    logged
}

const HUB: &[u8] = b"hub\ninit\nlevel infinite\ngo analyze\n";

#[test]
fn only_quit_abandons_a_stalled_reader() {
    let mut at_end = searching().engine;
    at_end.input = None;
    until_search_sleeps(&at_end);
    let mut logged = searching();
    logged.quit();
    assert!(logged.text().contains("# the last lines were not read"));
    // Its input ended before the other program began to wait.
    assert!(!at_end.has_ended());
    assert_eq!(pongs(&at_end.rest()), 30_000, "no line is lost");
    assert_eq!(at_end.exit_code(), Some(0));
}

#[test]
fn stop_works_with_stalled_reader() {
    let mut logged = searching();
    logged.engine.send_bytes(b"stop\n");
    until("the end of the search", || logged.sent("done move=") == 1);
    // The session continues.
    logged.engine.send_bytes(b"level depth=4\ngo think\n");
    until("another move", || logged.sent("done move=") == 2);
    // Lines that wait for an active reader are not lost by `quit`.
    logged.engine.read_on(true);
    logged.engine.send_bytes(b"quit\n");
    let lines = logged.engine.rest();
    let moves = lines.iter().filter(|line| line.starts_with("done move=")).count();
    assert_eq!((moves, pongs(&lines)), (2, 30_000), "no line is lost");
    assert_eq!(logged.engine.exit_code(), Some(0));
}

#[test]
fn reports_of_an_endless_search_do_not_accumulate() {
    let mut logged = Logged::new("nboard");
    logged.engine.send_bytes(b"nboard 2\nset depth 60\n");
    logged.engine.send_bytes("ping 1\n".repeat(60_000).as_bytes());
    logged.engine.send_bytes(b"hint 60\n");
    until("the last answer", || logged.sent("pong") == 60_000);
    work(&logged.engine, 100);
    assert_eq!(logged.sent("search "), 0, "reports are held back");
    // A client that reads again gets the latest report.
    logged.engine.read_on(true);
    logged.engine.until("search ");
    logged.quit();
}
