//! The tools that make the weights.

fn main() {}
