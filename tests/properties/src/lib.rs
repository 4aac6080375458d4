//! Properties for any bytes: functions that panic if a property does not hold.
//!
//! libFuzzer runs them for hours (`cargo xtask fuzz`, see `tests/properties/fuzz`). Ordinary tests run them over the inputs in
//! `tests/properties/fuzz/corpus`, over spoiled copies of these inputs and over random bytes.
#![allow(clippy::expect_used, clippy::panic, reason = "a property that does not hold panics")]

pub mod archives;
mod draw;
pub mod files;
pub mod forms;
pub mod notations;
pub mod sessions;
pub mod stores;

#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of its fuzz target and of its folder of inputs.
    pub name: &'static str,
    /// Panics if the property does not hold for the bytes.
    pub check: fn(&[u8]),
}

pub const TARGETS: &[Target] = &[
    Target { name: "archives", check: archives::archives },
    Target { name: "book", check: files::book },
    Target { name: "cassio", check: sessions::cassio },
    Target { name: "cassio_lines", check: sessions::cassio_lines },
    Target { name: "conversation", check: sessions::conversation },
    Target { name: "foreign", check: stores::foreign },
    Target { name: "ggf", check: notations::ggf },
    Target { name: "gtp", check: sessions::gtp },
    Target { name: "gtp_lines", check: sessions::gtp_lines },
    Target { name: "hub", check: sessions::hub },
    Target { name: "hub_lines", check: sessions::hub_lines },
    Target { name: "json", check: notations::paste },
    Target { name: "names", check: files::names },
    Target { name: "nboard", check: sessions::nboard },
    Target { name: "nboard_lines", check: sessions::nboard_lines },
    Target { name: "obf", check: notations::obf },
    Target { name: "paste", check: notations::paste },
    Target { name: "pgn", check: notations::pgn },
    Target { name: "positions", check: notations::positions },
    Target { name: "sgf", check: notations::sgf },
    Target { name: "transcript", check: notations::transcript },
    Target { name: "weights", check: files::weights },
    Target { name: "wthor", check: files::wthor },
    Target { name: "xboard", check: sessions::xboard },
    Target { name: "xboard_lines", check: sessions::xboard_lines },
];

/// Bytes as a text, as the program reads lines.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
