//! The native host: standard input and output, threads, the clock.
//!
//! Four kinds of threads: one reads lines, one searches with its helpers, one writes, and the caller's runs the session. The
//! first two put their events into one queue, so that the session receives all events in one order and needs no lock.
//!
//! The session thread waits only for events, and every queue is bounded. A full output queue holds input lines and
//! intermediate reports back.

pub mod books;
mod event_queue;
pub(crate) mod files;
mod lines;
mod log;
mod output_queue;
mod run_session;
mod signals;
mod threads;

pub use files::{KILLED_LOCK_TIMEOUT, in_file, is_still, locked, open_regular, read_whole};
pub use lines::{InputLine, MAX_LINE_BYTES, next_line};
pub use log::Log;
pub use run_session::run_session;
pub use signals::catch_file_size_signal;
pub use threads::spawn_helpers;
