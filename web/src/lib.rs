//! The Outflank engine in a web worker.
//!
//! A thin driver around the crate `outflank`: [`Engine`] takes protocol lines from the page, hands them to
//! the same sessions that serve desktop programs, runs the same search in slices short enough for the next
//! line to get in, and gives the answers back as lines. Nothing here knows Othello strategy.
//!
//! | module | holds |
//! | --- | --- |
//! | `engine` | the engine's driver with the browser around it, as a JavaScript class |
//! | `database` | games by the positions they reached, for the explorer of openings |
//! | `rules` | legal moves and notations for the page's main thread |
//! | `measure` | fixed workloads to compare with the native program |
//! | `panic` | leaves a last word when the module dies |
//!
//! The page loads three modules made from this crate: one with the feature `engine` for its workers, one with the
//! feature `rules`, small, for its main thread, where the board is wanted long before a network's weights have come,
//! and one with the feature `database` for the worker that looks games up. All are on by default, for the tests.

#[cfg(feature = "database")]
mod database;
#[cfg(feature = "engine")]
mod engine;
#[cfg(feature = "engine")]
mod measure;
mod panic;
#[cfg(feature = "rules")]
pub mod rules;

#[cfg(feature = "database")]
pub use database::{Database, names_read, part_size};
#[cfg(feature = "engine")]
pub use engine::{Engine, name, version, weights};
#[cfg(all(feature = "engine", target_feature = "atomics"))]
pub use engine::{help, search};
#[cfg(feature = "engine")]
pub use measure::{Solution, Solver, bench, kernels, leaves, perft};
