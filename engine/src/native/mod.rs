//! The stdio driver: threads, the clock and standard input and output.
