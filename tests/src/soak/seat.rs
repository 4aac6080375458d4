//! A running engine and the one who talks to it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use outflank::session::Protocol;

use super::{Fault, Options};
use crate::engine::Engine;
use crate::spawned::{Silence, Spawned};

/// Longer than any move takes, whatever the machine is busy with.
const PATIENCE: Duration = Duration::from_secs(60);
/// As many lines are shown with a fault.
const RECENT: usize = 40;

/// What was counted and measured.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Games to their end.
    pub games: u64,
    /// Moves of the engines.
    pub moves: u64,
    /// Lines sent.
    pub commands: u64,
    /// Lines heard.
    pub lines: u64,
    /// How long each reply took that is owed at once, in microseconds.
    replies: Vec<u32>,
    /// Resident memory of each process, in bytes: after the first games, and at the end.
    pub memory: Vec<(u64, u64)>,
}

impl Figures {
    /// Number of replies measured.
    pub fn replies(&self) -> usize {
        self.replies.len()
    }

    /// Adds a reply that took so long.
    pub(super) fn took(&mut self, time: Duration) {
        self.replies.push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }

    /// The time within which this share of the replies came.
    pub fn within(&self, share: f64) -> Duration {
        let mut sorted = self.replies.clone();
        sorted.sort_unstable();
        let at = (sorted.len() as f64 * share).ceil() as usize;
        let micros = sorted.get(at.saturating_sub(1)).copied().unwrap_or_default();
        Duration::from_micros(u64::from(micros))
    }

    /// The longest time of all.
    pub fn worst(&self) -> Duration {
        Duration::from_micros(u64::from(self.replies.iter().max().copied().unwrap_or_default()))
    }

    /// Adds those of another.
    pub fn add(&mut self, other: &Figures) {
        self.games += other.games;
        self.moves += other.moves;
        self.commands += other.commands;
        self.lines += other.lines;
        self.replies.extend_from_slice(&other.replies);
        self.memory.extend_from_slice(&other.memory);
    }
}

/// One engine.
#[derive(Debug)]
pub(super) struct Seat {
    engine: Spawned,
    late: Duration,
    recent: VecDeque<String>,
    began: Instant,
    /// Its memory after the first games.
    memory: Option<u64>,
    pub(super) figures: Figures,
}

impl Seat {
    /// Starts the engine.
    pub(super) fn new(dialect: Protocol, options: &Options, threads: &str) -> Result<Seat, Fault> {
        let arguments = [dialect.name(), "--threads", threads, "--hash", "4"];
        let engine = Spawned::new(&options.engine, arguments)
            .map_err(|error| format!("{}: {error}", options.engine.display()))?;
        Ok(Seat {
            engine,
            late: options.late,
            recent: VecDeque::new(),
            began: Instant::now(),
            memory: None,
            figures: Figures::default(),
        })
    }

    pub(super) fn send(&mut self, line: &str) {
        self.note('>', line);
        self.figures.commands += 1;
        self.engine.send(line);
    }

    pub(super) fn wait(&mut self, time: Duration) {
        self.engine.wait(time);
    }

    /// The next line.
    pub(super) fn line(&mut self, what: &str) -> Result<String, Fault> {
        self.stamped(what).map(|(_, line)| line)
    }

    fn stamped(&mut self, what: &str) -> Result<(Instant, String), Fault> {
        match self.engine.next_within(PATIENCE) {
            Ok((at, line)) => {
                self.note('<', &line);
                self.figures.lines += 1;
                Ok((at, line))
            }
            Err(Silence::Late) => Err(self.fault(&format!("no {what} within {PATIENCE:?}"))),
            Err(Silence::Over) => Err(self.fault(&format!("it has died before its {what}"))),
        }
    }

    /// Sends a question; `answers` looks at every line until it has found the answer, which has to come soon.
    pub(super) fn promptly<T>(
        &mut self,
        question: &str,
        mut answers: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<T, Fault> {
        let asked = Instant::now();
        self.send(question);
        loop {
            let (at, line) = self.stamped(&format!("answer to `{question}`"))?;
            if let Some(answer) = answers(&line).map_err(|fault| self.fault(&fault))? {
                let took = at.saturating_duration_since(asked);
                self.figures.took(took);
                if took > self.late {
                    return Err(self.fault(&format!("`{question}` was answered after {took:?}")));
                }
                return Ok(answer);
            }
        }
    }

    /// Nobody reads for `time`, and all of `lines` are sent meanwhile.
    pub(super) fn unread(&mut self, time: Duration, lines: &[String]) {
        self.engine.read_on(false);
        for line in lines {
            self.send(line);
        }
        self.engine.wait(time);
        self.engine.read_on(true);
    }

    /// What is wrong, with what came before.
    pub(super) fn fault(&mut self, what: &str) -> Fault {
        let errors = self.engine.errors();
        let mut text = what.to_owned();
        for line in self.recent.iter().chain(&errors) {
            text.push_str("\n  ");
            text.push_str(line);
        }
        text
    }

    /// Notes its memory after the first games.
    pub(super) fn warm(&mut self) {
        self.memory = self.memory.or_else(|| self.engine.resident_memory());
    }

    /// Lets it leave; what it has grown by is a fault beyond `growth`, and so is whatever it says to standard error.
    pub(super) fn close(mut self, growth: u64) -> (Figures, Vec<Fault>) {
        let mut faults = Vec::new();
        let end = self.engine.resident_memory();
        if let (Some(start), Some(end)) = (self.memory, end) {
            self.figures.memory.push((start, end));
            if end > start.saturating_add(growth) {
                faults.push(format!("memory grew from {start} to {end} bytes"));
            }
        }
        match self.engine.leave() {
            Some((_, Some(0))) => {}
            other => faults.push(format!("it did not leave as it should: {other:?}")),
        }
        let errors = self.engine.errors();
        if !errors.is_empty() {
            faults.push(format!("standard error: {errors:?}"));
        }
        (self.figures, faults)
    }

    fn note(&mut self, direction: char, line: &str) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        let shown: String = line.chars().take(200).flat_map(char::escape_debug).collect();
        self.recent.push_back(format!("{:9.3} {direction} {shown}", self.began.elapsed().as_secs_f64()));
    }
}
