//! Books into a book, and a book to a text.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use outflank::board::{Color, Position};
use outflank::game::notation::{book as text, squares};
use outflank_cli::native::read_whole;
use outflank_cli::replacement::Replacement;
use outflank_cli::store::{Entry, Key, Store, foreign};

use super::{CACHE, File, open, settle};
use crate::engine::of_file;
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

/// Add books of other programs, or of text, to the book
///
/// Edax's book.dat, Egaroucid's .egbk3, and the text that people write are told apart by their content. Positions that
/// cannot be read are reported, and the rest is added; the exit status is 1 then.
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// Files to add
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    file: File,
}

/// Write the book as text, which people can read and change
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// File to write; - for standard output
    #[arg(default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    file: File,
}

/// Positions in a transaction.
const BATCH: usize = 50_000;
/// Faults that are told one by one.
const TOLD: usize = 20;

pub(super) fn merge(options: &Merge) -> io::Result<ExitCode> {
    let store = open(&options.file.book, true)?;
    for path in &options.books {
        let other = Store::open(path, false, CACHE)?;
        let snapshot = other.snapshot()?;
        let bar = progress(snapshot.count()?, "positions");
        let mut entries = snapshot.entries()?.peekable();
        while entries.peek().is_some() {
            let batch: Vec<(Key, Entry)> = entries.by_ref().take(BATCH).collect();
            store.change_unsettled(|edit| {
                for (key, other) in &batch {
                    edit.change(key, |entry| {
                        entry.games = entry.games.saturating_add(other.games);
                        if let Some(given) = other.given {
                            entry.give(given);
                        }
                    })?;
                }
                Ok(())
            })?;
            bar.inc(batch.len() as u64);
        }
        let identities = other.identities()?;
        store.change_unsettled(|edit| edit.add_identities(&identities))?;
        bar.finish_and_clear();
    }
    settle(&store)?;
    print::note(format_args!("{}: {} positions", store.path().display(), store.snapshot()?.count()?));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn import(options: &Import) -> io::Result<ExitCode> {
    let mut well = true;
    let store = open(&options.file.book, true)?;
    for path in &options.files {
        let bytes = read_whole(path).map_err(|error| of_file(path, &error))?;
        let wrong = |error: String| of_file(path, &io::Error::new(io::ErrorKind::InvalidData, error));
        let (positions, faults) = if let Some(program) = foreign(&bytes) {
            let bar = progress(0, "positions");
            let done = program.import(&bytes, &store, |done, all| {
                bar.set_length(all);
                bar.set_position(done);
            });
            bar.finish_and_clear();
            done.map_err(|fault| wrong(fault.to_string()))?
        } else {
            let lines =
                text::read(&String::from_utf8_lossy(&bytes)).map_err(|error| wrong(error.to_string()))?;
            for batch in lines.chunks(BATCH) {
                store.change_unsettled(|edit| batch.iter().try_for_each(|line| edit.add_text(line)))?;
            }
            (lines.len() as u64, Vec::new())
        };
        for fault in faults.iter().take(TOLD) {
            print::note(format_args!("{}: {fault}", path.display()));
        }
        if faults.len() > TOLD {
            print::note(format_args!("{}: {} faults more", path.display(), faults.len() - TOLD));
        }
        well &= faults.is_empty();
        print::note(format_args!("{}: {positions} entries added", path.display()));
    }
    settle(&store)?;
    print::note(format_args!("{}: {} positions", store.path().display(), store.snapshot()?.count()?));
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(super) fn export(options: &Export) -> io::Result<ExitCode> {
    let store = open(&options.file.book, false)?;
    let path = &options.output;
    if path.as_os_str() == "-" {
        write(&store, BufWriter::new(io::stdout().lock()))?;
    } else {
        let done = Replacement::of(path).and_then(|mut new| {
            write(&store, BufWriter::new(&mut new))?;
            new.keep()
        });
        done.map_err(|error| of_file(path, &error))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(store: &Store, mut output: impl Write) -> io::Result<()> {
    writeln!(
        output,
        "% {}: positions, and what they are worth themselves to the side to move",
        name(store.path())
    )?;
    for (key, entry) in store.snapshot()?.entries()? {
        let position = Position::new(key.board(), Color::Black);
        write!(output, "{};", squares::write(&position))?;
        if let Some(given) = entry.given {
            if given.exact {
                write!(output, " {:+};", given.score.centidiscs() / 100)?;
            } else {
                write!(output, " {:+.2};", given.score.discs())?;
            }
        }
        writeln!(output)?;
    }
    output.flush()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
