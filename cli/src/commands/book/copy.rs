//! Merges, imports, exports and packs books.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use outflank::book::{BookStore, MemoryStore, exported, imported, is_packed, pack as pack_book};
use outflank::notation::book as text;
use outflank::notation::foreign::{Foreign, ForeignEntry, Summary};

use super::{File, open, propagate};
use crate::atomic_file::AtomicFile;
use crate::native::{in_file, read_whole};
use crate::print;
use crate::progress::progress;
use crate::store::{Store, digest};

/// Add other books of this program to the book
#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// Books to add
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<PathBuf>,
    #[command(flatten)]
    file: File,
}

/// Add books of other programs, packed books, or books in text form, to the book
///
/// Edax's book.dat, Egaroucid's .egbk3 and .egbk2, packed books and texts are recognized by their content. Positions that cannot be
/// read are reported, and the rest is added; the exit status is then 1.
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// Files to add
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    file: File,
}

/// Write the book as text, which can be read and edited, or as a book of another program
///
/// The endings .dat and .egbk3 are those of Edax's and Egaroucid's books. Their values are whole discs, and positions without a
/// value are omitted.
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// File to write; - for standard output
    #[arg(default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    file: File,
}

/// Write the book as a small file, which --book, `book import` and the page read
///
/// The file contains the positions that follow from the start, with values in tenths of a disc. If they exceed the limit, the
/// positions farthest from best play are omitted: those with the largest loss of both sides together, plus 0.1 discs per move.
#[derive(Args, Debug)]
pub(crate) struct Pack {
    /// File to write
    output: PathBuf,
    #[command(flatten)]
    file: File,
    /// Write at most N KiB
    #[arg(long, value_name = "N", default_value = "1024", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    limit: u32,
}

/// Most errors of a file that are printed.
const MAX_PRINTED: usize = 20;

/// Changes a book and backs its values up, also those of a change that fails later. The caller has read the first input, so that
/// no empty book is created for an unreadable one.
fn change<T>(book: &Path, change: impl FnOnce(&Store) -> io::Result<T>) -> io::Result<T> {
    let store = open(book, true)?;
    let changed = change(&store);
    propagate(&store)?;
    let changed = changed?;
    print::note(format_args!("{}: {} positions", store.path().display(), store.snapshot()?.count()?));
    Ok(changed)
}

pub(super) fn merge(options: &Merge) -> io::Result<ExitCode> {
    if let Some(first) = options.books.first() {
        drop(Store::open(first, false, 1)?);
    }
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

/// A file that was read.
struct Source {
    digest: [u8; 16],
    content: Content,
    errors: Vec<String>,
}

enum Content {
    Foreign(Vec<ForeignEntry>),
    Packed(MemoryStore),
    Text(Vec<text::Entry>),
}

pub(super) fn import(options: &Import) -> io::Result<ExitCode> {
    // If nothing of the first file can be read, no book is created.
    let mut first = options.files.first().map(|path| Source::read(path)).transpose()?;
    let well = change(&options.file.book, |store| {
        options.files.iter().try_fold(true, |well, path| {
            let source = first.take().map_or_else(|| Source::read(path), Ok)?;
            Ok(import_one(store, path, source)? && well)
        })
    })?;
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Source {
    fn read(path: &Path) -> io::Result<Source> {
        let bytes = read_whole(path)?;
        let wrong = |error: String| in_file(path)(io::Error::other(error));
        if bytes.is_empty() {
            return Err(wrong("the file is empty".to_owned()));
        }
        let digest = digest(bytes.iter().copied());
        let (content, errors) = match Foreign::of(&bytes) {
            Some(program) => {
                let (positions, errors) = program.read(&bytes).map_err(|error| wrong(error.to_string()))?;
                if let (true, Some(error)) = (positions.is_empty(), errors.first()) {
                    return Err(wrong(error.clone()));
                }
                (Content::Foreign(positions), errors)
            }
            None if is_packed(&bytes) => {
                let book = MemoryStore::unpack(&bytes).map_err(|error| wrong(error.to_string()))?;
                (Content::Packed(book), Vec::new())
            }
            None => {
                let lines = text::read(&String::from_utf8_lossy(&bytes));
                (Content::Text(lines.map_err(|error| wrong(error.to_string()))?), Vec::new())
            }
        };
        Ok(Source { digest, content, errors })
    }
}

/// Adds a file in one transaction, unless the same content was added before. Returns `true` if it has no errors.
fn import_one(store: &Store, path: &Path, source: Source) -> io::Result<bool> {
    let Source { digest, content, errors } = source;
    let count = match &content {
        Content::Foreign(positions) => positions.len(),
        Content::Packed(book) => book.len(),
        Content::Text(lines) => lines.len(),
    };
    let bar = progress(count as u64, "positions");
    let new = store.change_deferred(|edit| {
        if !edit.add_source(&digest)? {
            return Ok(false);
        }
        let positions = &mut edit.positions;
        match content {
            Content::Foreign(entries) => bar
                .wrap_iter(imported(&entries))
                .try_for_each(|(key, games, own)| positions.change(&key, |entry| entry.add(games, own))),
            // The number of games is that of the positions behind it.
            Content::Packed(book) => bar
                .wrap_iter(book.entries())
                .try_for_each(|(key, packed)| positions.change(&key, |entry| entry.add(0, packed.own))),
            Content::Text(lines) => bar.wrap_iter(lines.iter()).try_for_each(|line| positions.add_line(line)),
        }?;
        Ok(true)
    })?;
    bar.finish_and_clear();
    for error in errors.iter().take(MAX_PRINTED) {
        print::note(format_args!("{}: {error}", path.display()));
    }
    if errors.len() > MAX_PRINTED {
        print::note(format_args!("{}: {} more errors", path.display(), errors.len() - MAX_PRINTED));
    }
    let done =
        if new { format!("{count} entries added") } else { "imported before, nothing added".to_owned() };
    print::note(format_args!("{}: {done}", path.display()));
    Ok(errors.is_empty())
}

pub(super) fn export(options: &Export) -> io::Result<ExitCode> {
    let path = &options.output;
    let ending =
        path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let program = Foreign::of_ending(&ending);
    if program.is_none() && ending.starts_with("egbk") {
        let message = format!("a book in the format of .{ending} cannot be written, only .egbk3 and .dat");
        return Err(in_file(path)(io::Error::other(message)));
    }
    let store = open(&options.file.book, false)?;
    if let Some(program) = program {
        return export_to(program, &store, path);
    }
    if path.as_os_str() == "-" {
        write(&store, BufWriter::new(io::stdout().lock()))?;
    } else {
        replace(path, |output| write(&store, output))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the positions with values as a book of another program.
fn export_to(program: Foreign, store: &Store, path: &Path) -> io::Result<ExitCode> {
    let snapshot = store.snapshot()?;
    let mut summary = Summary { empties: 60, ..Summary::default() };
    let mut omitted = 0;
    let bar = progress(2 * snapshot.count()?, "positions");
    for row in snapshot.entries()? {
        let (key, entry) = row?;
        bar.inc(1);
        if entry.value.is_none() {
            omitted += 1;
            continue;
        }
        let board = key.board();
        let records = 1 + u32::from(program.pass_before(board).is_some());
        summary.positions =
            summary.positions.checked_add(records).filter(|count| i32::try_from(*count).is_ok()).ok_or_else(
                || in_file(path)(io::Error::other("the book has more positions than the format can count")),
            )?;
        summary.level = summary.level.max(entry.level());
        summary.empties = summary.empties.min(board.empties() as u8);
    }
    replace(path, |mut output| {
        output.write_all(&program.new_header(summary))?;
        let mut record = Vec::new();
        for row in snapshot.entries()? {
            let (key, entry) = row?;
            bar.inc(1);
            let mut children = Vec::new();
            for child in key.children() {
                let value = snapshot.get(&child.key)?.and_then(|after| after.value);
                children.extend(value.map(|value| (child.mv, child.value_before(value))));
            }
            if let Some((entry, links)) = exported(&key, &entry, &children) {
                program.write(&entry, &links, &mut record);
                output.write_all(&record)?;
                record.clear();
            }
        }
        output.flush()
    })?;
    bar.finish_and_clear();
    let omitted = if omitted > 0 { format!(", {omitted} without a value omitted") } else { String::new() };
    print::note(format_args!("{}: {} positions{omitted}", path.display(), summary.positions));
    Ok(ExitCode::SUCCESS)
}

fn replace(path: &Path, write: impl FnOnce(BufWriter<&mut AtomicFile>) -> io::Result<()>) -> io::Result<()> {
    let done = AtomicFile::create(path).and_then(|mut new| {
        write(BufWriter::new(&mut new))?;
        new.commit()
    });
    done.map_err(in_file(path))
}

pub(super) fn pack(options: &Pack) -> io::Result<ExitCode> {
    let path = &options.output;
    let store = open(&options.file.book, false)?;
    let snapshot = store.snapshot()?;
    let packed = pack_book(|key| snapshot.get(key), options.limit as usize * 1024)?;
    let wrong = |error: &str| in_file(path)(io::Error::other(error.to_owned()));
    let bytes = packed
        .ok_or_else(|| wrong("the starting position has no value in the book, or --limit is too small"))?;
    // The file is read again before it replaces another one.
    let read = MemoryStore::unpack(&bytes).map_err(|error| wrong(&error.to_string()))?;
    replace(path, |mut output| output.write_all(&bytes).and_then(|()| output.flush()))?;
    print::note(format_args!(
        "{}: {} of {} positions, {} bytes",
        path.display(),
        read.len(),
        snapshot.count()?,
        bytes.len()
    ));
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
