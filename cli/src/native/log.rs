//! A log of a session.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use outflank::session::Timestamp;

use super::files;

/// A file with every line sent and received, with its time in seconds since the start:
///
/// ```text
///      0.001 > nboard 2
///      0.001 < set myname Outflank
/// ```
#[derive(Debug)]
pub struct Log {
    file: Option<(PathBuf, File)>,
}

impl Log {
    pub const NONE: Log = Log { file: None };

    /// Creates or overwrites a file.
    ///
    /// # Errors
    /// If the file cannot be created, or is a pipe, whose reader could block the game.
    pub fn create(path: &Path) -> io::Result<Log> {
        files::refuse_pipe(path)?;
        Ok(Log { file: Some((path.to_owned(), File::create(path)?)) })
    }

    /// Writes a line: from the GUI (`>`), to the GUI (`<`), or an event without a line (`#`), such as the end of the input or
    /// a failed search.
    pub fn write(&mut self, now: Timestamp, direction: char, line: &str) {
        let Some((path, file)) = &mut self.file else { return };
        // One write per line, so that no line is lost if the program is killed. A write error ends the log, not the game.
        let text = format!("{:10.3} {direction} {line}\n", now.0.as_secs_f64());
        if let Err(error) = file.write_all(text.as_bytes()) {
            let _ = writeln!(
                io::stderr(),
                "outflank: {}: {error}: nothing more is recorded, the game continues",
                path.display()
            );
            self.file = None;
        }
    }
}
