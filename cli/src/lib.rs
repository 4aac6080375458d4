//! What the program `outflank` adds to the engine:
//!
//! - [`native`] runs a session on a desktop machine
//! - [`client`] is the GUI side of the protocols
//! - [`store`] stores books of millions of positions
//! - [`replacement`] replaces whole files

pub mod client;
pub mod native;
pub mod replacement;
pub mod store;
