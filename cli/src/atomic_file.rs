//! Files that are replaced as a whole: after a crash they have the old content or the new one.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::native::files::{in_file, is_still, locked, regular};

/// Longest chain of links that is followed.
const MAX_LINKS: usize = 40;
/// Part of the name of a new file, between the final name and a random suffix.
const MARK: &str = ".new-";
/// Letters and digits of the suffix.
const SUFFIX_LENGTH: usize = 6;
/// Most bytes of a note.
const MAX_NOTE_BYTES: u64 = 64;
/// Time to wait for another program that replaces the same files.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// A new file next to the file that it will replace. [`commit`](Self::commit) replaces the file. Dropped before, the new file is
/// removed and the old one stays unchanged.
#[derive(Debug)]
pub struct AtomicFile {
    /// Locked while it is open. Files of killed programs are not locked, and are removed.
    new: NamedTempFile,
    /// The path of the file that it replaces.
    target: PathBuf,
}

impl AtomicFile {
    /// Creates a new file next to `path`. If `path` is a link, the file that it points to is replaced or created. Files that
    /// killed programs left next to `path` are removed.
    ///
    /// # Errors
    /// If the file cannot be created, or `path` is not an ordinary file.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let target = target_of(path)?;
        sweep(&target);
        // An existing file is not opened, and a link is not followed.
        let open = |new: &Path| {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            // Only the owner has access to it, since it may replace a private file.
            #[cfg(unix)]
            if target.exists() {
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            }
            let file = options.open(new)?;
            // Before it was locked, another program may have removed it as a leftover.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !is_still(&file, new) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            Ok(file)
        };
        let prefix = with_suffix(target.file_name().unwrap_or_default(), "");
        let mut names = tempfile::Builder::new();
        let new = names.prefix(&prefix).rand_bytes(SUFFIX_LENGTH).make_in(folder_of(&target), open)?;
        Ok(AtomicFile { new, target })
    }

    /// Creates several files, to be committed together by [`commit_all`](Self::commit_all).
    ///
    /// # Errors
    /// Like [`create`](Self::create).
    pub fn create_all(paths: &[PathBuf]) -> io::Result<Vec<AtomicFile>> {
        // An interrupted commit is completed before leftover files are removed.
        complete(paths)?;
        let mut all = Vec::new();
        for path in paths {
            let new = AtomicFile::create(path);
            all.push(if all.is_empty() { new? } else { new.map_err(in_file(path))? });
        }
        Ok(all)
    }

    /// Replaces the old file. The new one gets its mode, and its owner if that is permitted. When the function returns, the new
    /// content is on the disk.
    ///
    /// # Errors
    /// If the replacement fails. The old file is then unchanged.
    pub fn commit(self) -> io::Result<()> {
        self.finish()?;
        self.new.persist(&self.target)?;
        sync_folder(&self.target)
    }

    /// Gives the new file its final name, unless another program has created a file there that is not empty.
    ///
    /// # Errors
    /// If the file cannot be written or renamed.
    pub fn commit_new(self) -> io::Result<()> {
        self.finish()?;
        match fs::hard_link(&self.new, &self.target) {
            Ok(()) => sync_folder(&self.target),
            Err(error)
                if error.kind() == ErrorKind::AlreadyExists && fs::metadata(&self.target)?.len() > 0 =>
            {
                Ok(())
            }
            // An empty file, or a file system without hard links.
            Err(_) => self.commit(),
        }
    }

    /// Replaces the old files of [`create_all`](Self::create_all), or none of them. A program that is killed in between leaves a
    /// note next to the first file, and [`complete`] replaces the others.
    ///
    /// # Errors
    /// If a file cannot be finished or the note cannot be written. All old files are then unchanged.
    pub fn commit_all(mut all: Vec<AtomicFile>) -> io::Result<()> {
        let [first, _, ..] = all.as_slice() else { return all.into_iter().try_for_each(AtomicFile::commit) };
        let note = note_of(&first.target);
        let suffixes: String = all.iter().map(AtomicFile::suffix).collect();
        let targets: Vec<PathBuf> = all.iter().map(|one| one.target.clone()).collect();
        for one in &all {
            one.finish()?;
        }
        let mut file = locked_note(&note, true)?;
        // The program that had the lock before may have been killed.
        finish_by(&file, &targets)?;
        let noted = file.set_len(0).and_then(|()| file.rewind());
        let noted = noted.and_then(|()| file.write_all(suffixes.as_bytes()));
        if let Err(error) = noted.and_then(|()| file.sync_all()) {
            let _ = fs::remove_file(&note);
            return Err(error);
        }
        all.iter_mut().for_each(|one| one.new.disable_cleanup(true));
        finish_by(&file, &targets)?;
        fs::remove_file(&note)
    }

    fn finish(&self) -> io::Result<()> {
        #[cfg(unix)]
        if let Ok(old) = fs::metadata(&self.target) {
            resemble(self.new.as_file(), &old)?;
        }
        self.new.as_file().sync_all()
    }

    /// The suffix of the new file, as a line of a note.
    fn suffix(&self) -> String {
        let path = self.new.path().to_string_lossy();
        format!("{}\n", &path[path.len() - SUFFIX_LENGTH..])
    }
}

/// Completes an [`AtomicFile::commit_all`] of these files whose program was killed, and waits for one that is running. Does
/// nothing if there is no note next to the first file.
///
/// # Errors
/// If the files cannot be replaced.
pub fn complete(paths: &[PathBuf]) -> io::Result<()> {
    let Some(first) = paths.first() else { return Ok(()) };
    let note = note_of(&target_of(first)?);
    let file = match locked_note(&note, false) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        done => done?,
    };
    let targets = paths.iter().map(|path| target_of(path)).collect::<io::Result<Vec<_>>>()?;
    finish_by(&file, &targets)?;
    fs::remove_file(&note)
}

/// Returns `true` if an [`AtomicFile::commit_all`] of `path` is running or was interrupted.
pub fn is_incomplete(path: &Path) -> bool {
    target_of(path).is_ok_and(|target| note_of(&target).exists())
}

/// Replaces the files by the new ones with the suffixes in the note. An incomplete note is ignored.
fn finish_by(mut note: &File, targets: &[PathBuf]) -> io::Result<()> {
    let mut text = String::new();
    note.rewind()?;
    note.take(MAX_NOTE_BYTES).read_to_string(&mut text)?;
    let suffixes: Vec<&str> = text.split_terminator('\n').collect();
    let is_complete = text.ends_with('\n') && suffixes.len() == targets.len();
    if !is_complete || !suffixes.iter().all(|suffix| is_suffix(suffix.as_bytes())) {
        return Ok(());
    }
    // The first file comes last, since its head describes the others.
    for (target, suffix) in targets.iter().zip(suffixes).rev() {
        match fs::rename(with_suffix(target.as_os_str(), suffix), target) {
            // Replaced before the program was killed.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            done => done?,
        }
    }
    targets.iter().try_for_each(|target| sync_folder(target))
}

fn locked_note(note: &Path, create: bool) -> io::Result<File> {
    let file = locked(note, create, LOCK_TIMEOUT).map_err(in_file(note))?;
    // A link of another user is not followed.
    if fs::symlink_metadata(note)?.is_symlink() {
        return Err(in_file(note)(io::Error::other("a link, not a file")));
    }
    Ok(file)
}

/// Returns the end of the links of `path`, even if no file exists there.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            // An absolute path replaces the folder.
            Ok(linked) => target = target.parent().unwrap_or(Path::new("")).join(linked),
            Err(_) => break,
        }
    }
    match fs::metadata(&target) {
        Ok(data) => regular(&data)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    match target.file_name() {
        Some(_) => Ok(target),
        None => Err(io::Error::other("not the name of a file")),
    }
}

/// Removes new files for `target` that killed programs left.
pub fn sweep(target: &Path) {
    let Some(name) = target.file_name().map(OsStr::as_encoded_bytes) else { return };
    let Ok(entries) = fs::read_dir(folder_of(target)) else { return };
    for entry in entries.flatten() {
        let own = entry.file_name();
        let suffix =
            own.as_encoded_bytes().strip_prefix(name).and_then(|rest| rest.strip_prefix(MARK.as_bytes()));
        let is_left = suffix.is_some_and(is_suffix) && entry.file_type().is_ok_and(|kind| kind.is_file());
        let path = entry.path();
        if is_left
            && let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
            && is_still(&file, &path)
        {
            let _ = fs::remove_file(&path);
        }
    }
}

fn is_suffix(text: &[u8]) -> bool {
    text.len() == SUFFIX_LENGTH && text.iter().all(u8::is_ascii_alphanumeric)
}

fn with_suffix(target: &OsStr, suffix: &str) -> OsString {
    let mut path = target.to_owned();
    path.push(MARK);
    path.push(suffix);
    path
}

fn note_of(target: &Path) -> PathBuf {
    with_suffix(target.as_os_str(), "files").into()
}

fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.as_file_mut().flush()
    }
}

/// Gives `file` the owner and the mode of another file.
#[cfg(unix)]
fn resemble(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
        // Only root can change the owner. Users can change the group to one of their own.
        let _ =
            fchown(file, Some(old.uid()), Some(old.gid())).or_else(|_| fchown(file, None, Some(old.gid())));
    }
    // After the owner, since a change of the owner clears bits of the mode.
    file.set_permissions(fs::Permissions::from_mode(old.mode() & 0o777))
}

/// Writes the new name to the disk.
fn sync_folder(target: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder_of(target)).and_then(|folder| folder.sync_all()) {
        // Some file systems do not support it, and the folder may be unreadable.
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
