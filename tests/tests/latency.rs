//! Reply times of the program during a search.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use outflank::session::Protocol::{self, Cassio, Hub, NBoard, XBoard};
use outflank_cli::client::Client;
use outflank_tests::engine::Engine;
use outflank_tests::spawned::{Spawned, echo, program};

/// Expected reply time on an idle machine.
const IDLE_LIMIT: Duration = Duration::from_millis(50);
/// Expected reply time while other tests run.
const BUSY_LIMIT: Duration = Duration::from_secs(1);

const ENDGAME: &str = "ENGINE-PROTOCOL endgame-search \
    ---------------------------OX------XO---------------------------X -64 64 100";
const NBOARD: &[&str] = &["set depth 60"];
const HUB: &[&str] = &["level infinite"];
const XBOARD: &[&str] = &["new", "level 0 60 0", "easy"];

/// A question during a search.
struct Question {
    name: &'static str,
    protocol: Protocol,
    /// Lines after the opening of the protocol.
    before: &'static [&'static str],
    /// Lines that start the search each time.
    search: &'static [&'static str],
    question: &'static str,
    answer: &'static str,
}

const fn question(
    name: &'static str,
    protocol: Protocol,
    before: &'static [&'static str],
    search: &'static [&'static str],
    [question, answer]: [&'static str; 2],
) -> Question {
    Question { name, protocol, before, search, question, answer }
}

const QUESTIONS: [Question; 11] = [
    question("NBoard ping", NBoard, NBOARD, &["hint 64"], ["ping 77", "pong 77"]),
    question("NBoard ping after clear", NBoard, NBOARD, &["clear", "go"], ["ping 77", "pong 77"]),
    question("Cassio blank line", Cassio, &[], &[ENDGAME], ["", "ok."]),
    question(
        "Cassio get-search-infos",
        Cassio,
        &[],
        &[ENDGAME],
        ["ENGINE-PROTOCOL get-search-infos", "node "],
    ),
    question("Cassio stop", Cassio, &[], &[ENDGAME], ["ENGINE-PROTOCOL stop", "ready."]),
    question("Hub ping", Hub, HUB, &["go analyze"], ["ping", "pong"]),
    question("Hub stop", Hub, HUB, &["go think"], ["stop", "done move="]),
    question("Hub stop in a new game", Hub, HUB, &["new-game", "go think"], ["stop", "done move="]),
    question("XBoard ?", XBoard, XBOARD, &["force", "undo", "go"], ["?", "move "]),
    question("XBoard ? in a new game", XBoard, XBOARD, &["force", "new", "go"], ["?", "move "]),
    question("XBoard ping in analysis", XBoard, XBOARD, &["analyze"], ["ping 77", "pong 77"]),
];

/// Options of the program.
#[derive(Clone, Copy)]
struct Setup {
    threads: &'static str,
    /// In mebibytes.
    hash: &'static str,
}

fn pause(number: usize) -> Duration {
    Duration::from_millis(30 + 7 * (number as u64 % 10))
}

/// Returns the sorted times of an [`echo`] while as many threads as `setup` has are busy.
fn busy_echo(setup: Setup, times: usize) -> Vec<Duration> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..setup.threads.parse().unwrap() {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let mut delays = echo(times, pause);
        over.store(true, Ordering::Relaxed);
        delays.sort();
        delays
    })
}

/// Asks `times` times, shortly after the start of a search, and returns the sorted delays. The first question is not counted:
/// it waits for the program to start.
fn delays(question: &Question, setup: Setup, times: usize) -> Vec<Duration> {
    let arguments = [question.protocol.name(), "--threads", setup.threads, "--hash", setup.hash];
    let mut engine = Spawned::new(program().unwrap(), arguments).unwrap();
    let opening = Client::new(question.protocol).opening();
    let opening = opening.iter().map(|step| step.line.as_str());
    opening.chain(question.before.iter().copied()).for_each(|line| engine.send(line));
    let mut delays: Vec<Duration> = (0..=times)
        .map(|number| {
            for line in question.search {
                engine.send(line);
            }
            engine.wait(pause(number));
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

/// Prints the delays of all questions, whose medians must be below `limit`. Returns the longest delay, and the longest of an
/// [`echo`] before and after.
fn table(setup: Setup, times: usize, limit: Duration) -> (Duration, Duration) {
    println!("threads {}, hash {} MiB", setup.threads, setup.hash);
    let print = |name: &str, delays: &[Duration]| {
        let (Some(&median), Some(&longest)) = (delays.get(delays.len() / 2), delays.last()) else {
            return (Duration::ZERO, Duration::ZERO);
        };
        println!("{name:28} median {median:>10.3?}  longest of {times} {longest:>10.3?}");
        (median, longest)
    };
    let mut machine = print("(cat)", &busy_echo(setup, times)).1;
    let mut longest_of_all = Duration::ZERO;
    for question in &QUESTIONS {
        let (median, longest) = print(question.name, &delays(question, setup, times));
        assert!(median < limit, "{}: {median:?}", question.name);
        longest_of_all = longest_of_all.max(longest);
    }
    machine = machine.max(print("(cat)", &busy_echo(setup, times)).1);
    (longest_of_all, machine)
}

#[test]
fn answers_come_soon() {
    table(Setup { threads: "1", hash: "16" }, 5, BUSY_LIMIT);
    table(Setup { threads: "2", hash: "256" }, 3, BUSY_LIMIT);
}

/// `cargo test -p outflank-tests --test latency -- --ignored --nocapture --test-threads 1`
#[test]
#[ignore = "a measurement: three minutes on an idle machine"]
fn measured_a_hundred_times() {
    for setup in [Setup { threads: "1", hash: "16" }, Setup { threads: "2", hash: "1024" }] {
        let (longest, machine) = table(setup, 100, IDLE_LIMIT);
        // The delay of the machine is allowed in addition.
        assert!(longest < IDLE_LIMIT + machine, "the longest took {longest:?}");
    }
}
