#![doc = include_str!("../README.md")]
//! # Values of all moves
//!
//! A search to a depth or of a number of nodes. Scores are for the side to move.
//!
//! ```
//! use outflank::analysis::ask;
//! use outflank::board::Position;
//! use outflank::score::Confidence;
//! use outflank::search::{Goal, Limits, Search, SearchConfig};
//!
//! let mut search = Search::new(SearchConfig::default());
//! let limits = Limits::to_depth(8, Confidence::LOWEST);
//! let report = ask(&mut search, Position::START, Goal::Hints(64), limits);
//! for line in &report.lines {
//!     println!("{} {:+.2} at {} plies", line.moves[0], line.score.discs(), line.depth.plies());
//! }
//! assert_eq!(report.lines.len(), 4);
//! ```
//!
//! # Read and write games
//!
//! [`notation::read`] recognizes the notation. Errors name the place.
//!
//! ```
//! use outflank::notation;
//!
//! # fn main() -> Result<(), notation::ReadError> {
//! let games = notation::read("(;GM[2]PB[Ann]PW[Bo];B[f5];W[d6];B[c3])")?;
//! assert_eq!(notation::transcript::write(&games[0]), "f5d6c3");
//! assert!(notation::read("f5 d6 a1").is_err());
//! # Ok(())
//! # }
//! ```
//!
//! # Analyze a game
//!
//! [`study::Study`] compares each move of a game with the best move.
//!
//! ```
//! use outflank::analysis::ask;
//! use outflank::search::{Search, SearchConfig};
//! use outflank::study::{Plan, Study};
//!
//! # fn main() -> Result<(), outflank::notation::ReadError> {
//! let mut study = Study::read("f5d6c3d3c4f4c5b3c2b4e3e6c6b6a4a3b5d2")?;
//! let mut search = Search::new(SearchConfig::default());
//! while let Some(task) = study.next_task(&Plan { depth: 6, ..Plan::default() }) {
//!     let report = ask(&mut search, task.position, task.goal(), task.limits());
//!     study.take(task.id, &report);
//! }
//! let worst = study.report().positions.into_iter().filter_map(|row| row.loss);
//! assert!(worst.map(|loss| loss.loss).fold(0.0, f64::max) > 0.0);
//! # Ok(())
//! # }
//! ```
//!
//! # Ask a book
//!
//! ```
//! use outflank::board::Position;
//! use outflank::book::{Book, Contempt};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let book = Book::read("f5d6c3 +2.00\nf5f6e6 -4.00\n")?;
//! let best = book.choice(&Position::START.play("f5".parse()?)?, Contempt::default()).ok_or("not in the book")?;
//! assert_eq!(best.line[0].to_string(), "f6"); // -4 for Black is better for White than +2
//! # Ok(())
//! # }
//! ```
//!
//! # Drive a session
//!
//! An engine with all protocols, with the caller's clock and output. [`driver::ThreadedSearcher`] does the same with threads.
//!
//! ```
//! use std::time::{Duration, Instant};
//!
//! use outflank::driver::{Clock, Driver, Host, SliceConfig, SlicedSearcher, TableGrowth};
//! use outflank::search::SearchConfig;
//! use outflank::session::{Conversation, Event, SessionConfig, Timestamp};
//!
//! #[derive(Clone)]
//! struct Watch(Instant);
//!
//! impl Clock for Watch {
//!     fn now(&self) -> Timestamp {
//!         Timestamp(self.0.elapsed())
//!     }
//! }
//!
//! struct LineCollector {
//!     watch: Watch,
//!     sent: Vec<String>,
//! }
//!
//! impl Host for LineCollector {
//!     fn now(&self) -> Timestamp {
//!         self.watch.now()
//!     }
//!
//!     fn send_line(&mut self, line: String) {
//!         self.sent.push(line);
//!     }
//! }
//!
//! let watch = Watch(Instant::now());
//! let slice = Duration::from_millis(10);
//! let slices = SliceConfig { length: slice, first: slice, growth: TableGrowth::NONE };
//! let searcher = SlicedSearcher::new(watch.clone(), SearchConfig::default(), slices);
//! let host = LineCollector { watch, sent: Vec::new() };
//! let mut driver = Driver::new(host, Conversation::new(SessionConfig::default()), searcher);
//!
//! for line in ["nboard 2", "set depth 4", "move f5", "go"] {
//!     driver.handle(Event::Line(line.to_owned()));
//! }
//! // Between two slices, the caller could pass on other lines.
//! while driver.is_searching() {
//!     driver.work();
//! }
//! let answer = driver.host().sent.iter().find(|line| line.starts_with("=== "));
//! assert!(answer.is_some_and(|line| ["D6", "F4", "F6"].iter().any(|mv| line[4..].starts_with(mv))));
//! ```
//!
//! # Modules
//!
//! Text lines in, text lines out: everything in between is a pure state machine ([`session`]) and one search ([`search`]).
//! The native program and the web worker are thin hosts of this crate. A module imports only modules above it in this list:
//!
//! | module | contents |
//! | --- | --- |
//! | `random` | random numbers for tests, self-play and openings |
//! | `square`, `bitboard` | the basic types, exported by [`board`] |
//! | `kernel` | the leaf operations for each instruction set: flips, mobility, last flips, the layer of the network |
//! | [`board`] | squares, bitboards, the rules |
//! | [`score`] | scores, bounds, windows, confidence |
//! | [`game`] | games and their tags |
//! | [`notation`] | text to games, positions and moves, and back |
//! | [`book`] | opening books |
//! | `eval` | pattern features, the weights file, the incremental evaluator |
//! | [`search`] | transposition table, ordering, midgame, endgame, time management |
//! | [`analysis`] | one search for one position; the values and losses of the moves of a game |
//! | [`session`] | the protocols as state machines: events in, effects out |
//! | [`study`] | a game tree with the values of its positions, and the plan of its analysis |
//! | [`driver`] | carries out the effects of a session, with a search on threads or in slices |
//!
//! The crate has no clock, no thread, no output and no global state.
//!
//! `random`, `kernel` and `eval` are public with the feature `internals` only, which is not stable. [`search`] exports
//! [`Kernel`](search::Kernel) and [`Evaluator`](search::Evaluator).

#![warn(missing_docs)]
// Without the feature, the items that only other packages use have no users.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unreachable_pub, unused_imports))]

/// Implements `Debug` with the `Display` form.
macro_rules! debug_as_display {
    ($($type:ty),*) => {
        $(impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        })*
    };
}

// For `samples`.
#[cfg(test)]
extern crate self as outflank;

pub mod analysis;
mod bitboard;
pub mod board;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod book;
mod coder;
pub mod driver;
#[cfg(not(feature = "internals"))]
mod eval;
#[cfg(feature = "internals")]
pub mod eval;
// Modules that read input do not panic.
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod game;
#[cfg(not(feature = "internals"))]
mod kernel;
#[cfg(feature = "internals")]
pub mod kernel;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod notation;
#[cfg(not(feature = "internals"))]
mod random;
#[cfg(feature = "internals")]
pub mod random;
#[cfg(test)]
#[path = "../tests/properties/random.rs"]
mod samples;
pub mod score;
pub mod search;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod session;
mod square;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod study;
