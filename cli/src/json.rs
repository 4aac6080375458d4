//! Printing JSON.

use std::io::{self, Write};

use serde::Serialize;

/// Prints one value on a line of its own.
pub(crate) fn print(value: &impl Serialize) -> io::Result<()> {
    writeln!(io::stdout(), "{}", serde_json::to_string(value)?)
}

/// A number with so many decimals: more would be noise.
pub(crate) fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_decimals() {
        assert_eq!(rounded(1.234_567_8, 3), 1.235);
        assert_eq!(serde_json::to_string(&rounded(0.1 + 0.2, 6)).unwrap(), "0.3");
    }
}
