//! Files of games from one format to another.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use outflank_cli::atomic_file::AtomicFile;

use crate::engine::of_file;
use crate::files::{Format, Input, Writer, database_files};
use crate::print;

/// Convert a file of games or positions to another format
///
/// Formats: ggf, nboard (GGF without what NBoard does not know), obf, txt (transcripts), wtb (WTHOR, with its .jou and
/// .trn), sgf, pgn. What cannot be read is reported by file, record and field, and the rest is converted. The exit status
/// is 0 if every record was converted, 1 if one was not, 2 where a file cannot be read or written.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// File to read; - for standard input
    input: PathBuf,
    /// File to write; - for standard output
    output: PathBuf,
    /// Format of the input; by default what its ending or its content tells
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format of the output; by default what its ending tells
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Say nothing of what the format has no place for
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let to = options.to.or_else(|| Format::of_path(&options.output)).ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            "the ending of the output names no format: say it with --to",
        )
    })?;
    let input = Input::open(&options.input, options.from)?;
    if options.output.as_os_str() == "-" {
        return Ok(status(&convert(&input, to, BufWriter::new(io::stdout().lock()), None, options.quiet)?));
    }
    let path = &options.output;
    let done = if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        // A device or a pipe is written to, not replaced.
        let file = OpenOptions::new().write(true).open(path);
        file.and_then(|file| convert(&input, to, BufWriter::new(file), None, options.quiet))
    } else {
        replace(&input, to, path, options.quiet)
    };
    Ok(status(&done.map_err(|error| of_file(path, &error))?))
}

/// How many records were written, and how many not.
struct Count {
    written: usize,
    faulty: usize,
}

fn status(count: &Count) -> ExitCode {
    if count.faulty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Converts to a file, and a database to all its files. Where nothing can be converted they stay as they were.
fn replace(input: &Input, to: Format, path: &Path, quiet: bool) -> io::Result<Count> {
    let paths = if to == Format::Wthor { database_files(path).to_vec() } else { vec![path.to_owned()] };
    let is_of_names = |ending: &OsStr| ["jou", "trn"].iter().any(|name| ending.eq_ignore_ascii_case(name));
    if to == Format::Wthor && path.extension().is_some_and(is_of_names) {
        let message = "the names of a database would take its place: its ending must be neither jou nor trn";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let mut new = AtomicFile::create_all(&paths)?;
    let count = match new.as_mut_slice() {
        [games, players, tournaments] => {
            convert(input, to, BufWriter::new(games), Some([players, tournaments]), quiet)?
        }
        [games, ..] => convert(input, to, BufWriter::new(games), None, quiet)?,
        [] => Count { written: 0, faulty: 0 },
    };
    if count.written == 0 && count.faulty > 0 {
        print::note(format_args!("{}: left as it was: there is nothing to write", path.display()));
    } else {
        AtomicFile::commit_all(new)?;
    }
    Ok(count)
}

fn convert(
    input: &Input,
    to: Format,
    output: impl Write,
    names: Option<[&mut dyn Write; 2]>,
    quiet: bool,
) -> io::Result<Count> {
    let mut writer = Writer::new(to, output);
    let mut count = Count { written: 0, faulty: 0 };
    for mut record in input.records() {
        if let Ok(game) = &record.game {
            match writer.write(game)? {
                Ok(()) => count.written += 1,
                Err(reason) => record.game = Err(format!("{to} has no place for it: {reason}")),
            }
        }
        if let Some(fault) = record.fault(&input.name) {
            count.faulty += 1;
            print::note(format_args!("{fault}"));
        }
    }
    let left_out = writer.finish(names)?;
    if !quiet {
        for (what, records) in &left_out {
            print::note(format_args!("{to} has no place for {what}: left out of {records} records"));
        }
    }
    print::note(format_args!("{} records written, {} faulty", count.written, count.faulty));
    Ok(count)
}
