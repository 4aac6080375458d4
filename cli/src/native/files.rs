//! What kind of file a name stands for.

use std::fs::{self, File, FileType};
use std::io;
use std::path::Path;

/// Opens a file to read it, if it is one: what reads a pipe or a device may wait for ever, or never come to an end.
///
/// # Errors
/// Where it cannot be opened, or is something else than a file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Looked at before it is opened, which may wait already, and afterwards, since it may be another one by then.
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// An error for what is no file with a content of its own.
pub(super) fn regular(data: &fs::Metadata) -> io::Result<()> {
    if data.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{}, not a file", kind(data.file_type()))))
}

/// An error where `path` is a pipe, which waits for whoever is at its other end.
pub(super) fn refuse_pipe(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(data) if is_pipe(data.file_type()) => regular(&data),
        _ => Ok(()),
    }
}

fn kind(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a directory"
    } else if is_pipe(kind) {
        "a pipe"
    } else {
        "a device"
    }
}

#[cfg(unix)]
fn is_pipe(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() || kind.is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}
