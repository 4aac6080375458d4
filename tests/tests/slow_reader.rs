//! The program with a client that does not read its output, reads it slowly, or sends without end.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use outflank_tests::folder::Folder;
use outflank_tests::spawned::program;

/// Longer than any step takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
const START: &str = "---------------------------OX------XO---------------------------X";

/// A running program whose output is read by the test only. It is killed when dropped.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    /// Folder of the log.
    folder: Folder,
}

impl Engine {
    /// Starts a program that also logs every line to a file.
    fn new(arguments: &[&str]) -> Engine {
        let folder = Folder::new("slow-reader").unwrap();
        let mut command = Command::new(program().unwrap());
        command.args(arguments).arg("--log").arg(folder.path("log"));
        Engine::start(&mut command, folder)
    }

    /// Starts a program without a log. Logging takes longer than the lines themselves.
    fn silent(arguments: &[&str]) -> Engine {
        let folder = Folder::new("slow-reader").unwrap();
        Engine::start(Command::new(program().unwrap()).args(arguments), folder)
    }

    fn start(command: &mut Command, folder: Folder) -> Engine {
        let mut child =
            command.args(["--hash", "4"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        Engine { child, input, output, folder }
    }

    fn send(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// Sends from another thread, which ends when all is sent. Returns also the number of bytes sent.
    fn send_in_background(
        &mut self,
        text: String,
        times: usize,
    ) -> (JoinHandle<ChildStdin>, Arc<AtomicUsize>) {
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
        fs::read_to_string(self.folder.path("log")).unwrap_or_default()
    }

    fn has_sent(&self, text: &str) -> bool {
        self.logged()
            .lines()
            .any(|line| line.get(11..).is_some_and(|line| line.starts_with(&format!("< {text}"))))
    }

    /// Returns the processor time in hundredths of a second.
    fn used(&self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    /// Returns the resident memory in mebibytes.
    fn resident(&self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }

    /// Returns `true` if a search is running, which uses the processor all the time.
    fn is_busy(&self) -> bool {
        // On a busy machine its share is small: it counts as idle only after some time.
        let before = self.used();
        (0..20).any(|_| {
            thread::sleep(Duration::from_millis(100));
            self.used() - before > 5
        })
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Returns its exit status, `None` if it does not end within `time`.
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

    /// Returns all lines up to the end.
    fn read(&mut self) -> Vec<String> {
        BufReader::new(self.output.take().unwrap()).lines().map(Result::unwrap).collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "{what} does not occur");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Starts a Hub session with an endless search and more unread output than a pipe holds.
fn searching() -> Engine {
    let mut engine = Engine::new(&["hub"]);
    engine.send("hub\ninit\nlevel infinite\ngo analyze\n");
    engine.send(&"ping\n".repeat(30_000));
    engine.send("set-param name=hash value=nonsense\n");
    until("an answer to the last line", || engine.has_sent("error"));
    assert!(engine.is_busy());
    engine
}

#[test]
fn quit_works_with_stalled_reader() {
    let mut engine = searching();
    let start = Instant::now();
    engine.send("quit\n");
    until("the end of the search", || !engine.is_busy());
    let status = engine.ended_within(TIMEOUT).expect("it ends");
    assert!(status.success(), "{status:?} {:?}", status.signal());
    println!("ended {:?} after quit", start.elapsed());
    assert!(engine.logged().contains("# the last lines were not read"));
}

#[test]
fn stop_works_with_stalled_reader() {
    let mut engine = searching();
    engine.send("stop\n");
    until("the end of the search", || engine.has_sent("done move="));
    assert!(!engine.is_busy());
    // The session continues.
    engine.send("level depth=4\ngo think\n");
    until("another move", || engine.logged().matches("< done move=").count() == 2);
    engine.close_input();
    let lines = engine.read();
    let moves = lines.iter().filter(|line| line.starts_with("done move=")).count();
    let pongs = lines.iter().filter(|line| *line == "pong").count();
    assert_eq!((moves, pongs), (2, 30_000), "no line is lost");
    assert!(engine.ended_within(TIMEOUT).expect("it ends").success());
}

#[test]
fn end_of_input_ends_the_search_and_no_line_is_lost() {
    let mut engine = searching();
    engine.close_input();
    until("the end of the search", || !engine.is_busy());
    // Longer than the program waits after `quit`.
    thread::sleep(Duration::from_secs(3));
    assert_eq!(engine.ended(), None, "the program waits for its reader");
    let lines = engine.read();
    assert_eq!(lines.iter().filter(|line| *line == "pong").count(), 30_000);
    assert!(engine.ended_within(TIMEOUT).expect("it ends").success());
}

#[test]
fn closed_output_ends_the_program() {
    let mut engine = searching();
    engine.output = None;
    assert!(engine.ended_within(TIMEOUT).expect("it ends").success());
}

#[test]
fn reports_of_an_endless_search_do_not_accumulate() {
    let mut engine = Engine::new(&["nboard"]);
    engine.send("nboard 2\nset depth 60\n");
    engine.send(&"ping 1\n".repeat(60_000));
    engine.send("hint 60\n");
    until("the last answer", || engine.logged().matches("< pong").count() == 60_000);
    assert!(engine.is_busy());
    let logged = engine.logged().lines().count();
    thread::sleep(Duration::from_secs(3));
    assert!(engine.logged().lines().count() <= logged + 1, "reports are held back");
    // A client that reads again gets the latest report.
    let mut output = BufReader::new(engine.output.take().unwrap()).lines().map(Result::unwrap);
    assert!(output.any(|line| line.starts_with("search ")));
    engine.send("quit\n");
    assert!(engine.ended_within(TIMEOUT).expect("it ends").success());
}

/// Sends 64 MiB of `line` without reading. The writer must block, and the memory must stay small.
fn flood(mut engine: Engine, line: &str) -> Engine {
    until("a search", || engine.is_busy());
    let before = engine.resident();
    let most = 64 << 20;
    let text = line.repeat((64 << 10) / line.len());
    let (sender, sent) = engine.send_in_background(text.clone(), most / text.len());
    let (mut last, mut still) = (usize::MAX, 0);
    until("a blocked writer", || {
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
fn input_is_read_no_faster_than_its_answers() {
    let mut engine = Engine::silent(&["hub"]);
    engine.send("hub\ninit\nlevel infinite\ngo analyze\n");
    let mut engine = flood(engine, "ping\n");
    assert!(engine.is_busy());
    engine.output = None;
    assert!(engine.ended_within(TIMEOUT).expect("it ends").success());
}

#[test]
fn end_of_input_after_many_lines_ends_the_search() {
    // More answers than the output queue holds, and fewer lines than the input takes.
    const COUNT: usize = 850_000;
    let mut engine = Engine::silent(&["hub"]);
    engine.send("hub\ninit\nlevel infinite\ngo analyze\n");
    engine.send(&"ping\n".repeat(COUNT));
    assert!(engine.is_busy());
    engine.close_input();
    until("the end of the search", || !engine.is_busy());
    let lines = engine.read();
    assert_eq!(lines.iter().filter(|line| *line == "pong").count(), COUNT);
    assert!(engine.ended_within(TIMEOUT).expect("it ends").success());
}

/// Sends 64 MiB of a line without an answer, which must not accumulate.
fn send_silent(engine: &mut Engine, line: &str) -> (u64, u64) {
    let before = engine.resident();
    let text = line.repeat((64 << 10) / line.len());
    let (sender, sent) = engine.send_in_background(text.clone(), (64 << 20) / text.len());
    until("the last line", || sender.is_finished());
    assert!(sent.load(Ordering::SeqCst) > 60 << 20);
    let after = engine.resident();
    println!("{}: {before} to {after} MiB resident", line.trim());
    engine.input = Some(sender.join().unwrap());
    (before, after)
}

#[test]
fn work_for_the_search_does_not_accumulate() {
    let mut engine = Engine::new(&["cassio"]);
    engine.send(&format!("ENGINE-PROTOCOL init\nENGINE-PROTOCOL endgame-search {START} -64 64 100\n"));
    until("an answer", || engine.has_sent("ready."));
    let seed = format!("ENGINE-PROTOCOL feed-hash {START} -2.00 2.00 20 100 f5\n");
    let (before, after) = send_silent(&mut engine, &seed);
    assert!(after < before + 32, "{before} to {after} MiB");
    assert!(engine.is_busy());
    engine.send("ENGINE-PROTOCOL quit\n");
    assert!(engine.ended_within(TIMEOUT).expect("it ends").success());
}

#[test]
fn pings_during_a_move_do_not_accumulate() {
    let mut engine = Engine::silent(&["xboard"]);
    engine.send("xboard\nprotover 2\nnew\nlevel 0 60 0\neasy\ngo\n");
    let mut engine = flood(engine, "ping 7\n");
    engine.output = None;
    assert!(engine.ended_within(TIMEOUT).expect("it ends").success());
}

#[test]
fn slow_reader_gets_every_answer_in_order() {
    const COUNT: usize = 300_000;
    let mut engine = Engine::new(&["nboard"]);
    engine.send("nboard 2\nset depth 60\nhint 4\n");
    let text: String = (1..=COUNT).map(|number| format!("ping {number}\n")).collect();
    let (sender, _) = engine.send_in_background(text, 1);
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
    // Lines that wait for an active reader are not lost by `quit`.
    engine.send("quit\n");
    assert!(engine.ended_within(TIMEOUT).expect("it ends").success());
    let text = reader.join().unwrap();
    let pongs =
        text.lines().filter_map(|line| line.strip_prefix("pong ")).map(|n| n.parse::<usize>().unwrap());
    assert!(pongs.eq(1..=COUNT));
}
