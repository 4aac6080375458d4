//! How soon the program answers in the middle of a search.

use std::time::{Duration, Instant};

use outflank::session::Dialect;
use outflank_tests::engine::Engine;
use outflank_tests::spawned::{Spawned, program};

const START: &str = "---------------------------OX------XO---------------------------X";

/// A question in the middle of a search.
struct Question {
    name: &'static str,
    dialect: Dialect,
    /// What comes before.
    opening: Vec<String>,
    /// What starts the search, again and again.
    search: Vec<String>,
    question: &'static str,
    answer: &'static str,
}

fn questions() -> Vec<Question> {
    let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    let endgame = vec![format!("ENGINE-PROTOCOL endgame-search {START} -64 64 100")];
    let init = lines(&["ENGINE-PROTOCOL init"]);
    let nboard = lines(&["nboard 2", "set depth 60"]);
    let hub = lines(&["hub", "init", "level infinite"]);
    let xboard = lines(&["xboard", "protover 2", "new", "level 0 60 0", "easy"]);
    let new = |name, dialect, opening: &[String], search: Vec<String>, question, answer| {
        let opening = opening.to_vec();
        Question { name, dialect, opening, search, question, answer }
    };
    use Dialect::{Cassio, Hub, NBoard, WinBoard};
    vec![
        new("NBoard ping", NBoard, &nboard, lines(&["hint 64"]), "ping 77", "pong 77"),
        new("Cassio blank line", Cassio, &init, endgame.clone(), "", "ok."),
        new(
            "Cassio get-search-infos",
            Cassio,
            &init,
            endgame.clone(),
            "ENGINE-PROTOCOL get-search-infos",
            "node ",
        ),
        new("Cassio stop", Cassio, &init, endgame, "ENGINE-PROTOCOL stop", "ready."),
        new("Hub ping", Hub, &hub, lines(&["go analyze"]), "ping", "pong"),
        new("Hub stop", Hub, &hub, lines(&["go think"]), "stop", "done move="),
        new("XBoard ?", WinBoard, &xboard, lines(&["force", "new", "go"]), "?", "move "),
        new("XBoard ping in analysis", WinBoard, &xboard, lines(&["analyze"]), "ping 77", "pong 77"),
    ]
}

/// Asks `times` times, a moment after the start of a search, and returns the delays, shortest first. The first question
/// of all does not count: it waits for the program to start.
fn delays(question: &Question, times: usize) -> Vec<Duration> {
    let arguments = [question.dialect.name(), "--hash", "16"];
    let mut engine = Spawned::new(&program().unwrap(), arguments).unwrap();
    for line in &question.opening {
        engine.send(line);
    }
    let mut delays: Vec<Duration> = (0..=times)
        .map(|number| {
            for line in &question.search {
                engine.send(line);
            }
            engine.wait(Duration::from_millis(30 + 7 * (number as u64 % 10)));
            while engine.line_within(Duration::ZERO).is_some() {}
            let start = Instant::now();
            engine.send(question.question);
            loop {
                let line = engine.next_line().unwrap_or_else(|| panic!("{}: no answer", question.name));
                if line.starts_with(question.answer) {
                    return start.elapsed();
                }
            }
        })
        .skip(1)
        .collect();
    delays.sort();
    delays
}

fn table(times: usize) {
    for question in questions() {
        let delays = delays(&question, times);
        let (median, worst) = (delays[delays.len() / 2], delays[delays.len() - 1]);
        println!("{:24} median {median:>10.3?}  worst of {times} {worst:>10.3?}", question.name);
        assert!(median < Duration::from_millis(50), "{}: {median:?}", question.name);
    }
}

#[test]
fn answers_come_soon() {
    table(7);
}

/// `cargo test -p outflank-tests --test latency -- --ignored --nocapture`
#[test]
#[ignore = "a measurement: half a minute"]
fn measured_a_hundred_times() {
    table(100);
}
