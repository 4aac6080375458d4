//! The native driver: standard input and output, threads, the clock.
//!
//! Four kinds of threads: one reads lines, one searches (with others to help it), one writes, and the calling one runs
//! the session. The first two put what they have to say into one `events`, so that the session sees everything in one
//! order and needs no lock.
//!
//! The session never waits for anything but an event, whatever becomes of the output, and every queue has a bound: what
//! is to be written (the `output`) makes the lines wait and with them whoever sends them, and keeps a search's reports
//! back.

pub mod books;
mod clock;
mod event_queue;
pub(crate) mod files;
mod lines;
mod log;
mod output_queue;
mod run_session;
mod signals;
mod threads;

pub use clock::Clock;
pub use files::{is_still, locked, open_regular, read_whole};
pub use lines::{InputLine, LONGEST_LINE, next_line};
pub use log::Log;
pub use run_session::run_session;
pub use signals::catch_file_size_signal;
pub use threads::spawn_helpers;
