//! Builds, serves, tests and measures Outflank.

fn main() {}
