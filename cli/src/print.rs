//! Standard output and standard error. The macros of the library panic where nobody reads.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line.
pub(crate) fn line(text: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{text}")
}

/// Says something on standard error. Where nobody reads it, it is not for anybody.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "outflank: {text}");
}
