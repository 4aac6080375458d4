//! Progress bars of long tasks.

use std::fmt;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// Returns a bar with rate and remaining time. It is hidden if standard error is not a terminal.
pub(crate) fn progress(total: u64, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{rate}}/s, {{eta}} left{{msg}}");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = out.write_str(&rate(state.per_sec()));
    }));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Writes a number with at least two significant digits.
fn rate(per_second: f64) -> String {
    let decimals = match per_second {
        10.0.. => 0,
        1.0..10.0 => 1,
        _ => 2,
    };
    format!("{per_second:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_two_digits() {
        assert_eq!([0.123_4, 2.872_3, 47.3, 1_234.5].map(rate), ["0.12", "2.9", "47", "1234"]);
    }
}
