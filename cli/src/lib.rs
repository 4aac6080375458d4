//! The parts of the program `outflank`:
//!
//! - [`native`] runs a session on a desktop machine
//! - [`client`] is the GUI side of the protocols
//! - [`store`] stores books of millions of positions
//! - [`atomic_file`] replaces whole files

pub mod atomic_file;
pub mod client;
pub mod native;
pub mod store;
