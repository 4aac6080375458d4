//! Reply times of the program during a search. `cargo xtask soak` measures more of them.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::time::{Duration, Instant};

use outflank_tests::engine::Engine;
use outflank_tests::spawned::{Spawned, program};

/// Longest median on a machine where other tests run. It is some milliseconds on an idle machine.
const LIMIT: Duration = Duration::from_secs(1);

type Lines = &'static [&'static str];

const NBOARD: Lines = &["nboard 2", "set depth 60"];
const CASSIO: Lines = &["ENGINE-PROTOCOL init"];
const ENDGAME: Lines = &["ENGINE-PROTOCOL endgame-search \
    ---------------------------OX------XO---------------------------X -64 64 100"];
const HUB: Lines = &["hub", "init", "level infinite"];
const XBOARD: Lines = &["xboard", "protover 2", "new", "level 0 60 0", "easy"];

/// The protocol and its first lines, the lines that start a search, a question, and the start of its answer.
const QUESTIONS: [(&str, Lines, Lines, &str, &str); 11] = [
    ("nboard", NBOARD, &["hint 64"], "ping 77", "pong 77"),
    ("nboard", NBOARD, &["clear", "go"], "ping 77", "pong 77"),
    ("cassio", CASSIO, ENDGAME, "", "ok."),
    ("cassio", CASSIO, ENDGAME, "ENGINE-PROTOCOL get-search-infos", "node "),
    ("cassio", CASSIO, ENDGAME, "ENGINE-PROTOCOL stop", "ready."),
    ("hub", HUB, &["go analyze"], "ping", "pong"),
    ("hub", HUB, &["go think"], "stop", "done move="),
    ("hub", HUB, &["new-game", "go think"], "stop", "done move="),
    ("xboard", XBOARD, &["force", "undo", "go"], "?", "move "),
    ("xboard", XBOARD, &["force", "new", "go"], "?", "move "),
    ("xboard", XBOARD, &["analyze"], "ping 77", "pong 77"),
];

/// Asks each question several times, shortly after the start of a search. The first answer is not counted: it waits for the
/// program to start.
fn check_medians(threads: &str, hash: &str, times: usize) {
    for (protocol, before, search, question, answer) in QUESTIONS {
        let arguments = [protocol, "--threads", threads, "--hash", hash];
        let mut engine = Spawned::new(program().unwrap(), arguments).unwrap();
        before.iter().for_each(|line| engine.send(line));
        let ask = |number| {
            search.iter().for_each(|line| engine.send(line));
            engine.wait(Duration::from_millis(30 + 7 * number));
            while engine.line_within(Duration::ZERO).is_some() {}
            let start = Instant::now();
            engine.send(question);
            engine.until(answer);
            start.elapsed()
        };
        let mut delays: Vec<Duration> = (0..=times as u64).map(ask).skip(1).collect();
        delays.sort();
        let median = delays[times / 2];
        println!("{protocol} `{question}` after {search:?}: median {median:.3?} with {hash} MiB");
        assert!(median < LIMIT, "{protocol} `{question}` after {search:?}: {delays:?}");
    }
}

#[test]
fn answers_come_soon() {
    check_medians("1", "16", 5);
    check_medians("2", "256", 3);
}
