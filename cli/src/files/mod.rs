//! Files of games: all formats are read to records of one type and written from them.

mod format;
mod names;
mod packed;
mod read;
#[cfg(test)]
mod round_trips;
mod write;

use std::io;
use std::path::PathBuf;

use clap::Args;

pub(crate) use format::Format;
pub(crate) use names::files as database_files;
pub(crate) use read::{Input, Record, read_line, standard_input};
pub(crate) use write::Writer;

/// The files of games of a command.
#[derive(Args, Debug)]
pub(crate) struct GameFiles {
    /// Files of games in any notation, also compressed, or folders with such files; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Format of the files; detected from their endings or their content by default
    #[arg(long, value_name = "FORMAT", ignore_case = true)]
    pub(crate) from: Option<Format>,
}

impl GameFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// As [`Input::open_all`].
    pub(crate) fn open(&self) -> io::Result<Vec<Input>> {
        Input::open_all(&self.files, self.from)
    }
}
