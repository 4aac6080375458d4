//! Long run of the program in every protocol, with disturbances.
//!
//! Programs with one thread and with two receive lines of every kind at random moments: searches, stops, positions, invalid lines.
//! For some time no output is read. Every question must be answered, in order. Memory must not grow, nothing may be written to
//! standard error, and no program may end. The properties of the sessions check what the other lines are answered.
//!
//! The test takes one round. `cargo xtask soak` sets `OUTFLANK_SOAK` to the minutes, the seed and the names of protocols. It also
//! limits the time of the answers, and memory more strictly.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use outflank::random::Random;
use outflank::session::Protocol;
use outflank_properties::sessions;
use outflank_tests::spawned::Spawned;

/// Questions to each program in a round.
const QUESTIONS: usize = 200;
const RECENT_LINES: usize = 40;
/// Parts of lines that are not sent: they change the memory, end the program, or have the answer of a question.
const EXCLUDED: [&str; 7] = ["quit", "ping", "get-version", "memory", "cores", "name=hash", "name=threads"];

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Longest time of an answer. `None` if other programs may use the machine.
    late: Option<Duration>,
    /// Most bytes by which a process may grow.
    growth: u64,
}

#[test]
#[ignore = "release: a long run"]
fn disturbed_sessions_of_every_protocol() {
    let words = std::env::var("OUTFLANK_SOAK").unwrap_or_default();
    let mut words = words.split(' ').filter(|word| !word.is_empty());
    let minutes: Option<u64> = words.next().map(|minutes| minutes.parse().unwrap());
    let seed = words.next().map_or(7, |seed| seed.parse().unwrap());
    let named: Vec<Protocol> =
        words.map(|name| name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))).collect();
    let protocols = if named.is_empty() { &Protocol::ALL[..] } else { &named };
    let limits = match minutes {
        Some(_) => Limits { late: Some(Duration::from_secs(1)), growth: 8 << 20 },
        None => Limits { late: None, growth: 32 << 20 },
    };
    let (start, time) = (Instant::now(), Duration::from_secs(60 * minutes.unwrap_or(0)));
    let mut random = Random::new(seed);
    let mut partners: Vec<Partner> = protocols
        .iter()
        .flat_map(|&protocol| ["1", "2"].map(|threads| Partner::new(protocol, threads)))
        .collect();
    for round in 1.. {
        for partner in &mut partners {
            (0..QUESTIONS).for_each(|_| partner.disturb_and_ask(&mut random, limits));
            partner.memory = partner.memory.or(partner.engine.resident_memory());
        }
        println!("{round} rounds, {:.0?}", start.elapsed());
        if start.elapsed() >= time {
            break;
        }
    }
    partners.into_iter().for_each(|partner| partner.close(limits));
}

/// A program and what it owes.
#[derive(Debug)]
struct Partner {
    protocol: Protocol,
    engine: Spawned,
    /// Numbers of questions and of their answers.
    asked: usize,
    answered: usize,
    /// Longest time of an answer.
    longest: Duration,
    /// The last lines, the latest first.
    recent: VecDeque<String>,
    /// Memory after the first round.
    memory: Option<u64>,
}

impl Partner {
    fn new(protocol: Protocol, threads: &str) -> Partner {
        let options = "--hash 4 --eval small --book none --threads".split(' ');
        let engine = Spawned::new([protocol.name()].into_iter().chain(options).chain([threads]));
        let (longest, recent) = (Duration::ZERO, VecDeque::new());
        Partner { protocol, engine, asked: 0, answered: 0, longest, recent, memory: None }
    }

    /// Sends some lines, then one question, or rarely many of them without reading.
    fn disturb_and_ask(&mut self, random: &mut Random, limits: Limits) {
        let lines = sessions::lines(self.protocol);
        for _ in 0..random.below(8) {
            let line = match random.below(40) {
                0 => "x".repeat(random.below(100_000) as usize),
                _ => lines[random.below(lines.len() as u32) as usize]
                    .replace("{move}", "f5")
                    .replace("{reply}", "d6"),
            };
            if EXCLUDED.iter().all(|part| !line.contains(part)) {
                self.send(&line);
                thread::sleep(moment(random));
            }
        }
        if random.below(20) == 0 {
            self.engine.read_on(false);
            (0..1 + random.below(300)).for_each(|_| self.ask());
            thread::sleep(moment(random));
            self.engine.read_on(true);
            self.read();
        } else {
            let asked = Instant::now();
            self.ask();
            self.read();
            let took = asked.elapsed();
            self.longest = self.longest.max(took);
            assert!(limits.late.is_none_or(|late| took < late), "{took:?}: {}", self.recent());
        }
    }

    /// Abandons the search, and sends a line that is always answered at once.
    fn ask(&mut self) {
        self.asked += 1;
        let number = self.asked;
        let (hush, question) = match self.protocol {
            Protocol::NBoard => ("", format!("ping {number}")),
            Protocol::Cassio => ("ENGINE-PROTOCOL stop", "ENGINE-PROTOCOL get-version".to_owned()),
            Protocol::Hub => ("stop", "ping".to_owned()),
            Protocol::XBoard => ("force", format!("ping {number}")),
            Protocol::Gtp => ("# interrupt", format!("9{number} protocol_version")),
        };
        for line in [hush, &question] {
            self.send(line);
        }
    }

    /// Reads until every question is answered.
    fn read(&mut self) {
        while self.answered < self.asked {
            let Some(line) = self.engine.next_line() else { panic!("no answer: {}", self.recent()) };
            self.note('<', &line);
            let is_answer = ["pong", "version: ", "=9"].iter().any(|start| line.starts_with(start));
            self.answered += usize::from(is_answer);
            let number = line.strip_prefix("pong ").map(str::parse);
            assert!(number.is_none_or(|number| number == Ok(self.answered)), "{line}: {}", self.recent());
        }
    }

    fn send(&mut self, line: &str) {
        self.note('>', line);
        self.engine.send(line);
    }

    fn note(&mut self, direction: char, line: &str) {
        self.recent.truncate(RECENT_LINES - 1);
        self.recent.push_front(format!("{direction} {}", line.chars().take(200).collect::<String>()));
    }

    fn recent(&self) -> String {
        format!("{}: {:#?}", self.protocol, self.recent)
    }

    /// Ends the program and prints its longest answer and its memory.
    fn close(mut self, limits: Limits) {
        let mut memory = String::new();
        if let (Some(start), Some(end)) = (self.memory, self.engine.resident_memory()) {
            memory = format!("{} to {} KiB", start >> 10, end >> 10);
            assert!(end <= start + limits.growth, "{}: memory grew: {memory}", self.protocol);
        }
        assert_eq!((self.engine.leave(), self.engine.errors()), (Some(0), Vec::new()), "{}", self.recent());
        println!(
            "{}: {} answers, the longest after {:.1?}; {memory}",
            self.protocol, self.answered, self.longest
        );
    }
}

/// Returns a time of at most 60 ms, mostly less.
fn moment(random: &mut Random) -> Duration {
    let longest = [0, 1, 5, 60][random.below(4) as usize];
    Duration::from_micros(u64::from(random.below(1000 * longest)))
}
