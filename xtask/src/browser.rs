//! Finds browsers and their drivers.

use std::env;
use std::path::PathBuf;

use crate::process;

/// Returns the path in `CHROME_PATH`, or else of Chromium or Chrome in `PATH`.
pub(crate) fn chromium() -> Option<PathBuf> {
    named("CHROME_PATH").or_else(|| {
        ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|name| process::find(name))
    })
}

/// Returns the path in `CHROMEDRIVER`, or else of `chromedriver` in `PATH`.
pub(crate) fn driver() -> Option<PathBuf> {
    named("CHROMEDRIVER").or_else(|| process::find("chromedriver"))
}

/// Returns the path in `FIREFOX_PATH`, or else of Firefox in `PATH`.
pub(crate) fn firefox() -> Option<PathBuf> {
    named("FIREFOX_PATH").or_else(|| ["firefox-esr", "firefox"].iter().find_map(|name| process::find(name)))
}

/// Returns the path in `GECKODRIVER`, or else of `geckodriver` in `PATH`. `None` without Firefox.
pub(crate) fn firefox_driver() -> Option<PathBuf> {
    firefox()?;
    named("GECKODRIVER").or_else(|| process::find("geckodriver"))
}

fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file())
}
