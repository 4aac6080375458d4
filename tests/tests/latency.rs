//! How soon the program answers in the middle of a search.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::time::{Duration, Instant};

use outflank::session::Protocol;
use outflank_tests::engine::Engine;
use outflank_tests::spawned::{Spawned, program};

/// Within this time an answer is expected on a machine with nothing else to do.
const SOON: Duration = Duration::from_millis(50);
/// And within this one while other tests run beside it.
const AT_ALL: Duration = Duration::from_secs(1);
const START: &str = "---------------------------OX------XO---------------------------X";

/// A question in the middle of a search.
struct Question {
    name: &'static str,
    dialect: Protocol,
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
    use Protocol::{Cassio, Hub, NBoard, XBoard};
    vec![
        new("NBoard ping", NBoard, &nboard, lines(&["hint 64"]), "ping 77", "pong 77"),
        new("NBoard ping after clear", NBoard, &nboard, lines(&["clear", "go"]), "ping 77", "pong 77"),
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
        new("Hub stop in a new game", Hub, &hub, lines(&["new-game", "go think"]), "stop", "done move="),
        new("XBoard ?", XBoard, &xboard, lines(&["force", "undo", "go"]), "?", "move "),
        new("XBoard ? in a new game", XBoard, &xboard, lines(&["force", "new", "go"]), "?", "move "),
        new("XBoard ping in analysis", XBoard, &xboard, lines(&["analyze"]), "ping 77", "pong 77"),
    ]
}

/// How the program is started.
#[derive(Clone, Copy)]
struct Setup {
    threads: &'static str,
    /// In mebibytes.
    hash: &'static str,
}

/// How soon a program answers that does nothing but repeat what it is told, while as many threads as `setup` has are
/// busy beside it: what the machine itself costs at the moment.
#[cfg(unix)]
fn echo(setup: Setup, times: usize) -> Vec<Duration> {
    use std::sync::atomic::{AtomicBool, Ordering};

    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..setup.threads.parse().unwrap() {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let mut engine = Spawned::new("cat".as_ref(), [""; 0]).unwrap();
        let mut delays: Vec<Duration> = (0..times)
            .map(|number| {
                engine.wait(Duration::from_millis(30 + 7 * (number as u64 % 10)));
                let start = Instant::now();
                engine.send("x");
                engine.next_line().unwrap();
                start.elapsed()
            })
            .collect();
        over.store(true, Ordering::Relaxed);
        delays.sort();
        delays
    })
}

#[cfg(not(unix))]
fn echo(_: Setup, times: usize) -> Vec<Duration> {
    vec![Duration::ZERO; times]
}

/// Asks `times` times, a moment after the start of a search, and returns the delays, shortest first. The first question
/// of all does not count: it waits for the program to start.
fn delays(question: &Question, setup: Setup, times: usize) -> Vec<Duration> {
    let arguments = [question.dialect.name(), "--threads", setup.threads, "--hash", setup.hash];
    let mut engine = Spawned::new(program().unwrap(), arguments).unwrap();
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

/// Prints the delays of all questions, whose medians have to be below `limit`; the worst of all, and the worst of an
/// [`echo`] before and after.
fn table(setup: Setup, times: usize, limit: Duration) -> (Duration, Duration) {
    println!("threads {}, hash {} MiB", setup.threads, setup.hash);
    let told = |name: &str, delays: &[Duration]| {
        let (median, worst) = (delays[delays.len() / 2], delays[delays.len() - 1]);
        println!("{name:28} median {median:>10.3?}  worst of {times} {worst:>10.3?}");
        (median, worst)
    };
    let mut machine = told("(cat)", &echo(setup, times)).1;
    let mut worst_of_all = Duration::ZERO;
    for question in questions() {
        let (median, worst) = told(question.name, &delays(&question, setup, times));
        assert!(median < limit, "{}: {median:?}", question.name);
        worst_of_all = worst_of_all.max(worst);
    }
    machine = machine.max(told("(cat)", &echo(setup, times)).1);
    (worst_of_all, machine)
}

#[test]
fn answers_come_soon() {
    table(Setup { threads: "1", hash: "16" }, 5, AT_ALL);
    table(Setup { threads: "2", hash: "256" }, 3, AT_ALL);
}

/// `cargo test -p outflank-tests --test latency -- --ignored --nocapture --test-threads 1`
#[test]
#[ignore = "a measurement: a minute and a half on a machine with nothing else to do"]
fn measured_a_hundred_times_with_one_thread() {
    measured(Setup { threads: "1", hash: "16" });
}

#[test]
#[ignore = "a measurement: a minute and a half on a machine with nothing else to do"]
fn measured_a_hundred_times_with_two_threads_and_a_large_table() {
    measured(Setup { threads: "2", hash: "1024" });
}

fn measured(setup: Setup) {
    let (worst, machine) = table(setup, 100, SOON);
    // Where even an echo comes late, nobody can be blamed.
    assert!(worst < SOON + machine, "the worst of all took {worst:?}");
}
