//! Files by kind: ordinary files, pipes, devices and folders. Locks.

use std::fs::{self, File, FileType, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Interval between two attempts to lock a file.
const LOCK_INTERVAL: Duration = Duration::from_millis(2);

/// Time to wait for the lock of a program that is being killed. A child between fork and exec holds a copy of it for a moment.
pub const KILLED_LOCK_TIMEOUT: Duration = Duration::from_millis(200);

/// Opens an ordinary file for reading. Reading a pipe or a device could block or never end.
///
/// # Errors
/// If it cannot be opened or is not an ordinary file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Checked before it is opened, which can block, and again afterwards, since it can be another file by then.
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a file of games, positions or names. A pipe is read to its end, so that shells can pass one (`<(zcat …)`).
///
/// # Errors
/// Each names the file: it cannot be read, or is a directory or a device, which may have no end.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let data = fs::metadata(path).map_err(in_file(path))?;
    let checked = if is_pipe(data.file_type()) { Ok(()) } else { regular(&data) };
    checked.and_then(|()| fs::read(path)).map_err(in_file(path))
}

/// Returns a function that prefixes an error with the name of a file.
pub fn in_file(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Opens a file for reading and writing, and locks it until the returned handle is closed. Waits up to `timeout` for another
/// program to close it. With `create` a missing file is created.
///
/// # Errors
/// If it cannot be opened, is not an ordinary file, or stays locked.
pub fn locked(path: &Path, create: bool, timeout: Duration) -> io::Result<File> {
    let start = Instant::now();
    locked_while(path, create, || {
        let is_early = start.elapsed() < timeout;
        if is_early {
            thread::sleep(LOCK_INTERVAL);
        }
        is_early
    })
}

/// As [`locked`]. After each attempt, `waits` returns `false` if it is the last one.
fn locked_while(path: &Path, create: bool, mut waits: impl FnMut() -> bool) -> io::Result<File> {
    loop {
        match fs::metadata(path) {
            Ok(data) => regular(&data)?,
            Err(error) if error.kind() == ErrorKind::NotFound && create => {}
            Err(error) => return Err(error),
        }
        let file = OpenOptions::new().read(true).write(true).create(create).truncate(false).open(path)?;
        match file.try_lock() {
            // The program that had the lock before may have replaced or removed the file.
            Ok(()) if is_still(&file, path) => return Ok(file),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if waits() => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(ErrorKind::TimedOut, "another program keeps it locked"));
            }
            // Some file systems have no locks, or no service for them.
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

/// Returns `true` if `path` names the open `file`. Systems without numbers of files compare the rest of the metadata.
pub fn is_still(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    let id = |data: fs::Metadata| {
        use std::os::unix::fs::MetadataExt;
        (data.dev(), data.ino())
    };
    #[cfg(not(unix))]
    let id = |data: fs::Metadata| (data.len(), data.modified().ok(), data.created().ok());
    file.metadata().is_ok_and(|own| fs::metadata(path).is_ok_and(|named| id(own) == id(named)))
}

/// Rejects everything but ordinary files.
pub(crate) fn regular(data: &fs::Metadata) -> io::Result<()> {
    if data.is_file() {
        return Ok(());
    }
    Err(io::Error::other(format!("{}, not a file", kind(data.file_type()))))
}

/// Rejects a pipe, since writing to it blocks until it is read.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_is_awaited() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut lock = Some(locked(file.path(), false, Duration::ZERO).unwrap());
        let refused = locked(file.path(), false, Duration::ZERO).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::TimedOut);
        let mut attempts = 0;
        let waits = || {
            attempts += 1;
            lock = lock.take().filter(|_| attempts < 3);
            true
        };
        assert!(locked_while(file.path(), false, waits).is_ok());
        assert_eq!(attempts, 3);
    }
}
