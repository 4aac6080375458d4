//! Standard output and standard error. The macros of the library panic where nobody reads.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line.
pub(crate) fn line(text: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{}", printable(text))
}

/// Escapes the characters that command a terminal or reorder its text: names of players and files may hold any.
pub(crate) fn printable(text: impl Display) -> String {
    let commands = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut printable = String::new();
    for c in text.to_string().chars() {
        if commands(c) { printable.extend(c.escape_unicode()) } else { printable.push(c) }
    }
    printable
}

/// Says something on standard error. Where nobody reads it, it is not for anybody.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "outflank: {}", printable(text));
}
