//! Files that hold the old content or the new one, whenever the program or the machine ends.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;

/// So many files of the same name are tried: others may have been left behind by programs that were killed.
const MOST_TRIES: u32 = 1000;

/// A file that is written beside the one it is to replace, and put in its place when it is whole. Dropped before, it is
/// gone and the old one untouched.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    beside: PathBuf,
    place: PathBuf,
    is_kept: bool,
}

impl Replacement {
    /// A new file beside `path`, that nobody else writes to. A link stays one: what it points to is replaced.
    ///
    /// # Errors
    /// Where it cannot be made, and where `path` is something else than a file.
    pub fn of(path: &Path) -> io::Result<Replacement> {
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(&place).is_ok_and(|data| !data.is_file()) {
            return Err(io::Error::new(ErrorKind::InvalidInput, "not a file"));
        }
        let name = place.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "not a file"))?;
        for number in 0..MOST_TRIES {
            let mut own = name.to_owned();
            own.push(format!(".new-{}-{number}", process::id()));
            let beside = place.with_file_name(own);
            // Never what is there already, nor what a link points to that somebody has put there.
            match OpenOptions::new().write(true).create_new(true).open(&beside) {
                Ok(file) => return Ok(Replacement { file, beside, place, is_kept: false }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Puts it in its place, with the mode of the file that was there, and its owner where that is allowed. When it
    /// returns it is on the disk.
    ///
    /// # Errors
    /// Where that fails: then the old file is where it was.
    pub fn keep(mut self) -> io::Result<()> {
        if let Ok(old) = fs::metadata(&self.place) {
            resemble(&self.file, &old)?;
        }
        self.file.sync_all()?;
        fs::rename(&self.beside, &self.place)?;
        self.is_kept = true;
        sync_folder(&self.place)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Gives `file` the owner and the mode of another one.
#[cfg(unix)]
fn resemble(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
        // Only root gives files away; a group may be one's own.
        let _ =
            fchown(file, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(file, None, Some(old.gid())));
    }
    // The owner first: changing it takes bits of the mode away.
    file.set_permissions(fs::Permissions::from_mode(old.mode() & 0o777))
}

/// Elsewhere a new file has what its folder gives it.
#[cfg(not(unix))]
fn resemble(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Sees to it that the new name is on the disk, too.
#[cfg(unix)]
fn sync_folder(place: &Path) -> io::Result<()> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems know no such thing; a folder that may not be read cannot be asked.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        done => done,
    }
}

/// Elsewhere a folder cannot be opened like a file.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
