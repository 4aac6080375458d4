//! The native driver: standard input and output, threads, the clock.
//!
//! Three kinds of threads: one reads lines, one searches (with others to help it), and the calling one runs the
//! session and writes. The first two send what they have to say into one queue, so that the session sees everything in one order and needs no
//! lock. What the session wants of a running search (stop, other deadlines) goes through a few atomics the
//! search looks at every few thousand nodes.

pub mod books;
mod clock;
mod control;
mod driver;
mod lines;
mod log;
mod searcher;

pub use clock::Clock;
pub use driver::converse;
pub use log::Log;
pub use searcher::lend_threads;
