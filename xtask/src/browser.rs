//! Finding a browser and its driver.

use std::env;
use std::path::PathBuf;

use crate::process;

/// The browser: what `CHROME_PATH` names, else Chromium or Chrome on the path.
pub(crate) fn chromium() -> Option<PathBuf> {
    named("CHROME_PATH").or_else(|| {
        ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|name| process::find(name))
    })
}

/// The driver: what `CHROMEDRIVER` names, else `chromedriver` on the path.
pub(crate) fn driver() -> Option<PathBuf> {
    named("CHROMEDRIVER").or_else(|| process::find("chromedriver"))
}

/// The other browser: what `FIREFOX_PATH` names, else Firefox on the path.
pub(crate) fn firefox() -> Option<PathBuf> {
    named("FIREFOX_PATH").or_else(|| ["firefox-esr", "firefox"].iter().find_map(|name| process::find(name)))
}

/// The driver of Firefox, where there are both: what `GECKODRIVER` names, else `geckodriver` on the path.
pub(crate) fn firefox_driver() -> Option<PathBuf> {
    firefox()?;
    named("GECKODRIVER").or_else(|| process::find("geckodriver"))
}

fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file())
}
