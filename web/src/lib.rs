//! The Outflank engine in a web worker.
//!
//! A thin host for the crate `outflank`: [`Engine`] takes lines from the page and returns lines. Sessions and search are those
//! of the native program. This crate contains no Othello strategy.
//!
//! | module | holds |
//! | --- | --- |
//! | `engine` | the engine as a JavaScript class |
//! | `database` | games by the positions that they reached, for the opening explorer |
//! | `rules` | legal moves, notations and the values of games, for the page's main thread and the npm client |
//! | `measure` | fixed workloads for comparison with the native program |
//! | `panic` | reports the message of a panic |
//!
//! The page loads three modules built from this crate, one for each feature: `engine` for the workers of the engine, `rules` for
//! the main thread (small, since the board appears before the weights are loaded), and `database` for the worker that looks
//! up games. All features are on by default, for the tests.

#[cfg(feature = "database")]
mod database;
#[cfg(feature = "engine")]
mod engine;
#[cfg(any(feature = "database", feature = "rules"))]
mod exchange;
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
pub use measure::{Solution, Solver, bench, kernels};
