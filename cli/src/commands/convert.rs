//! Files of games from one format to another.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use outflank_cli::replacement::Replacement;

use crate::engine::of_file;
use crate::files::{Format, Input, Writer};
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
        return convert(&input, to, BufWriter::new(io::stdout().lock()), None, options.quiet);
    }
    let path = &options.output;
    let done = if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        // A device or a pipe is written to, not replaced.
        let file = OpenOptions::new().write(true).open(path);
        file.and_then(|file| convert(&input, to, BufWriter::new(file), None, options.quiet))
    } else {
        Replacement::of(path).and_then(|mut new| {
            let code = convert(&input, to, BufWriter::new(&mut new), Some(path), options.quiet)?;
            new.keep()?;
            Ok(code)
        })
    };
    done.map_err(|error| of_file(path, &error))
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
            print::note(format_args!("{fault}"));
        }
    }
    let (_, left_out) = writer.finish(path)?;
    if !quiet {
        for (what, records) in &left_out {
            print::note(format_args!("{to} has no place for {what}: left out of {records} records"));
        }
    }
    print::note(format_args!("{written} records written, {faults} faulty"));
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
