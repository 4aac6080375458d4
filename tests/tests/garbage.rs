//! Whatever comes in: no panic, and the session goes on.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::time::Duration;

use outflank::random;
use outflank::search::{HashSize, SearchConfig};
use outflank::session::{Conversation, Effect, Event, Protocol, Session, SessionConfig, Timestamp};
use outflank_tests::corpus::{self, SMALL_TALK, SmallTalk};
use outflank_tests::engine::Engine;
use outflank_tests::inside::Inside;
use outflank_tests::spawned::{Spawned, program};
use outflank_tests::transcript::{Action, Transcript};

/// The engine's generator, and what the tests draw by it.
struct Random(random::Random);

impl Random {
    fn new(seed: u64) -> Random {
        Random(random::Random::new(seed))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit as u32) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// Good lines of all dialects, to be spoilt.
fn good_lines() -> Vec<String> {
    Protocol::ALL.into_iter().flat_map(good_lines_of).collect()
}

fn good_lines_of(dialect: Protocol) -> Vec<String> {
    let mut lines = Vec::new();
    for &(name, text) in corpus::LIVE.iter().filter(|(name, _)| name.starts_with(dialect.name())) {
        for step in Transcript::parse(name, text).unwrap().steps {
            if let Action::Send(line) = step.action {
                lines.push(line);
            }
        }
    }
    lines
}

/// A line that is nonsense, or a good one with something changed.
fn line(random: &mut Random, good: &[String]) -> String {
    const BITS: [&str; 28] = [
        "",
        " ",
        "-1",
        "0",
        "64",
        "99999999999999999999",
        "1e400",
        "nan",
        "é",
        "…",
        "\u{0}",
        "\"",
        "=",
        "\\",
        "/",
        "%s",
        "(;",
        ";)",
        "[",
        "]",
        "f5",
        "PA",
        "--",
        "X",
        "\t",
        "\r",
        "=\"",
        "{}",
    ];
    let mut text = good[random.below(good.len())].clone();
    // Nothing here shall take long: a deep search is not what is tested.
    for deep in ["60", "20", "40"] {
        text = text.replace(&format!("depth {deep}"), "depth 3");
    }
    match random.below(8) {
        0 => (0..random.below(60)).map(|_| char::from(random.below(256) as u8)).collect(),
        1 => (0..random.below(12)).map(|_| random.pick(&BITS)).collect::<Vec<_>>().join(" "),
        2 => {
            let cut = random.below(text.len() + 1);
            text.chars().take(cut).collect()
        }
        3 => {
            let words: Vec<&str> = text.split(' ').collect();
            let spoilt = random.below(words.len().max(1));
            let bit = random.pick(&BITS);
            words
                .iter()
                .enumerate()
                .map(|(n, w)| if n == spoilt { bit } else { w })
                .collect::<Vec<_>>()
                .join(" ")
        }
        4 => {
            let at = random.below(text.chars().count() + 1);
            let bit = random.pick(&BITS);
            let before: String = text.chars().take(at).collect();
            let after: String = text.chars().skip(at).collect();
            format!("{before}{bit}{after}")
        }
        // Sizes of memory are not tried: a system may grant them all.
        5 | 6 if !["memory", "hash"].iter().any(|word| text.contains(word)) => with_extremes(random, &text),
        _ => text,
    }
}

/// The line with extreme numbers in the places of half of its own.
fn with_extremes(random: &mut Random, text: &str) -> String {
    const EXTREMES: [&str; 22] = [
        "0",
        "-0",
        "-1",
        "1e-320",
        "0.0000001",
        "61",
        "100",
        "255",
        "256",
        "65536",
        "2147483647",
        "-2147483648",
        "4294967295",
        "4294967296",
        "1e9",
        "1e18",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1e308",
        "-inf",
    ];
    let mut line = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        line.push_str(before);
        line.push_str(if random.below(2) == 0 { random.pick(&EXTREMES) } else { &number[..end] });
        rest = &number[end..];
    }
    line + rest
}

#[test]
fn no_dialect_is_left_out() {
    let spoken: Vec<Protocol> = SMALL_TALK.iter().map(|talk| talk.dialect).collect();
    assert_eq!(spoken, Protocol::ALL);
}

#[test]
fn no_line_is_too_bad() {
    let good = good_lines();
    let seeds = if std::env::var_os("OUTFLANK_LONG_TESTS").is_some() { 1000 } else { 12 };
    for &SmallTalk { dialect, opening, hush, question, answer } in SMALL_TALK {
        let mut sent = 0;
        for seed in 1..=seeds {
            let mut random = Random::new(seed);
            let config = SearchConfig { hash: HashSize(1), ..SearchConfig::default() };
            let mut engine =
                Inside::new(Conversation::in_protocol(dialect, SessionConfig::default()), config);
            engine.send(opening);
            for _ in 0..60 {
                let line = line(&mut random, &good);
                if ["quit", "exit"].iter().any(|word| line.contains(word)) {
                    continue;
                }
                engine.send(&line);
                sent += 1;
                if random.below(8) == 0 {
                    engine.wait(Duration::from_millis(random.below(30) as u64));
                }
            }
            if let Some(line) = hush {
                engine.send(line);
            }
            engine.send(question);
            let answered = std::iter::from_fn(|| engine.next_line()).take(100_000).any(|line| {
                assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{dialect}: {line:?}");
                line == answer
            });
            assert!(answered, "{dialect}, seed {seed}: no `{answer}`");
            assert!(engine.close().is_some(), "{dialect}, seed {seed}: goes on after the end");
        }
        println!("{dialect}: {sent} lines");
    }
}

/// Sessions alone, whose searches end at once or later: arithmetic on what a line says is checked for overflow.
#[test]
fn no_number_is_too_extreme() {
    for dialect in Protocol::ALL {
        let good = good_lines_of(dialect);
        let mut random = Random::new(dialect as u64 + 1);
        let mut lines = 0;
        for _ in 0..1000 {
            let mut session = Conversation::in_protocol(dialect, SessionConfig::default());
            let (mut now, mut running) = (Timestamp::default(), None);
            for _ in 0..60 {
                let line = &good[random.below(good.len())];
                let mut effects = Vec::new();
                session.handle(now, &Event::Line(with_extremes(&mut random, line)), &mut effects);
                lines += 1;
                now = now + Duration::from_millis(random.below(3000) as u64);
                for effect in &effects {
                    if let Effect::Start(request, _) = effect {
                        running = Some(request.id);
                    }
                }
                if random.below(2) == 0
                    && let Some(id) = running.take()
                {
                    session.handle(now, &Event::Done { id, nodes: u64::MAX }, &mut effects);
                    let next = effects.iter().rev().find_map(|effect| match effect {
                        Effect::Start(request, _) if request.id > id => Some(request.id),
                        _ => None,
                    });
                    running = next;
                }
            }
        }
        println!("{dialect}: {lines} lines");
    }
}

#[test]
fn no_bytes_are_too_bad() {
    let program = program().unwrap();
    for &SmallTalk { dialect, opening, question, answer, .. } in SMALL_TALK {
        let mut random = Random::new(7);
        let mut engine = Spawned::new(program, [dialect.name(), "--hash", "1"]).unwrap();
        engine.send_bytes(format!("{opening}\r\n").as_bytes());
        for _ in 0..2000 {
            let length = random.below(80);
            let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            engine.send_bytes(&bytes);
            engine.send_bytes(b"\n");
        }
        // A line without end, longer than anybody keeps.
        engine.send_bytes(&vec![b'x'; 3 << 20]);
        engine.send_bytes(format!("\n{question}\r\n").as_bytes());
        let answered = std::iter::from_fn(|| engine.next_line()).take(100_000).any(|line| line == answer);
        assert!(answered, "{dialect}: no `{answer}`");
        assert_eq!(engine.errors(), [""; 0], "{dialect}: standard error");
        // In the middle of a line.
        engine.send_bytes(b"pin");
        assert!(engine.leave().is_some_and(|(_, code)| code == Some(0)), "{dialect}: does not leave");
    }
}
