//! Outflank, an Othello engine.
//!
//! A line of text goes in, lines of text come out, and everything between is a pure automaton
//! ([`session`]) plus one search core ([`search`]). The native program and the web worker are two thin
//! drivers of this crate. A module imports only what stands above it in this list:
//!
//! | module | holds |
//! | --- | --- |
//! | [`random`] | random numbers for tests, self-play and openings |
//! | `square`, `bitboard` | the nouns all else is made of, named in [`board`] |
//! | [`kernel`] | the leaf operations by instruction set: flips, mobility, last flips, the network's layer |
//! | [`board`] | squares, bitboards, the rules |
//! | [`score`] | scores, bounds, windows, confidence |
//! | [`game`] | games and their tags |
//! | [`notation`] | text to games, positions and moves, and back |
//! | [`book`] | opening books |
//! | [`eval`] | pattern features, the weights file, the incremental evaluator |
//! | [`search`] | transposition table, ordering, midgame, endgame, time management |
//! | [`session`] | the protocols as automata: events in, effects out |
//! | [`driver`] | carries out a session's effects, with a search in slices or on threads lent to it |
//!
//! There is no clock, no thread, no output and no global state here.
//!
//! # Solve a position
//!
//! A [request](search::SearchRequest) goes in, [reports](search::Report) come out through a
//! [monitor](search::Monitor), which also says when to stop. This one never does and keeps the last report.
//!
//! ```
//! use outflank::notation::obf;
//! use outflank::search::{
//!     Goal, Limits, Progress, Proof, Search, SearchConfig, SearchId, SearchRequest, KeepLastReport,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Squares from a1 row by row, and the side to move: twelve are empty.
//! let line = "-O-XXXX-XOOXXXXXXOOOOXXXXOXOXXOXXOOXXO-XXOXXOO--XOOOO---XOOOO--- X;";
//! let root = obf::read_line(line)?.position;
//!
//! let mut search = Search::new(SearchConfig::default());
//! let mut answer = KeepLastReport::default();
//! search.start(SearchRequest { id: SearchId(1), root, goal: Goal::BestMove, limits: Limits::NONE });
//! while search.run(&mut answer) == Progress::Suspended {}
//!
//! let report = answer.last.ok_or("no answer")?;
//! let best = report.best().ok_or("the game is over")?;
//! assert_eq!(best.proof, Proof::Exact);
//! assert_eq!(best.moves[0].to_string(), "f7");
//! assert_eq!(best.score.discs(), 4.0); // for the side to move
//! # Ok(())
//! # }
//! ```
//!
//! # Analyse a game
//!
//! What each move of a game lost against the best, six plies deep.
//!
//! ```
//! use outflank::notation;
//! use outflank::score::{Confidence, Score};
//! use outflank::search::{
//!     Goal, Limits, Progress, Search, SearchConfig, SearchId, SearchRequest, KeepLastReport,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A transcript; GGF, SGF, PGN and others are told apart by themselves.
//! let games = notation::read("f5d6c3d3c4f4c5b3c2b4e3e6c6b6a4a3b5d2")?;
//! let game = &games[0];
//!
//! let mut search = Search::new(SearchConfig::default());
//! let limits = Limits::to_depth(6, Confidence::EXACT);
//! for (ply, (position, played)) in game.positions().zip(game.moves()).enumerate() {
//!     let request = SearchRequest {
//!         id: SearchId(ply as u64),
//!         root: position,
//!         goal: Goal::Hints(usize::MAX), // all moves
//!         limits,
//!     };
//!     let mut answer = KeepLastReport::default();
//!     search.start(request);
//!     while search.run(&mut answer) == Progress::Suspended {}
//!
//!     let lines = answer.last.ok_or("no answer")?.lines;
//!     let value = |line: &outflank::search::Line| line.score.discs();
//!     let own = lines.iter().find(|line| line.first() == Some(played.mv)).map(value);
//!     let lost = value(&lines[0]) - own.ok_or("not a move")?;
//!     assert!(lost >= 0.0);
//!     println!("{ply:2} {} {lost:.2}", played.mv);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Drive a session
//!
//! The engine of a protocol, with a clock and an output of one's own: lines go in, lines come out. [`driver::ThreadedSearcher`] does the
//! same with threads.
//!
//! ```
//! use std::time::{Duration, Instant};
//!
//! use outflank::driver::{Clock, Driver, TableGrowth, Host, SliceConfig, SlicedSearcher};
//! use outflank::search::SearchConfig;
//! use outflank::session::{Conversation, Event, Timestamp, SessionConfig};
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
//! impl Clock for LineCollector {
//!     fn now(&self) -> Timestamp {
//!         self.watch.now()
//!     }
//! }
//!
//! impl Host for LineCollector {
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
//! // Between two slices other lines could come in.
//! while driver.is_searching() {
//!     driver.work();
//! }
//! let answer = driver.host().sent.iter().find(|line| line.starts_with("=== "));
//! assert!(answer.is_some_and(|line| ["D6", "F4", "F6"].iter().any(|mv| line[4..].starts_with(mv))));
//! ```

mod bitboard;
pub mod board;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod book;
pub mod driver;
pub mod eval;
// What reads input does not panic.
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod game;
pub mod kernel;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod notation;
pub mod random;
pub mod score;
pub mod search;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod session;
mod square;

/// What the README shows, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
