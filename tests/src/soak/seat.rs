//! A running engine with measurements of its replies and its memory.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use outflank::session::Protocol;

use super::{Fault, Options};
use crate::engine::Engine;
use crate::spawned::{Silence, Spawned};

/// Longer than any move takes on a busy machine.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);
const RECENT_LINES: usize = 40;

#[derive(Clone, Debug, Default)]
pub struct Figures {
    pub games: u64,
    pub moves: u64,
    pub commands: u64,
    pub lines: u64,
    /// Times of the replies that are owed at once, in microseconds.
    pub replies: Vec<u32>,
    /// Resident memory of each process in bytes, after the first games and at the end.
    pub memory: Vec<(u64, u64)>,
}

impl Figures {
    pub(super) fn took(&mut self, time: Duration) {
        self.replies.push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }

    /// Returns the time within which this share of the replies arrived.
    pub fn within(&self, share: f64) -> Duration {
        let mut sorted = self.replies.clone();
        sorted.sort_unstable();
        let at = (sorted.len() as f64 * share).ceil() as usize;
        let micros = sorted.get(at.saturating_sub(1)).copied().unwrap_or_default();
        Duration::from_micros(u64::from(micros))
    }

    pub(super) fn add(&mut self, other: &Figures) {
        self.games += other.games;
        self.moves += other.moves;
        self.commands += other.commands;
        self.lines += other.lines;
        self.replies.extend_from_slice(&other.replies);
        self.memory.extend_from_slice(&other.memory);
    }
}

#[derive(Debug)]
pub(super) struct Seat {
    engine: Spawned,
    late: Duration,
    recent: VecDeque<String>,
    began: Instant,
    /// Memory after the first games.
    memory: Option<u64>,
    pub(super) figures: Figures,
}

impl Seat {
    pub(super) fn new(protocol: Protocol, options: &Options, threads: &str) -> Result<Seat, Fault> {
        let arguments = [protocol.name(), "--threads", threads, "--hash", "4"];
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

    /// Returns the next line and the time at which it was read.
    pub(super) fn line(&mut self, what: &str) -> Result<(Instant, String), Fault> {
        match self.engine.next_within(REPLY_TIMEOUT) {
            Ok((at, line)) => {
                self.note('<', &line);
                self.figures.lines += 1;
                Ok((at, line))
            }
            Err(Silence::Late) => Err(self.fault(&format!("no {what} within {REPLY_TIMEOUT:?}"))),
            Err(Silence::Over) => Err(self.fault(&format!("the engine ended before its {what}"))),
        }
    }

    /// Records the time of a reply that is owed at once.
    pub(super) fn answered(&mut self, question: &str, asked: Instant, at: Instant) -> Result<(), Fault> {
        let took = at.saturating_duration_since(asked);
        self.figures.took(took);
        if took > self.late {
            return Err(self.fault(&format!("`{question}` was answered after {took:?}")));
        }
        Ok(())
    }

    /// Sends `lines`, and reads no line until `time` after that.
    pub(super) fn unread(&mut self, time: Duration, lines: &[String]) {
        self.engine.read_on(false);
        for line in lines {
            self.send(line);
        }
        self.engine.wait(time);
        self.engine.read_on(true);
    }

    /// Returns the description of a fault, with the last lines before it.
    pub(super) fn fault(&mut self, what: &str) -> Fault {
        let errors = self.engine.errors();
        let lines = self.recent.iter().chain(&errors).map(|line| format!("\n  {line}"));
        what.to_owned() + &lines.collect::<String>()
    }

    /// Records the memory after the first games.
    pub(super) fn warm(&mut self) {
        self.memory = self.memory.or_else(|| self.engine.resident_memory());
    }

    /// Ends the engine. Growth of its memory beyond `growth` is a fault, and so is any line on standard error.
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
            other => faults.push(format!("the engine did not end with status 0: {other:?}")),
        }
        let errors = self.engine.errors();
        if !errors.is_empty() {
            faults.push(format!("standard error: {errors:?}"));
        }
        (self.figures, faults)
    }

    fn note(&mut self, direction: char, line: &str) {
        if self.recent.len() == RECENT_LINES {
            self.recent.pop_front();
        }
        let shown: String = line.chars().take(200).flat_map(char::escape_debug).collect();
        self.recent.push_back(format!("{:9.3} {direction} {shown}", self.began.elapsed().as_secs_f64()));
    }
}
