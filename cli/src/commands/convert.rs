//! Files of games from one format to another.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::engine::of_file;
use crate::files::{Format, Input, Writer, beside};

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
        return convert(&input, to, BufWriter::new(io::stdout().lock()), None, options.quiet);
    }
    let path = &options.output;
    let new = beside(path);
    let named = |error: io::Error| of_file(path, &error);
    let file = BufWriter::new(File::create(&new).map_err(named)?);
    let done = convert(&input, to, file, Some(path), options.quiet).and_then(|code| {
        // The file holds what it held before or all that is new, whatever happens.
        File::open(&new).and_then(|file| file.sync_all())?;
        fs::rename(&new, path)?;
        Ok(code)
    });
    done.map_err(|error| {
        let _ = fs::remove_file(&new);
        named(error)
    })
}

fn convert(
    input: &Input,
    to: Format,
    output: impl Write,
    path: Option<&Path>,
    quiet: bool,
) -> io::Result<ExitCode> {
    let mut writer = Writer::new(to, output);
    let (mut written, mut faults) = (0_usize, 0_usize);
    for mut record in input.records() {
        if let Ok(game) = &record.game {
            match writer.write(game)? {
                Ok(()) => written += 1,
                Err(reason) => record.game = Err(format!("{to} has no place for it: {reason}")),
            }
        }
        if let Some(fault) = record.fault(&input.name) {
            faults += 1;
            eprintln!("outflank: {fault}");
        }
    }
    let (_, left_out) = writer.finish(path)?;
    if !quiet {
        for (what, records) in &left_out {
            eprintln!("outflank: {to} has no place for {what}: left out of {records} records");
        }
    }
    eprintln!("outflank: {written} records written, {faults} faulty");
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
