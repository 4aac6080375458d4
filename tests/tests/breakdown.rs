//! A panic in a search becomes an error message of the protocol, and the session continues.
//!
//! The driver runs in this process, with weights in which one number of empty squares has no stage. The first thread that
//! evaluates such a board panics, deep in the search.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::io::{self, BufReader, Read, Write};
use std::sync::Once;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use outflank::eval::{Evaluator, Network};
use outflank::notation::{fen, squares};
use outflank::search::{HashSize, SearchConfig};
use outflank::session::{Conversation, Protocol, SessionConfig};
use outflank_cli::native::{Log, run_session};

/// Boards with this many empty squares cannot be evaluated.
const BROKEN: usize = 50;
const START: &str = "---------------------------OX------XO---------------------------X";
/// Too few empty squares to reach a board that cannot be evaluated.
const LATE: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--X";

/// The driver in this process, connected by channels.
struct Engine {
    input: Sender<Vec<u8>>,
    lines: Receiver<String>,
}

impl Engine {
    fn new(protocol: Protocol, threads: usize) -> Engine {
        let (input, bytes) = mpsc::channel();
        let (output, lines) = mpsc::channel();
        thread::spawn(move || {
            let session = Conversation::in_protocol(protocol, SessionConfig::default());
            let config = || SearchConfig::with(broken()).with_hash(HashSize(4));
            let input = BufReader::new(Input { bytes, rest: Vec::new() });
            let output = Output { output, line: Vec::new() };
            run_session(session, config, threads, input, output, Log::NONE).unwrap();
        });
        Engine { input, lines }
    }

    fn send(&self, line: &str) {
        self.input.send(format!("{line}\n").into_bytes()).unwrap();
    }

    /// Returns the lines up to the first one that starts with `end`, including it.
    fn until(&self, end: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no `{end}` ({error}) after {lines:?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(end)) {
                return lines;
            }
        }
    }
}

fn broken() -> Evaluator {
    let weights = include_bytes!("../../engine/weights/outflank.weights");
    let mut network = Network::from_bytes(weights).unwrap();
    network.stage_of[BROKEN] = u8::MAX;
    Evaluator::from_network(network)
}

/// Input of the driver.
struct Input {
    bytes: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.bytes.recv().unwrap_or_default();
        }
        let length = buffer.len().min(self.rest.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

/// Output of the driver, line by line.
struct Output {
    output: Sender<String>,
    line: Vec<u8>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.line)).unwrap();
                self.output.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hides the panics of the search. All others are printed.
fn hide_expected_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let thread = thread::current();
            if !thread.name().is_some_and(|name| name == "search" || name.starts_with("helper")) {
                usual(panic);
            }
        }));
    });
}

/// Checks that one line reports the failure, and no other.
fn reports_once(lines: &[String], beginning: &str) {
    let count = lines.iter().filter(|line| line.contains("the search failed")).count();
    let reported = lines.iter().any(|line| line.starts_with(beginning));
    assert!(count == 1 && reported, "`{beginning}` is not once in {lines:?}");
}

fn nboard(engine: &Engine) {
    engine.send("set depth 14");
    engine.send(&format!("set game (;GM[Othello]TY[8]BO[8 {START}];)"));
    engine.send("go");
    // A request for a move is answered all the same.
    reports_once(&engine.until("=== "), "status Error: the search failed: ");
    engine.send("hint 4");
    reports_once(&engine.until("status Error"), "status Error: the search failed: ");
    engine.send(&format!("set game (;GM[Othello]TY[8]BO[8 {LATE}];)"));
    engine.send("ping 3");
    engine.until("pong 3");
    engine.send("go");
    let lines = engine.until("=== G8/18.00/");
    assert!(lines.iter().any(|line| line.starts_with("search G8")), "{lines:?}");
}

fn cassio(engine: &Engine) {
    engine.send(&format!("ENGINE-PROTOCOL midgame-search {START} -64 64 14 90"));
    reports_once(&engine.until("ready."), "WARNING: the search failed: ");
    engine.send("");
    assert_eq!(engine.until("ready."), ["ready."]);
    engine.send(&format!("ENGINE-PROTOCOL endgame-search {LATE} -64 64 100"));
    let lines = engine.until("ready.");
    assert!(lines.iter().any(|line| line.contains("move G8, depth 14, @100%, B+18.00")), "{lines:?}");
}

fn hub(engine: &Engine) {
    let pos = |board: &str| {
        let squares: String = board
            .chars()
            .map(|c| match c {
                'X' => 'b',
                'O' => 'w',
                _ => 'e',
            })
            .collect();
        format!("pos pos=B{}", &squares[..64])
    };
    engine.send(&pos(START));
    engine.send("level depth=14");
    engine.send("go think");
    reports_once(&engine.until("done move="), "error message=\"the search failed: ");
    engine.send("ping");
    assert_eq!(engine.until("pong"), ["pong"]);
    engine.send(&pos(LATE));
    engine.send("go think");
    engine.until("done move=g8");
}

fn xboard(engine: &Engine) {
    for line in ["new", "level 0 60 0", "sd 14", "go"] {
        engine.send(line);
    }
    reports_once(&engine.until("move "), "Error (the search failed): ");
    engine.send("force");
    engine.send(&format!("setboard {}", fen::write(&squares::read(LATE).unwrap(), 'd')));
    engine.send("ping 4");
    engine.until("pong 4");
    engine.send("go");
    engine.until("move D@g8");
}

fn in_every_protocol(threads: usize) {
    hide_expected_panics();
    for (protocol, talk) in [
        (Protocol::NBoard, nboard as fn(&Engine)),
        (Protocol::Cassio, cassio),
        (Protocol::Hub, hub),
        (Protocol::XBoard, xboard),
    ] {
        let engine = Engine::new(protocol, threads);
        // The session continues, and its searches may fail again.
        for _ in 0..3 {
            talk(&engine);
        }
    }
}

#[test]
fn search_panic_is_reported_and_session_continues() {
    in_every_protocol(1);
}

#[test]
fn panic_in_any_of_several_threads_is_reported() {
    in_every_protocol(3);
}
