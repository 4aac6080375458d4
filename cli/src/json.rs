//! JSON output.

use std::io::{self, Write};

use serde::Serialize;

/// Prints one value on one line.
pub(crate) fn print(value: &impl Serialize) -> io::Result<()> {
    writeln!(io::stdout(), "{}", serde_json::to_string(value)?)
}

pub(crate) fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale).round() / scale
}
