//! The parts of the program `outflank`:
//!
//! - [`program`] is the command line
//! - [`native`] runs a session on a desktop machine
//! - [`client`] is the GUI side of the protocols
//! - [`store`] stores books of millions of positions
//! - [`atomic_file`] replaces whole files
//! - [`library`] answers requests of other languages as the commands do

pub mod atomic_file;
mod calendar;
pub mod client;
mod commands;
mod engine;
mod files;
mod journal;
mod json;
pub mod library;
pub mod native;
mod options;
mod parallel;
mod print;
pub mod program;
mod progress;
pub mod store;
