//! The program when nobody reads what it says, or only slowly, and when nobody stops talking to it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use outflank_tests::spawned::program;

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
const START: &str = "---------------------------OX------XO---------------------------X";

/// A running program whose output is read by the test, or not at all. Ended when dropped.
struct Unread {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    log: PathBuf,
}

impl Unread {
    /// One that also records every line in a file, where the test may look.
    fn new(arguments: &[&str]) -> Unread {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::SeqCst);
        let log = std::env::temp_dir().join(format!("outflank-unread-{}-{number}.log", std::process::id()));
        let mut engine =
            Unread::start(Command::new(program().unwrap()).args(arguments).arg("--log").arg(&log));
        engine.log = log;
        engine
    }

    /// One without a record, which takes longer than the lines themselves.
    fn silent(arguments: &[&str]) -> Unread {
        Unread::start(Command::new(program().unwrap()).args(arguments))
    }

    fn start(command: &mut Command) -> Unread {
        let mut child =
            command.args(["--hash", "4"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        Unread { child, input, output, log: PathBuf::new() }
    }

    fn send(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// Sends from another thread, which ends when all is sent; also counts bytes.
    fn send_on_and_on(&mut self, text: String, times: usize) -> (JoinHandle<ChildStdin>, Arc<AtomicUsize>) {
        let mut input = self.input.take().unwrap();
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

    fn logged(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn has_said(&self, text: &str) -> bool {
        self.logged()
            .lines()
            .any(|line| line.get(11..).is_some_and(|line| line.starts_with(&format!("< {text}"))))
    }

    /// What it has used of the processor, in hundredths of a second.
    fn used(&self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    /// Resident memory in mebibytes.
    fn resident(&self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }

    /// Whether it is searching: a search uses the processor all the time.
    fn is_busy(&self) -> bool {
        // On a busy machine it gets a small share of it: it is watched for a while before it is taken for idle.
        let before = self.used();
        (0..20).any(|_| {
            thread::sleep(Duration::from_millis(100));
            self.used() - before > 5
        })
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Its end, if it comes within `time`.
    fn ended_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < time {
            if let Some(status) = self.ended() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(5));
        }
        None
    }

    fn close_input(&mut self) {
        self.input = None;
    }

    /// Every line up to the end.
    fn read(&mut self) -> Vec<String> {
        BufReader::new(self.output.take().unwrap()).lines().map(Result::unwrap).collect()
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.log);
    }
}

#[track_caller]
fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "{what} does not come true");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A Hub session that searches without end, with more said than any pipe holds. Nobody has read anything.
fn searching() -> Unread {
    let mut engine = Unread::new(&["hub"]);
    engine.send("hub\ninit\nlevel infinite\ngo analyze\n");
    engine.send(&"ping\n".repeat(30_000));
    engine.send("set-param name=hash value=nonsense\n");
    until("an answer to the last line", || engine.has_said("error"));
    assert!(engine.is_busy());
    engine
}

#[test]
fn quit_is_heard_while_a_search_is_running_and_nobody_reads() {
    let mut engine = searching();
    let start = Instant::now();
    engine.send("quit\n");
    until("the end of the search", || !engine.is_busy());
    let status = engine.ended_within(PATIENCE).expect("it ends");
    assert!(status.success(), "{status:?} {:?}", status.signal());
    println!("ended {:?} after quit", start.elapsed());
    assert!(engine.logged().contains("# nobody read the last lines"));
}

#[test]
fn stop_is_heard_while_nobody_reads() {
    let mut engine = searching();
    engine.send("stop\n");
    until("the end of the search", || engine.has_said("done move="));
    assert!(!engine.is_busy());
    // And life goes on.
    engine.send("level depth=4\ngo think\n");
    until("another move", || engine.logged().matches("< done move=").count() == 2);
    engine.close_input();
    let lines = engine.read();
    let moves = lines.iter().filter(|line| line.starts_with("done move=")).count();
    let pongs = lines.iter().filter(|line| *line == "pong").count();
    assert_eq!((moves, pongs), (2, 30_000), "nothing of it is lost");
    assert!(engine.ended_within(PATIENCE).expect("it ends").success());
}

#[test]
fn the_end_of_the_input_ends_the_search_and_the_reader_gets_everything() {
    let mut engine = searching();
    engine.close_input();
    until("the end of the search", || !engine.is_busy());
    // Longer than it waits after `quit`.
    thread::sleep(Duration::from_secs(3));
    assert_eq!(engine.ended(), None, "it waits for its reader");
    let lines = engine.read();
    assert_eq!(lines.iter().filter(|line| *line == "pong").count(), 30_000);
    assert!(engine.ended_within(PATIENCE).expect("it ends").success());
}

#[test]
fn a_closed_output_ends_the_program() {
    let mut engine = searching();
    engine.output = None;
    assert!(engine.ended_within(PATIENCE).expect("it ends").success());
}

#[test]
fn a_search_that_reports_for_ever_fills_nothing() {
    let mut engine = Unread::new(&["nboard"]);
    engine.send("nboard 2\nset depth 60\n");
    engine.send(&"ping 1\n".repeat(60_000));
    engine.send("hint 60\n");
    until("the last answer", || engine.logged().matches("< pong").count() == 60_000);
    assert!(engine.is_busy());
    let said = engine.logged().lines().count();
    thread::sleep(Duration::from_secs(3));
    assert!(engine.logged().lines().count() <= said + 1, "reports are kept back");
    // Whoever reads on gets the latest.
    let mut output = BufReader::new(engine.output.take().unwrap()).lines().map(Result::unwrap);
    assert!(output.any(|line| line.starts_with("search ")));
    engine.send("quit\n");
    assert!(engine.ended_within(PATIENCE).expect("it ends").success());
}

/// Sends 64 MiB of `line` while nobody reads; the writer has to wait, and the memory to stay small.
fn flood(mut engine: Unread, line: &str) -> Unread {
    until("a search", || engine.is_busy());
    let before = engine.resident();
    let most = 64 << 20;
    let text = line.repeat((64 << 10) / line.len());
    let (sender, sent) = engine.send_on_and_on(text.clone(), most / text.len());
    let (mut last, mut still) = (usize::MAX, 0);
    until("a writer that waits", || {
        thread::sleep(Duration::from_millis(100));
        let now = sent.load(Ordering::SeqCst);
        still = if now == last { still + 1 } else { 0 };
        last = now;
        still == 10
    });
    let after = engine.resident();
    println!("{:.1} of {} MiB taken, {before} to {after} MiB resident", last as f64 / 1e6, most >> 20);
    assert!(!sender.is_finished() && last < most / 2, "{last} bytes taken");
    assert!(after < before + 32, "{before} to {after} MiB");
    engine
}

#[test]
fn input_is_taken_no_faster_than_its_answers_are_read() {
    let mut engine = Unread::silent(&["hub"]);
    engine.send("hub\ninit\nlevel infinite\ngo analyze\n");
    let mut engine = flood(engine, "ping\n");
    assert!(engine.is_busy());
    engine.output = None;
    assert!(engine.ended_within(PATIENCE).expect("it ends").success());
}

#[test]
fn a_sender_that_leaves_its_lines_behind_ends_the_search() {
    // More answers than are kept, and fewer lines than are read.
    const COUNT: usize = 850_000;
    let mut engine = Unread::silent(&["hub"]);
    engine.send("hub\ninit\nlevel infinite\ngo analyze\n");
    engine.send(&"ping\n".repeat(COUNT));
    assert!(engine.is_busy());
    engine.close_input();
    until("the end of the search", || !engine.is_busy());
    let lines = engine.read();
    assert_eq!(lines.iter().filter(|line| *line == "pong").count(), COUNT);
    assert!(engine.ended_within(PATIENCE).expect("it ends").success());
}

/// Lines without an answer are used as fast as they come; none is kept.
fn drink(engine: &mut Unread, line: &str) -> (u64, u64) {
    let before = engine.resident();
    let text = line.repeat((64 << 10) / line.len());
    let (sender, sent) = engine.send_on_and_on(text.clone(), (64 << 20) / text.len());
    until("the last line", || sender.is_finished());
    assert!(sent.load(Ordering::SeqCst) > 60 << 20);
    let after = engine.resident();
    println!("{}: {before} to {after} MiB resident", line.trim());
    engine.input = Some(sender.join().unwrap());
    (before, after)
}

#[test]
fn work_for_the_search_does_not_pile_up() {
    let mut engine = Unread::new(&["cassio"]);
    engine.send(&format!("ENGINE-PROTOCOL init\nENGINE-PROTOCOL endgame-search {START} -64 64 100\n"));
    until("an answer", || engine.has_said("ready."));
    let seed = format!("ENGINE-PROTOCOL feed-hash {START} -2.00 2.00 20 100 f5\n");
    let (before, after) = drink(&mut engine, &seed);
    assert!(after < before + 32, "{before} to {after} MiB");
    assert!(engine.is_busy());
    engine.send("ENGINE-PROTOCOL quit\n");
    assert!(engine.ended_within(PATIENCE).expect("it ends").success());
}

#[test]
fn pings_that_wait_for_a_move_do_not_pile_up() {
    let mut engine = Unread::silent(&["xboard"]);
    engine.send("xboard\nprotover 2\nnew\nlevel 0 60 0\neasy\ngo\n");
    let mut engine = flood(engine, "ping 7\n");
    engine.output = None;
    assert!(engine.ended_within(PATIENCE).expect("it ends").success());
}

#[test]
fn a_slow_reader_gets_every_answer_in_order() {
    const COUNT: usize = 300_000;
    let mut engine = Unread::new(&["nboard"]);
    engine.send("nboard 2\nset depth 60\nhint 4\n");
    let text: String = (1..=COUNT).map(|number| format!("ping {number}\n")).collect();
    let (sender, _) = engine.send_on_and_on(text, 1);
    let mut output = engine.output.take().unwrap();
    let reader = thread::spawn(move || {
        let (mut bytes, mut buffer) = (Vec::new(), vec![0; 32 << 10]);
        loop {
            match output.read(&mut buffer).unwrap() {
                0 => return String::from_utf8(bytes).unwrap(),
                count => bytes.extend_from_slice(&buffer[..count]),
            }
            thread::sleep(Duration::from_millis(5));
        }
    });
    engine.input = Some(sender.join().unwrap());
    // What waits for a reader that goes on is not lost by it.
    engine.send("quit\n");
    assert!(engine.ended_within(PATIENCE).expect("it ends").success());
    let text = reader.join().unwrap();
    let pongs =
        text.lines().filter_map(|line| line.strip_prefix("pong ")).map(|n| n.parse::<usize>().unwrap());
    assert!(pongs.eq(1..=COUNT));
}
