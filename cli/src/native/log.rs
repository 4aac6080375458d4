//! A record of a conversation.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use outflank::session::Timestamp;

use super::files;

/// Every line both ways with its time in seconds since the start, in a file:
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
    /// No record.
    pub const NONE: Log = Log { file: None };

    /// A record in a new file; one that is there is overwritten.
    ///
    /// # Errors
    /// Where it cannot be made, and for a pipe: its reader would make the game wait.
    pub fn create(path: &Path) -> io::Result<Log> {
        files::refuse_pipe(path)?;
        Ok(Log { file: Some((path.to_owned(), File::create(path)?)) })
    }

    /// Records a line that came in.
    pub fn received(&mut self, now: Timestamp, line: &str) {
        self.write(now, '>', line);
    }

    /// Records a line that went out.
    pub fn said(&mut self, now: Timestamp, line: &str) {
        self.write(now, '<', line);
    }

    /// Records what nobody sent: the end of the input, a search that broke down.
    pub fn note(&mut self, now: Timestamp, line: &str) {
        self.write(now, '#', line);
    }

    fn write(&mut self, now: Timestamp, direction: char, line: &str) {
        let Some((path, file)) = &mut self.file else { return };
        // One write for each line, so that nothing is lost when the program is killed. A log that cannot be written must
        // not end the game: it ends itself.
        let text = format!("{:10.3} {direction} {line}\n", now.0.as_secs_f64());
        if let Err(error) = file.write_all(text.as_bytes()) {
            let _ = writeln!(
                io::stderr(),
                "outflank: {}: {error}: nothing more is recorded, the game goes on",
                path.display()
            );
            self.file = None;
        }
    }
}
