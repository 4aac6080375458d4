//! Properties for any bytes: functions that panic if a property does not hold.
//!
//! libFuzzer runs them for hours (`cargo xtask fuzz`, see `tests/properties/fuzz`). Ordinary tests run them over the inputs in
//! `tests/properties/fuzz/corpus`, over spoiled copies of these inputs and over random bytes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a property that does not hold panics"
)]

use outflank::board::Position;
use outflank::book::{Book, Contempt};

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

macro_rules! targets {
    ($($name:ident: $check:path,)*) => {
        pub const TARGETS: &[Target] = &[$(Target { name: stringify!($name), check: $check }),*];
    };
}

targets! {
    archives: archives::archives,
    book: files::book,
    cassio: sessions::cassio,
    cassio_lines: sessions::cassio_lines,
    conversation: sessions::conversation,
    foreign: stores::foreign,
    ggf: notations::ggf,
    gtp: sessions::gtp,
    gtp_lines: sessions::gtp_lines,
    hub: sessions::hub,
    hub_lines: sessions::hub_lines,
    json: notations::paste,
    names: files::names,
    nboard: sessions::nboard,
    nboard_lines: sessions::nboard_lines,
    obf: notations::obf,
    paste: notations::paste,
    pgn: notations::pgn,
    positions: notations::positions,
    sgf: notations::sgf,
    transcript: notations::transcript,
    weights: files::weights,
    wthor: files::wthor,
    xboard: sessions::xboard,
    xboard_lines: sessions::xboard_lines,
}

/// Bytes as a text, as the program reads lines.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn has_message(error: impl std::fmt::Display) {
    let message = error.to_string();
    assert!(!message.trim().is_empty() && !message.contains('\n') && message.len() < 1_000, "{message:?}");
}

/// Checks that the lines of a book are legal.
fn is_played(book: &Book) {
    for contempt in [Contempt(0), Contempt(-100), Contempt(7)] {
        let moves = book.moves(&Position::START, contempt);
        for known in &moves {
            known.line.iter().fold(Position::START, |here, &mv| here.play(mv).unwrap());
        }
        let choice = book.choice(&Position::START, contempt);
        assert!(choice.is_none() || choice.as_ref() == moves.first(), "{choice:?} of {moves:?}");
    }
}
