//! The formats and their recognition.

use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use outflank::notation::wthor::{HEADER, RECORD};
use outflank::notation::{self, obf, sgf};

/// Bytes that are checked to recognize a format.
pub(super) const HEAD: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Format {
    /// GGF with all tags
    Ggf,
    /// GGF with the tags that NBoard knows
    #[value(name = "nboard")]
    NBoard,
    /// Positions with the scores of their moves
    Obf,
    /// One transcript per line; any pasted text can be read
    #[value(name = "txt")]
    Transcript,
    /// The WTHOR database
    #[value(name = "wtb")]
    Wthor,
    /// The Smart Game Format
    Sgf,
    /// The Portable Game Notation
    Pgn,
}

impl Format {
    pub(crate) fn of_path(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "ggf" | "gam" => Some(Format::Ggf),
            "obf" => Some(Format::Obf),
            "txt" => Some(Format::Transcript),
            "wtb" | "wth" | "wtx" => Some(Format::Wthor),
            "sgf" => Some(Format::Sgf),
            "pgn" => Some(Format::Pgn),
            _ => None,
        }
    }

    /// The format that the content looks like.
    pub(crate) fn of_content(bytes: &[u8]) -> Format {
        let head = &bytes[..bytes.len().min(HEAD)];
        let binary = head.contains(&0);
        if binary && bytes.len() >= HEADER && (bytes.len() - HEADER).is_multiple_of(RECORD) {
            return Format::Wthor;
        }
        let text = String::from_utf8_lossy(head);
        let mut lines = text.lines().map(str::trim).filter(|line| !notation::is_silent(line));
        let first = lines.next().unwrap_or_default();
        if sgf::begins(&text) {
            Format::Sgf
        } else if text.contains("(;") {
            Format::Ggf
        } else if first.starts_with('[')
            && first[1..].trim_start().starts_with(char::is_alphabetic)
            && first.contains(['"', '\'', '“', '”'])
        {
            Format::Pgn
        } else if obf::read_line(first).is_ok()
            && lines.next().is_none_or(|line| obf::read_line(line).is_ok())
        {
            Format::Obf
        } else {
            Format::Transcript
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
    }
}
