//! The program with a client that does not read its output, reads it slowly, or sends without end.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::process::ChildStdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use outflank_tests::folder::Folder;
use outflank_tests::spawned::{Spawned, program};

/// Longer than any step takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
const START: &str = "---------------------------OX------XO---------------------------X";

/// A running program whose output is not read, and which logs every line to a file.
struct Logged {
    engine: Spawned,
    /// Folder of the log.
    folder: Folder,
}

impl Logged {
    fn new(protocol: &str) -> Logged {
        let folder = Folder::new("slow-reader").unwrap();
        Logged { engine: start(&[protocol, "--log", &folder.name("log")]), folder }
    }

    fn text(&self) -> String {
        fs::read_to_string(self.folder.path("log")).unwrap_or_default()
    }

    fn has_sent(&self, text: &str) -> bool {
        self.text()
            .lines()
            .any(|line| line.get(11..).is_some_and(|line| line.starts_with(&format!("< {text}"))))
    }
}

/// Starts a program without a log, whose output is not read. Logging takes longer than the lines themselves.
fn start(arguments: &[&str]) -> Spawned {
    let mut engine = Spawned::new(program().unwrap(), [arguments, &["--hash", "4"]].concat()).unwrap();
    engine.read_on(false);
    engine
}

/// Sends from another thread, which ends when all is sent. Returns also the number of bytes sent.
fn send_in_background(
    engine: &mut Spawned,
    text: String,
    times: usize,
) -> (JoinHandle<ChildStdin>, Arc<AtomicUsize>) {
    let mut input = engine.input.take().unwrap();
    let sent = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&sent);
    let sender = thread::spawn(move || {
        for _ in 0..times {
            if input.write_all(text.as_bytes()).is_err() {
                break;
            }
            counter.fetch_add(text.len(), Ordering::SeqCst);
        }
        input
    });
    (sender, sent)
}

/// Returns the processor time in hundredths of a second.
fn used(engine: &Spawned) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/stat", engine.id())).unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Returns `true` if a search is running, which uses the processor all the time.
fn is_busy(engine: &Spawned) -> bool {
    // On a busy machine its share is small: it counts as idle only after some time.
    let before = used(engine);
    (0..20).any(|_| {
        thread::sleep(Duration::from_millis(100));
        used(engine) - before > 5
    })
}

/// Returns the resident memory in mebibytes.
fn resident(engine: &Spawned) -> u64 {
    engine.resident_memory().unwrap() >> 20
}

#[track_caller]
fn check_end(engine: &mut Spawned) {
    assert_eq!(engine.ended_within(TIMEOUT).expect("it ends").1, Some(0));
}

fn pongs(lines: &[String]) -> usize {
    lines.iter().filter(|line| *line == "pong").count()
}

#[track_caller]
fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "{what} does not occur");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Starts a Hub session with an endless search and more unread output than a pipe holds.
fn searching() -> Logged {
    let mut logged = Logged::new("hub");
    logged.engine.send_bytes(HUB);
    logged.engine.send_bytes("ping\n".repeat(30_000).as_bytes());
    logged.engine.send_bytes(b"set-param name=hash value=nonsense\n");
    until("an answer to the last line", || logged.has_sent("error"));
    assert!(is_busy(&logged.engine));
    logged
}

const HUB: &[u8] = b"hub\ninit\nlevel infinite\ngo analyze\n";

#[test]
fn quit_works_with_stalled_reader() {
    let mut logged = searching();
    logged.engine.send_bytes(b"quit\n");
    check_end(&mut logged.engine);
    assert!(logged.text().contains("# the last lines were not read"));
}

#[test]
fn stop_works_with_stalled_reader() {
    let mut logged = searching();
    logged.engine.send_bytes(b"stop\n");
    until("the end of the search", || logged.has_sent("done move="));
    assert!(!is_busy(&logged.engine));
    // The session continues.
    logged.engine.send_bytes(b"level depth=4\ngo think\n");
    until("another move", || logged.text().matches("< done move=").count() == 2);
    logged.engine.input = None;
    let lines = logged.engine.rest();
    let moves = lines.iter().filter(|line| line.starts_with("done move=")).count();
    assert_eq!((moves, pongs(&lines)), (2, 30_000), "no line is lost");
    check_end(&mut logged.engine);
}

#[test]
fn end_of_input_ends_the_search_and_no_line_is_lost() {
    let mut engine = searching().engine;
    engine.input = None;
    until("the end of the search", || !is_busy(&engine));
    // Longer than the program waits after `quit`.
    assert_eq!(engine.ended_within(Duration::from_secs(3)), None, "the program waits for its reader");
    assert_eq!(pongs(&engine.rest()), 30_000);
    check_end(&mut engine);
}

#[test]
fn closed_output_ends_the_program() {
    let mut engine = searching().engine;
    engine.close_output();
    check_end(&mut engine);
}

#[test]
fn reports_of_an_endless_search_do_not_accumulate() {
    let mut logged = Logged::new("nboard");
    logged.engine.send_bytes(b"nboard 2\nset depth 60\n");
    logged.engine.send_bytes("ping 1\n".repeat(60_000).as_bytes());
    logged.engine.send_bytes(b"hint 60\n");
    until("the last answer", || logged.text().matches("< pong").count() == 60_000);
    assert!(is_busy(&logged.engine));
    let lines = logged.text().lines().count();
    thread::sleep(Duration::from_secs(3));
    assert!(logged.text().lines().count() <= lines + 1, "reports are held back");
    // A client that reads again gets the latest report.
    logged.engine.read_on(true);
    logged.engine.until("search ");
    logged.engine.send_bytes(b"quit\n");
    check_end(&mut logged.engine);
}

/// Sends 64 MiB of `line` without reading. The writer must block, and the memory must stay small. The program ends after its
/// output is closed.
fn flood(mut engine: Spawned, line: &str) {
    until("a search", || is_busy(&engine));
    let before = resident(&engine);
    let most = 64 << 20;
    let text = line.repeat((64 << 10) / line.len());
    let times = most / text.len();
    let (sender, sent) = send_in_background(&mut engine, text, times);
    let (mut last, mut still) = (usize::MAX, 0);
    until("a blocked writer", || {
        thread::sleep(Duration::from_millis(100));
        let now = sent.load(Ordering::SeqCst);
        still = if now == last { still + 1 } else { 0 };
        last = now;
        still == 10
    });
    let after = resident(&engine);
    println!("{:.1} of {} MiB taken, {before} to {after} MiB resident", last as f64 / 1e6, most >> 20);
    assert!(!sender.is_finished() && last < most / 2, "{last} bytes taken");
    assert!(after < before + 32, "{before} to {after} MiB");
    assert!(is_busy(&engine));
    engine.close_output();
    check_end(&mut engine);
}

#[test]
fn input_is_read_no_faster_than_its_answers() {
    let mut engine = start(&["hub"]);
    engine.send_bytes(HUB);
    flood(engine, "ping\n");
}

#[test]
fn pings_during_a_move_do_not_accumulate() {
    let mut engine = start(&["xboard"]);
    engine.send_bytes(b"xboard\nprotover 2\nnew\nlevel 0 60 0\neasy\ngo\n");
    flood(engine, "ping 7\n");
}

#[test]
fn end_of_input_after_many_lines_ends_the_search() {
    // More answers than the output queue holds, and fewer lines than the input takes.
    const COUNT: usize = 850_000;
    let mut engine = start(&["hub"]);
    engine.send_bytes(HUB);
    engine.send_bytes("ping\n".repeat(COUNT).as_bytes());
    assert!(is_busy(&engine));
    engine.input = None;
    until("the end of the search", || !is_busy(&engine));
    assert_eq!(pongs(&engine.rest()), COUNT);
    check_end(&mut engine);
}

/// Lines without an answer must not accumulate.
#[test]
fn work_for_the_search_does_not_accumulate() {
    let mut logged = Logged::new("cassio");
    let search = format!("ENGINE-PROTOCOL init\nENGINE-PROTOCOL endgame-search {START} -64 64 100\n");
    logged.engine.send_bytes(search.as_bytes());
    until("an answer", || logged.has_sent("ready."));
    let mut engine = logged.engine;
    let before = resident(&engine);
    let line = format!("ENGINE-PROTOCOL feed-hash {START} -2.00 2.00 20 100 f5\n");
    engine.send_bytes(line.repeat((64 << 20) / line.len()).as_bytes());
    let after = resident(&engine);
    println!("{before} to {after} MiB resident");
    assert!(after < before + 32, "{before} to {after} MiB");
    assert!(is_busy(&engine));
    engine.send_bytes(b"ENGINE-PROTOCOL quit\n");
    check_end(&mut engine);
}

#[test]
fn slow_reader_gets_every_answer_in_order() {
    const COUNT: usize = 300_000;
    let mut engine = start(&["nboard"]);
    engine.send_bytes(b"nboard 2\nset depth 60\nhint 4\n");
    let text: String = (1..=COUNT).map(|number| format!("ping {number}\n")).collect();
    let (sender, _) = send_in_background(&mut engine, text, 1);
    let read_slowly = |engine: &mut Spawned| {
        for reads in [false, true] {
            engine.read_on(reads);
            thread::sleep(Duration::from_millis(5));
        }
    };
    until("the last line", || {
        read_slowly(&mut engine);
        sender.is_finished()
    });
    engine.input = Some(sender.join().unwrap());
    // Lines that wait for an active reader are not lost by `quit`.
    engine.send_bytes(b"quit\n");
    until("the end", || {
        read_slowly(&mut engine);
        engine.ended_within(Duration::ZERO).is_some()
    });
    check_end(&mut engine);
    let lines = engine.rest();
    let pongs = lines.iter().filter_map(|line| line.strip_prefix("pong ")?.parse::<usize>().ok());
    assert!(pongs.eq(1..=COUNT));
}
