//! A panic in a search becomes an error message of the protocol, and the session continues.
//!
//! The driver runs in this process, with weights in which one number of empty squares has no stage. The first thread that
//! evaluates such a board panics, deep in the search. `tests/properties/sessions.md` contains the message in each protocol.

use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use outflank::eval::network::SMALL;
use outflank::eval::{Evaluator, Network};
use outflank::search::{HashSize, SearchConfig};
use outflank::session::{Conversation, Protocol, SessionConfig};
use outflank_cli::native::{Log, run_session};
use outflank_tests::spawned::HANG_TIMEOUT;

/// Boards with this many empty squares cannot be evaluated.
const BROKEN: usize = 50;
const START: &str = "Beeeeeeeeeeeeeeeeeeeeeeeeeeewbeeeeeebweeeeeeeeeeeeeeeeeeeeeeeeeee";
/// Too few empty squares to reach a board that cannot be evaluated.
const LATE: &str = "Beebbbbbeewwwbbewewwwbbwbewbwbwbbwbbbwbbbeebwbwbbebbbwwweewwwwwee";

/// Starts a session of Hub in this process. Returns its input and its lines.
fn start(threads: usize) -> (PipeWriter, Receiver<String>) {
    let ((input, writer), (reader, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        let session = Conversation::in_protocol(Protocol::Hub, SessionConfig::default());
        let config = || SearchConfig::with(broken()).with_hash(HashSize(4));
        run_session(session, config, threads, BufReader::new(input), output, Log::NONE).unwrap();
    });
    thread::spawn(move || {
        BufReader::new(reader).lines().map_while(Result::ok).try_for_each(|line| send.send(line))
    });
    (writer, lines)
}

fn broken() -> Evaluator {
    let weights = include_bytes!("../../../../engine/weights/outflank.weights");
    let mut network = Network::<SMALL>::from_bytes(weights).unwrap();
    network.head_of[BROKEN] = u8::MAX;
    network.into()
}

fn session_continues(threads: usize) {
    let (mut input, lines) = start(threads);
    let mut search = |board| {
        input.write_all(format!("pos pos={board}\nlevel depth=14\ngo think\n").as_bytes()).unwrap();
        let mut lines = std::iter::repeat_with(|| lines.recv_timeout(HANG_TIMEOUT).unwrap());
        let mut failures = 0;
        let end = lines.find(|line| {
            failures += usize::from(line.starts_with("error message=\"the search failed: "));
            line.starts_with("done ")
        });
        (failures, end.unwrap())
    };
    // The session continues, and its searches may fail again.
    for _ in 0..3 {
        // A request for a move is answered all the same.
        for (board, expected, answer) in [(START, 1, "done move="), (LATE, 0, "done move=g8")] {
            let (failures, end) = search(board);
            assert!(failures == expected && end.starts_with(answer), "{failures} failures, {end}");
        }
    }
}

#[test]
fn search_panic_is_reported_and_session_continues() {
    session_continues(1);
}

#[test]
fn panic_in_any_of_several_threads_is_reported() {
    session_continues(3);
}
