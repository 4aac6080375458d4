//! Standard output and standard error. `println!` and `eprintln!` panic if the stream is closed; these functions do not.

use std::fmt::Display;
use std::io::{self, Write};
use std::process;

/// Prints a line on standard output.
pub(crate) fn line(text: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{}", printable(text))
}

/// Escapes characters that control a terminal or reorder text: names of players and files may contain them.
pub(crate) fn printable(text: impl Display) -> String {
    let is_control = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut printable = String::new();
    for c in text.to_string().chars() {
        if is_control(c) { printable.extend(c.escape_unicode()) } else { printable.push(c) }
    }
    printable
}

/// Prints a message on standard error. Errors of the stream are ignored.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "outflank: {}", printable(text));
}

/// Ends the program if `written` is an error and `waits`: a thread may then wait for a line of standard input indefinitely.
pub(crate) fn exit_if_lost(written: io::Result<()>, waits: bool) -> io::Result<()> {
    let Err(error) = &written else { return written };
    if !waits {
        return written;
    }
    let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
    if !is_closed {
        note(error);
    }
    process::exit(i32::from(!is_closed) * 2)
}
