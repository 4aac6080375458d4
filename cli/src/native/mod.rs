//! The native driver: standard input and output, threads, the clock.
//!
//! Four kinds of threads: one reads lines, one searches (with others to help it), one writes, and the calling one runs
//! the session. The first two put what they have to say into one `inbox`, so that the session sees everything in one
//! order and needs no lock. What the session wants of a running search (stop, other deadlines) goes through a few
//! atomics the search looks at every few thousand nodes.
//!
//! The session never waits for anything but an event, whatever becomes of the output, and every queue has a bound: what
//! is to be written (the `output`) makes the lines wait and with them whoever sends them, and keeps a search's reports
//! back; what is to be searched (the `jobs`) makes earlier jobs pointless.

pub mod books;
mod clock;
mod control;
mod driver;
mod inbox;
mod jobs;
mod lines;
mod log;
mod output;
mod searcher;

pub use clock::Clock;
pub use driver::converse;
pub use log::Log;
pub use searcher::lend_threads;
