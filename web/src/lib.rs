//! The Outflank engine in a web worker.
//!
//! A thin driver around the crate `outflank`: [`Engine`] takes protocol lines from the page, hands them to
//! the same sessions that serve desktop programs, runs the same search in slices short enough for the next
//! line to get in, and gives the answers back as lines. Nothing here knows Othello strategy.
//!
//! | module | holds |
//! | --- | --- |
//! | `driver` | carries out a session's effects with one thread and a clock: plain Rust, tested natively |
//! | `engine` | the driver as a JavaScript class |
//! | `rules` | legal moves and notations for the page's main thread |
//! | `measure` | fixed workloads to compare with the native program |
//! | `panic` | leaves a last word when the module dies |
//!
//! The feature `engine` (on by default) holds the first three. Without it the module is a small one for the
//! page's main thread, where the board is wanted long before a network's weights have come.

#[cfg(feature = "engine")]
mod driver;
#[cfg(feature = "engine")]
mod engine;
#[cfg(feature = "engine")]
mod measure;
mod panic;
pub mod rules;

#[cfg(feature = "engine")]
pub use engine::{Engine, name, version};
#[cfg(feature = "engine")]
pub use measure::{Solution, Solver, bench, perft};
