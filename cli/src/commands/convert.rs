//! `outflank convert`: files of games to other formats.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use outflank::notation::MAX_REPORTED_ERRORS;

use crate::atomic_file::AtomicFile;
use crate::files::{Format, Input, Writer, database_files};
use crate::native::in_file;
use crate::print;

/// Convert a file of games or positions to another format
///
/// Formats: ggf, nboard (GGF without the tags that NBoard does not know), obf, txt (transcripts), wtb (WTHOR, with its .jou
/// and .trn), sgf, pgn. Invalid records are reported by file, record and field, and the others are converted. The exit
/// status is 0 if every record was converted, 1 if one was not or if there is none, 2 if a file cannot be read or written.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// File to read; - for standard input
    input: PathBuf,
    /// File to write; - for standard output
    output: PathBuf,
    /// Format of the input; by default that of its ending or its content
    #[arg(long, value_name = "FORMAT", ignore_case = true)]
    from: Option<Format>,
    /// Format of the output; by default that of its ending
    #[arg(long, value_name = "FORMAT", ignore_case = true)]
    to: Option<Format>,
    /// Do not report fields that were not read or that the format cannot hold
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let unknown = "the ending of the output is not that of a format: use --to FORMAT";
    let to = options.to.or_else(|| Format::of_path(&options.output));
    let to = to.ok_or_else(|| io::Error::other(unknown))?;
    let input = Input::open(&options.input, options.from)?;
    if options.output.as_os_str() == "-" {
        return Ok(status(convert(&input, to, BufWriter::new(io::stdout().lock()), None, options.quiet)?));
    }
    let path = &options.output;
    let done = if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        // A device or a pipe is written, not replaced.
        let file = OpenOptions::new().write(true).open(path);
        file.and_then(|file| convert(&input, to, BufWriter::new(file), None, options.quiet))
    } else {
        replace(&input, to, path, options.quiet)
    };
    Ok(status(done.map_err(in_file(path))?))
}

/// The numbers of written and of invalid records.
type Counts = [usize; 2];

/// Some record could not be converted, or there is none.
fn status([written, invalid]: Counts) -> ExitCode {
    if invalid == 0 && written > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Converts to a file, or to all files of a database. If no record can be converted, the files stay unchanged.
fn replace(input: &Input, to: Format, path: &Path, quiet: bool) -> io::Result<Counts> {
    let paths = if to == Format::Wthor { database_files(path).to_vec() } else { vec![path.to_owned()] };
    let is_of_names = |ending: &OsStr| ["jou", "trn"].iter().any(|name| ending.eq_ignore_ascii_case(name));
    if to == Format::Wthor && path.extension().is_some_and(is_of_names) {
        let message = "the names of the database would replace it: the ending must be neither jou nor trn";
        return Err(io::Error::other(message));
    }
    let mut new = AtomicFile::create_all(&paths)?;
    let [written, invalid] = match new.as_mut_slice() {
        [games, players, tournaments] => {
            convert(input, to, BufWriter::new(games), Some([players, tournaments]), quiet)?
        }
        [games, ..] => convert(input, to, BufWriter::new(games), None, quiet)?,
        [] => [0, 0],
    };
    if written == 0 {
        print::note(format_args!("{}: left unchanged: there is nothing to write", path.display()));
    } else {
        AtomicFile::commit_all(new)?;
    }
    Ok([written, invalid])
}

fn convert(
    input: &Input,
    to: Format,
    output: impl Write,
    names: Option<[&mut dyn Write; 2]>,
    quiet: bool,
) -> io::Result<Counts> {
    let mut writer = Writer::new(to, output);
    let [mut written, mut invalid] = [0, 0];
    // The kinds of parts that were not read, with the number of records and the first place.
    let mut unread: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for mut record in input.records() {
        if let Ok(game) = &record.game {
            for (kind, part) in &game.tags.dropped {
                let first = || (0, format!("record {}, {part}", record.number));
                unread.entry(kind).or_insert_with(first).0 += 1;
            }
            match writer.write(game)? {
                Ok(()) => written += 1,
                Err(reason) => record.game = Err(format!("{to} cannot hold it: {reason}")),
            }
        }
        if let Some(error) = record.error(&input.name) {
            invalid += 1;
            if invalid <= MAX_REPORTED_ERRORS {
                print::note(error);
            }
        }
    }
    if invalid > MAX_REPORTED_ERRORS {
        let more = invalid - MAX_REPORTED_ERRORS;
        print::note(format_args!("{}: {more} more records cannot be converted", input.name));
    }
    let dropped = writer.finish(names)?;
    if !quiet {
        for (kind, (records, first)) in unread {
            print::note(format_args!(
                "{}: {kind}: not kept from {records} records, first {first}",
                input.name
            ));
        }
        for (field, records) in &dropped {
            print::note(format_args!("{to} cannot hold {field}: omitted from {records} records"));
        }
    }
    if written + invalid == 0 {
        print::note(format_args!("{}: no games or positions found", input.name));
    } else {
        print::note(format_args!("{written} records written, {invalid} invalid"));
    }
    Ok([written, invalid])
}
