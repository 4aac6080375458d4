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
//! | [`game`] | games and their notations |
//! | [`eval`] | pattern features, the weights file, the incremental evaluator |
//! | [`search`] | transposition table, ordering, midgame, endgame, time management |
//! | [`session`] | the protocols as automata: events in, effects out |
//! | [`driver`] | carries out a session's effects, with a search in slices or on threads lent to it |
//!
//! There is no clock, no thread, no output and no global state here.

mod bitboard;
pub mod board;
pub mod driver;
pub mod eval;
// What reads input does not panic.
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod game;
pub mod kernel;
pub mod random;
pub mod score;
pub mod search;
#[warn(clippy::expect_used, clippy::panic, clippy::unreachable)]
pub mod session;
mod square;
