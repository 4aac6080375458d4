#![doc = include_str!("../README.md")]
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
//!
//! # Analyze a game
//!
//! [`study::Study`] compares each move of a game with the best move: see its module for an example.
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
pub mod score;
pub mod search;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod session;
mod square;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod study;
