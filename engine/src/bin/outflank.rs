//! The command line of the engine.

fn main() {}
