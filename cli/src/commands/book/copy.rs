//! Merges, imports and exports books.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use outflank::notation::book as text;
use outflank::notation::foreign::Foreign;
use outflank_cli::atomic_file::AtomicFile;
use outflank_cli::native::{in_file, read_whole};
use outflank_cli::store::{Store, digest, import as import_foreign};

use super::{File, open, propagate};
use crate::print;
use crate::progress::progress;

/// Add other books of this program to the book
#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// Books to add
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<PathBuf>,
    #[command(flatten)]
    file: File,
}

/// Add books of other programs, or in text form, to the book
///
/// Edax's book.dat, Egaroucid's .egbk3 and .egbk2, and texts are recognized by their content. Positions that cannot be read are
/// reported, and the rest is added; the exit status is then 1.
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// Files to add
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    file: File,
}

/// Write the book as text, which can be read and edited
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// File to write; - for standard output
    #[arg(default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    file: File,
}

/// Most errors of a file that are printed.
const MAX_PRINTED: usize = 20;

/// Changes a book and backs its values up, also those of a change that fails later.
fn change<T>(book: &Path, change: impl FnOnce(&Store) -> io::Result<T>) -> io::Result<T> {
    let store = open(book, true)?;
    let changed = change(&store);
    propagate(&store)?;
    let changed = changed?;
    print::note(format_args!("{}: {} positions", store.path().display(), store.snapshot()?.count()?));
    Ok(changed)
}

pub(super) fn merge(options: &Merge) -> io::Result<ExitCode> {
    change(&options.file.book, |store| {
        let own = fs::canonicalize(store.path())?;
        options.books.iter().try_for_each(|path| {
            if fs::canonicalize(path).map_err(in_file(path))? == own {
                let error = "the book cannot be merged with itself";
                return Err(in_file(path)(io::Error::other(error)));
            }
            merge_one(store, path)
        })
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Adds a book in one transaction, unless the same content was added before.
fn merge_one(store: &Store, path: &Path) -> io::Result<()> {
    let other = open(path, false)?;
    let snapshot = other.snapshot()?;
    let bar = progress(snapshot.count()?, "positions");
    let origins = other.origins()?;
    let new = store.change_deferred(|edit| {
        if !edit.add_source(&snapshot.digest()?)? {
            return Ok(false);
        }
        for row in snapshot.entries()? {
            let (key, other) = row?;
            edit.positions.change(&key, |entry| entry.add(other.games, other.own))?;
            bar.inc(1);
        }
        edit.add_origins(&origins)?;
        Ok(true)
    })?;
    bar.finish_and_clear();
    if !new {
        print::note(format_args!("{}: merged before, nothing added", path.display()));
    }
    Ok(())
}

pub(super) fn import(options: &Import) -> io::Result<ExitCode> {
    let well = change(&options.file.book, |store| {
        options.files.iter().try_fold(true, |well, path| Ok(import_one(store, path)? && well))
    })?;
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Adds a file in one transaction, unless the same content was added before. Returns `true` if it has no errors.
fn import_one(store: &Store, path: &Path) -> io::Result<bool> {
    let bytes = read_whole(path)?;
    let wrong = |error: String| in_file(path)(io::Error::other(error));
    if bytes.is_empty() {
        return Err(wrong("the file is empty".to_owned()));
    }
    let (positions, errors) = if let Some(program) = Foreign::of(&bytes) {
        let bar = progress(0, "positions");
        let done = import_foreign(program, &bytes, store, |done, all| {
            bar.set_length(all);
            bar.set_position(done);
        });
        bar.finish_and_clear();
        done.map_err(|error| wrong(error.to_string()))?
    } else {
        let lines = text::read(&String::from_utf8_lossy(&bytes)).map_err(|error| wrong(error.to_string()))?;
        let new = store.change_deferred(|edit| {
            let new = edit.add_source(&digest(bytes.iter().copied()))?;
            if new {
                lines.iter().try_for_each(|line| edit.positions.add_line(line))?;
            }
            Ok(new)
        })?;
        (new.then_some(lines.len() as u64), Vec::new())
    };
    for error in errors.iter().take(MAX_PRINTED) {
        print::note(format_args!("{}: {error}", path.display()));
    }
    if errors.len() > MAX_PRINTED {
        print::note(format_args!("{}: {} more errors", path.display(), errors.len() - MAX_PRINTED));
    }
    match positions {
        Some(positions) => print::note(format_args!("{}: {positions} entries added", path.display())),
        None => print::note(format_args!("{}: imported before, nothing added", path.display())),
    }
    Ok(errors.is_empty())
}

pub(super) fn export(options: &Export) -> io::Result<ExitCode> {
    let store = open(&options.file.book, false)?;
    let path = &options.output;
    if path.as_os_str() == "-" {
        write(&store, BufWriter::new(io::stdout().lock()))?;
    } else {
        let done = AtomicFile::create(path).and_then(|mut new| {
            write(&store, BufWriter::new(&mut new))?;
            new.commit()
        });
        done.map_err(in_file(path))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(store: &Store, mut output: impl Write) -> io::Result<()> {
    let name = store.path().file_name().unwrap_or_default().to_string_lossy();
    writeln!(output, "% {name}: positions, and their own values for the side to move")?;
    for row in store.snapshot()?.entries()? {
        let (key, entry) = row?;
        writeln!(output, "{}", entry.line(&key))?;
    }
    output.flush()
}
