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

use outflank::board::Move;
use outflank::eval::{Evaluator, Network};
use outflank::game::Game;
use outflank::notation::squares;
use outflank::search::{HashSize, SearchConfig};
use outflank::session::{Conversation, Protocol, SessionConfig};
use outflank_cli::client::{Client, MatchTimeControl, MoveLimits, Reply, Step};
use outflank_cli::native::{Log, run_session};

/// Boards with this many empty squares cannot be evaluated.
const BROKEN: usize = 50;
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
        let mut lines = vec![self.next()];
        while !lines[lines.len() - 1].starts_with(end) {
            lines.push(self.next());
        }
        lines
    }

    fn next(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|error| panic!("no line: {error}"))
    }

    fn carry_out(&self, client: &mut Client, steps: Vec<Step>) {
        for Step { line, reply } in steps {
            self.send(&line);
            while reply.is_some() && Some(client.read(&self.next())) != reply {}
        }
    }

    /// Searches a position. Returns the lines of the search, and its move.
    fn search(
        &self,
        client: &mut Client,
        game: &Game,
        limits: &MoveLimits,
    ) -> (Vec<String>, Result<Move, String>) {
        let steps = client.set_up(game, limits, [Duration::from_secs(3600); 2]);
        self.carry_out(client, steps);
        self.send(&client.go(game, limits));
        let mut lines = Vec::new();
        loop {
            lines.push(self.next());
            if let Reply::Move(mv) = client.read(&lines[lines.len() - 1]) {
                return (lines, mv);
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

/// Searches that fail, and one that does not.
fn talk(client: &mut Client, engine: &Engine) {
    let error = match client.protocol() {
        Protocol::NBoard => "status Error: the search failed: ",
        Protocol::Cassio => "WARNING: the search failed: ",
        Protocol::Hub => "error message=\"the search failed: ",
        Protocol::XBoard => "Error (the search failed): ",
    };
    let time = MatchTimeControl::Clock { main: Duration::from_secs(3600), increment: Duration::ZERO };
    let limits = MoveLimits { time, depth: Some(14), nodes: None };
    let steps = client.new_game(&limits);
    engine.carry_out(client, steps);
    // A request for a move is answered all the same. Cassio gets no result.
    let (lines, mv) = engine.search(client, &Game::default(), &limits);
    reports_once(&lines, error);
    assert_eq!(mv.is_ok(), client.protocol() != Protocol::Cassio, "{lines:?}");
    if client.protocol() == Protocol::NBoard {
        engine.send("hint 4");
        reports_once(&engine.until("status Error"), error);
    }
    let (lines, mv) = engine.search(client, &Game::new(squares::read(LATE).unwrap()), &limits);
    assert_eq!(mv.map(|mv| mv.to_string()).as_deref(), Ok("g8"), "{lines:?}");
}

fn in_every_protocol(threads: usize) {
    hide_expected_panics();
    for protocol in Protocol::ALL {
        let (engine, mut client) = (Engine::new(protocol, threads), Client::new(protocol));
        let opening = client.opening();
        engine.carry_out(&mut client, opening);
        // The session continues, and its searches may fail again.
        for _ in 0..3 {
            talk(&mut client, &engine);
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
