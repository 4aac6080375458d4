//! The parameters of the engine and the limits of a search.

use std::fmt;
use std::time::Duration;

use super::command::ParsedLine;
use super::reply::{Argument, line};
use crate::search::HashSize;
use crate::search::time::TimeControl;
use crate::session::{self, SessionConfig};

/// Most memory for the transposition table, in mebibytes.
const MAX_HASH_MIB: u32 = 1 << 20;
const MAX_MARGIN_SECONDS: f64 = 60.0;

/// The parameters that the GUI can set before `init`, with their current values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Params {
    pub(super) threads: usize,
    pub(super) hash: HashSize,
    /// Time to leave on the clock in addition to the engine's own margin, in seconds.
    pub(super) margin: f64,
    /// `true` if deep midgame searches may use ProbCut.
    pub(super) selective: bool,
    /// The level of the moves to play.
    pub(super) level: session::Level,
    /// The file of the opening book. Empty for none.
    pub(super) book: String,
    max_threads: usize,
}

impl Params {
    pub(super) fn new(config: &SessionConfig) -> Params {
        let SessionConfig { threads, hash, level, max_threads, .. } = *config;
        let book = config.book_path().to_owned();
        let max_threads = max_threads.max(threads);
        Params { threads, hash, margin: 0.0, selective: true, level, book, max_threads }
    }

    /// Sets a parameter. An invalid value changes nothing.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let expected = |expected| format!("set-param: {name} must be {expected}");
        match name {
            "variant" if matches!(value, "othello" | "reversi" | "normal") => {}
            "variant" => return Err(expected("othello")),
            "threads" => {
                let number = value.parse().ok().filter(|number| (1..=self.max_threads).contains(number));
                self.threads = number.ok_or_else(|| expected("a whole number in its range"))?;
            }
            "hash" => {
                let size = value.parse().ok().filter(|size| (1..=MAX_HASH_MIB).contains(size));
                self.hash =
                    HashSize(size.ok_or_else(|| expected("a whole number of mebibytes in its range"))?);
            }
            "margin" => {
                let margin = value.parse().ok().filter(|margin| (0.0..=MAX_MARGIN_SECONDS).contains(margin));
                self.margin = margin.ok_or_else(|| expected("a number of seconds from 0 to 60"))?;
            }
            "selective" => self.selective = value.parse().map_err(|_| expected("true or false"))?,
            "level" => self.level = value.parse().map_err(|error| format!("set-param: level: {error}"))?,
            "book" => self.book = value.to_owned(),
            _ => return Err("set-param: there is no such parameter".to_owned()),
        }
        Ok(())
    }

    pub(super) fn declarations(&self) -> Vec<String> {
        let param = |name: &str, value: &dyn fmt::Display, kind: &str, constraints: &[Argument<'_>]| {
            let common: [Argument<'_>; 3] = [("name", &name), ("value", value), ("type", &kind)];
            line("param", &[&common, constraints].concat())
        };
        let levels = session::Level::ALL.map(|level| level.name).join(" ");
        vec![
            param("variant", &"othello", "enum", &[("values", &"othello")]),
            param("threads", &self.threads, "int", &[("min", &1), ("max", &self.max_threads)]),
            param("hash", &self.hash.0, "int", &[("min", &1), ("max", &MAX_HASH_MIB)]),
            param("margin", &self.margin, "real", &[("min", &0), ("max", &MAX_MARGIN_SECONDS)]),
            param("selective", &self.selective, "bool", &[]),
            param("level", &self.level.name, "enum", &[("values", &levels)]),
            param("book", &self.book, "string", &[]),
        ]
    }
}

/// The limits of the next search. `None` means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Level {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<TimeControl>,
}

impl Level {
    /// Returns this level with the limits of a `level` line: several lines add up, and `infinite` removes all limits. A limit
    /// that cannot be read is an error and is skipped. If it leaves no limit, [`Level::FALLBACK`] applies.
    pub(super) fn with(mut self, line: &ParsedLine<'_>) -> (Level, Option<String>) {
        let mut first = None;
        if line.names().any(|name| name == "infinite") {
            self = Level::default();
        }
        if let Some(depth) = valid(whole(line, "depth", 1), &mut first) {
            self.depth = Some(u32::try_from(depth).unwrap_or(u32::MAX));
        }
        if let Some(nodes) = valid(whole(line, "nodes", 1), &mut first) {
            self.nodes = Some(nodes);
        }
        let per_move = valid(seconds(line, "move-time", 0.0), &mut first);
        // A clock may show a negative time.
        let remaining = valid(seconds(line, "time", f64::NEG_INFINITY), &mut first);
        let increment = valid(seconds(line, "inc", 0.0), &mut first);
        // 0 means the rest of the game.
        let moves = valid(whole(line, "moves", 0), &mut first);
        match (per_move, remaining) {
            (Some(time), _) => self.time = Some(TimeControl::PerMove(time)),
            (None, Some(remaining)) => {
                self.time = Some(TimeControl::Clock {
                    remaining,
                    increment: increment.unwrap_or_default(),
                    moves: moves
                        .filter(|&moves| moves > 0)
                        .map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
                });
            }
            (None, None) if increment.is_some() || moves.is_some() => {
                first = first.or(Some(level_error("time", "given with moves or inc")));
            }
            (None, None) => {}
        }
        if first.is_some() && self == Level::default() {
            self = Level::FALLBACK;
        }
        (self, first)
    }

    /// The level of a search whose limits are invalid: one second.
    const FALLBACK: Level =
        Level { depth: None, nodes: None, time: Some(TimeControl::PerMove(Duration::from_secs(1))) };
}

/// Returns the value of an argument. `None` if there is none or it is invalid; then the error is stored if it is the `first`.
fn valid<T>(read: Result<Option<T>, String>, first: &mut Option<String>) -> Option<T> {
    read.unwrap_or_else(|error| {
        first.get_or_insert(error);
        None
    })
}

fn whole(line: &ParsedLine<'_>, argument: &'static str, least: u64) -> Result<Option<u64>, String> {
    let Some(value) = line.value(argument) else { return Ok(None) };
    let number = value.parse().ok().filter(|&number| number >= least);
    let expected = if least > 0 { "a whole number above 0" } else { "a whole number" };
    number.map(Some).ok_or_else(|| level_error(argument, expected))
}

/// Reads a time of at least `least` seconds. A negative time becomes zero.
fn seconds(line: &ParsedLine<'_>, argument: &'static str, least: f64) -> Result<Option<Duration>, String> {
    let Some(value) = line.value(argument) else { return Ok(None) };
    let expected = if least < 0.0 { "a number of seconds" } else { "a number of seconds from 0" };
    let seconds = value.parse().ok().filter(|&seconds: &f64| seconds >= least);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.clamp(0.0, 1e9)).ok());
    time.map(Some).ok_or_else(|| level_error(argument, expected))
}

fn level_error(argument: &str, expected: &str) -> String {
    format!("level: {argument} must be {expected}")
}
