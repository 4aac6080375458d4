//! Files that hold the old content or the new one, whenever the program or the machine ends.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use crate::native::files::{is_still, locked, regular};

/// Most names that are tried for a new file: links may have been planted there.
const MOST_TRIES: u32 = 1000;
/// Most links that are followed from one to the next.
const MOST_LINKS: usize = 40;
/// What stands in the name of a new file between the name it is to get, and its process and number.
const MARK: &str = ".new-";
/// Most bytes of a note that are read.
const MOST_OF_NOTE: u64 = 64;
/// How long to wait for another program that puts files in the same places.
const PATIENCE: Duration = Duration::from_secs(10);

/// A file that is written beside the one it is to replace, and put in its place when it is whole. Dropped before, it is
/// gone and the old one untouched.
#[derive(Debug)]
pub struct AtomicFile {
    /// Locked as long as it is open: the files of killed programs are not, and are removed.
    file: File,
    beside: PathBuf,
    place: PathBuf,
    /// What `beside` ends with: process and number.
    suffix: String,
    is_kept: bool,
}

impl AtomicFile {
    /// A new file beside `path`, that no other program writes to. A link stays one: what it points to is replaced or, if
    /// that does not exist, created. Files that killed programs have left beside `path` are removed.
    ///
    /// # Errors
    /// If it cannot be made, or `path` is something else than a file.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let place = place_of(path)?;
        sweep(&place);
        for number in 0..MOST_TRIES {
            match AtomicFile::create_at(place.clone(), format!("{}-{number}", process::id())) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                done => return done,
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Several files, to be kept together.
    ///
    /// # Errors
    /// As for one of them.
    pub fn create_all(paths: &[PathBuf]) -> io::Result<Vec<AtomicFile>> {
        // What another program has left to do goes before what it has left behind is removed.
        complete(paths)?;
        let mut all: Vec<AtomicFile> = Vec::new();
        for path in paths {
            all.push(match all.first() {
                None => AtomicFile::create(path)?,
                Some(first) => {
                    let place = place_of(path).map_err(|error| named(path, &error))?;
                    sweep(&place);
                    AtomicFile::create_at(place, first.suffix.clone()).map_err(|error| named(path, &error))?
                }
            });
        }
        Ok(all)
    }

    fn create_at(place: PathBuf, suffix: String) -> io::Result<AtomicFile> {
        let beside = with_suffix(&place, &suffix);
        // Neither a file that is there already is opened, nor what a link in its place points to.
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        if place.exists() {
            private(&mut options);
        }
        let file = options.open(&beside)?;
        // Another program may have taken it for one that was left behind before it was locked.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !is_still(&file, &beside) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        Ok(AtomicFile { file, beside, place, suffix, is_kept: false })
    }

    /// Puts it in its place, with the mode of the file that was there, and its owner where that is allowed. When it
    /// returns it is on the disk.
    ///
    /// # Errors
    /// If that fails: then the old file is where it was.
    pub fn commit(mut self) -> io::Result<()> {
        self.finish()?;
        fs::rename(&self.beside, &self.place)?;
        self.is_kept = true;
        sync_folder(&self.place)
    }

    /// Puts all of [`create_all`](Self::create_all) in their places, or none. A program that is killed in between leaves a note
    /// beside the first, by which [`complete`] does the rest.
    ///
    /// # Errors
    /// If a file cannot be finished, or the note not be written: then all old files are where they were.
    pub fn commit_all(mut all: Vec<AtomicFile>) -> io::Result<()> {
        let Some(first) = all.first() else { return Ok(()) };
        if all.len() == 1 {
            return all.pop().map_or(Ok(()), AtomicFile::commit);
        }
        let (note, suffix) = (note_of(&first.place), first.suffix.clone());
        let places: Vec<PathBuf> = all.iter().map(|one| one.place.clone()).collect();
        for one in &all {
            one.finish()?;
        }
        let mut file = locked_note(&note, true)?;
        // Another program may have been killed while it waited for the lock.
        finish_by(&file, &places)?;
        let noted = file.set_len(0).and_then(|()| file.rewind());
        let noted = noted.and_then(|()| file.write_all(format!("{suffix}\n").as_bytes()));
        if let Err(error) = noted.and_then(|()| file.sync_all()) {
            let _ = fs::remove_file(&note);
            return Err(error);
        }
        all.iter_mut().for_each(|one| one.is_kept = true);
        finish_by(&file, &places)?;
        fs::remove_file(&note)
    }

    fn finish(&self) -> io::Result<()> {
        if let Ok(old) = fs::metadata(&self.place) {
            resemble(&self.file, &old)?;
        }
        self.file.sync_all()
    }
}

/// Completes what a program that was killed in [`AtomicFile::commit_all`] has left of these files, and waits for one that
/// runs. Does nothing if there is no note beside the first.
///
/// # Errors
/// If the files cannot be put in their places.
pub fn complete(paths: &[PathBuf]) -> io::Result<()> {
    let Some(first) = paths.first() else { return Ok(()) };
    let note = note_of(&place_of(first)?);
    let file = match locked_note(&note, false) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        done => done?,
    };
    let places = paths.iter().map(|path| place_of(path)).collect::<io::Result<Vec<_>>>()?;
    finish_by(&file, &places)?;
    fs::remove_file(&note)
}

/// Returns `true` if [`AtomicFile::commit_all`] is at work at `path`, or was killed there.
pub fn is_incomplete(path: &Path) -> bool {
    place_of(path).is_ok_and(|place| note_of(&place).exists())
}

/// Puts the files with the suffix of a note in their places. A note that was torn while it was written counts as none.
fn finish_by(mut note: &File, places: &[PathBuf]) -> io::Result<()> {
    let mut suffix = String::new();
    note.rewind()?;
    note.take(MOST_OF_NOTE).read_to_string(&mut suffix)?;
    let Some(suffix) = suffix.strip_suffix('\n').filter(|suffix| is_suffix(suffix)) else { return Ok(()) };
    // The first is the last: it names what the others hold.
    for place in places.iter().rev() {
        match fs::rename(with_suffix(place, suffix), place) {
            // It was put there before the program was killed.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            done => done?,
        }
    }
    places.iter().try_for_each(|place| sync_folder(place))
}

fn locked_note(note: &Path, create: bool) -> io::Result<File> {
    let open = || {
        let file = locked(note, create, PATIENCE)?;
        // What a link that another user has planted there points to is not written to.
        if fs::symlink_metadata(note)?.is_symlink() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "a link, not a file"));
        }
        Ok(file)
    };
    open().map_err(|error| named(note, &error))
}

/// What `path` stands for: the end of its links, also if no file is there.
fn place_of(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&place) {
            // An absolute target takes the place of the folder.
            Ok(target) => place = place.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => break,
        }
    }
    match fs::metadata(&place) {
        Ok(data) => regular(&data)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    match place.file_name() {
        Some(_) => Ok(place),
        None => Err(io::Error::new(ErrorKind::InvalidInput, "not a name of a file")),
    }
}

/// Removes what killed programs have left of replacements of `place`.
fn sweep(place: &Path) {
    let Some(name) = place.file_name().map(OsStr::as_encoded_bytes) else { return };
    let Ok(entries) = fs::read_dir(folder_of(place)) else { return };
    for entry in entries.flatten() {
        let own = entry.file_name();
        let suffix =
            own.as_encoded_bytes().strip_prefix(name).and_then(|rest| rest.strip_prefix(MARK.as_bytes()));
        let is_left = suffix.and_then(|suffix| str::from_utf8(suffix).ok()).is_some_and(is_suffix)
            && entry.file_type().is_ok_and(|kind| kind.is_file());
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

/// Process and number.
fn is_suffix(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(process, number)| is_number(process) && is_number(number))
}

fn with_suffix(place: &Path, suffix: &str) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(MARK);
    name.push(suffix);
    place.with_file_name(name)
}

fn note_of(place: &Path) -> PathBuf {
    with_suffix(place, "files")
}

fn folder_of(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Lets only its owner read and write a new file: it may replace one that others must not read.
#[cfg(unix)]
fn private(options: &mut OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
}

/// Elsewhere a new file has what its folder gives it.
#[cfg(not(unix))]
fn private(_: &mut OpenOptions) {}

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
    match File::open(folder_of(place)).and_then(|folder| folder.sync_all()) {
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
