//! How far a long work is.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar with rate and time left on a terminal; nothing otherwise.
pub(crate) fn progress(all: u64, what: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(all);
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left{{msg}}");
    bar.set_style(ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
