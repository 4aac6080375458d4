//! Analysing games: every position of every game, and what the moves cost.

mod output;
pub(crate) mod points;
mod resume;
mod values;
pub(crate) mod work;

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use outflank::game::Game;

use crate::engine::of_file;
use crate::files::{self, Input};
use crate::options::Jobs;
use crate::print;
use crate::progress::progress;
use crate::side_by_side::in_order;
use output::{Format, Origin};
use resume::Done;
use work::{Analyst, Effort};

/// Analyse games: the value of every position, and what every move cost
///
/// Games and positions in any format that `convert` reads. With - the lines of standard input are games or positions, and
/// a line goes out for each that comes in, in order and at once. The exit status is 0 if every record could be read, else
/// 1; a faulty command line or an unreadable file is 2.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Files to read; - for the lines of standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format of the files; by default what their endings or their content tell
    #[arg(long, value_name = "FORMAT")]
    from: Option<files::Format>,
    /// Search to D plies, and one more where the leaves would have an odd number of empty squares
    #[arg(long, value_name = "D", default_value = "14", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Prove the scores of positions with N empty squares or fewer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    exact: Option<u32>,
    /// Search a position no longer than this
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// What goes out: a line of JSON a game, GGF with the values of the moves, or reports to read
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "jsonl")]
    format: Format,
    #[command(flatten)]
    jobs: Jobs,
    /// Write to this file, leaving out what it holds already
    #[arg(long, value_name = "OUT")]
    resume: Option<PathBuf>,
}

/// A record on its way.
struct Item {
    origin: Option<Origin>,
    game: Result<Game, String>,
    /// What messages call it; nothing where the line that goes out says all.
    fault: Option<String>,
}

/// What is to be written of it.
struct Written {
    text: String,
    fault: Option<String>,
    faulty: bool,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let effort = Effort { depth: options.depth, exact: options.exact, time: options.time };
    let lines = options.files.iter().any(|file| file.as_os_str() == "-");
    let wrong = |message| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    if lines && options.files.len() > 1 {
        return wrong("- stands for the lines of standard input, and for itself alone");
    }
    if lines && (options.resume.is_some() || options.from.is_some()) {
        return wrong("the lines of standard input are read one by one: neither --resume nor --from");
    }
    if lines && options.format == Format::Text {
        return wrong("a line goes out for each that comes in: --format jsonl or ggf");
    }
    let (mut output, mut done): (Box<dyn Write>, Done) = match &options.resume {
        Some(path) => {
            let (file, done) =
                resume::open(path, options.format, &effort).map_err(|error| match error.kind() {
                    io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => error,
                    _ => of_file(path, &error),
                })?;
            (Box::new(Whole(file)), done)
        }
        None => (Box::new(io::stdout()), Done::default()),
    };
    let mut inputs = Vec::new();
    if !lines {
        for path in &options.files {
            inputs.push(Input::open(path, options.from)?);
        }
    }
    let items: Box<dyn Iterator<Item = Item> + Send + '_> = if lines {
        Box::new(files::standard_input().map(|game| Item { origin: None, game, fault: None }))
    } else {
        Box::new(of_files(&inputs).filter(|item| !is_done(item, &mut done, &effort)))
    };
    let bar = bar_of(lines, &inputs, options);
    let mut well = true;
    // A faulty file of weights is told of before anything is read.
    drop(options.jobs.engine.config_later(options.jobs.instructions.kernel())?);
    panic::set_hook(Box::new(|_| {}));
    in_order(
        items,
        options.jobs.number as usize,
        || worker(options, effort),
        |written: Written| {
            well &= !written.faulty;
            if let Some(fault) = &written.fault {
                bar.suspend(|| print::note(format_args!("{fault}")));
            }
            // In one piece, so that whoever reads or is killed has whole lines.
            let told = output.write_all(written.text.as_bytes()).and_then(|()| output.flush());
            bar.inc(1);
            match told {
                // The reader of standard input may be waiting for a line that never comes.
                Err(error) if lines => {
                    process::exit(i32::from(error.kind() != io::ErrorKind::BrokenPipe) * 2)
                }
                told => told,
            }
        },
    )?;
    bar.finish_and_clear();
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A search of its own, and what it makes of a record.
fn worker(options: &Options, effort: Effort) -> impl FnMut(Item) -> Written {
    let make = move || {
        let search = options.jobs.search().map_err(|error| error.to_string())?;
        Ok::<_, String>(Analyst::new(search, effort))
    };
    let mut analyst = make();
    move |item| {
        let game = match (&item.game, &mut analyst) {
            (Ok(game), Ok(_)) => game,
            (Err(error), _) => return faulty(&item, options.format, error, item.fault.clone()),
            (_, Err(error)) => return faulty(&item, options.format, error, Some(error.clone())),
        };
        let analysis = match &mut analyst {
            Ok(analyst) => panic::catch_unwind(AssertUnwindSafe(|| analyst.analyze(game))).ok(),
            Err(_) => None,
        };
        let Some(analysis) = analysis else {
            // What is left of a broken search is not used again.
            analyst = make();
            let error = "the search broke down";
            return faulty(&item, options.format, error, Some(error.to_owned()));
        };
        let mut text = match options.format {
            Format::Jsonl => output::json(item.origin.as_ref(), game, &analysis, &effort),
            Format::Ggf => output::ggf(game, &analysis, &effort),
            Format::Text => {
                let title =
                    item.origin.as_ref().map(|origin| format!("{}, record {}", origin.file, origin.record));
                output::text(&title.unwrap_or_default(), game, &analysis, &effort)
            }
        };
        text.push('\n');
        Written { text, fault: None, faulty: false }
    }
}

fn faulty(item: &Item, format: Format, error: &str, fault: Option<String>) -> Written {
    let text = match (format, &item.origin) {
        (Format::Jsonl, origin) => output::json_fault(origin.as_ref(), error) + "\n",
        // A line goes out for the line that came in.
        (_, None) => format!("% {error}\n"),
        (_, Some(_)) => String::new(),
    };
    Written { text, fault, faulty: true }
}

fn of_files(inputs: &[Input]) -> impl Iterator<Item = Item> + Send + '_ {
    inputs.iter().flat_map(|input| {
        input.records().map(|record| Item {
            fault: record.fault(&input.name),
            origin: Some(Origin { file: input.name.clone(), record: record.number }),
            game: record.game,
        })
    })
}

fn is_done(item: &Item, done: &mut Done, effort: &Effort) -> bool {
    match (&item.game, &item.origin) {
        (Ok(game), _) => done.takes(game, effort),
        (Err(_), Some(origin)) => done.takes_fault(&origin.file, origin.record),
        (Err(_), None) => false,
    }
}

/// A bar where it does not come between lines of the output.
fn bar_of(lines: bool, inputs: &[Input], options: &Options) -> ProgressBar {
    if lines || (options.resume.is_none() && io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    progress(inputs.iter().map(|input| input.records().count() as u64).sum(), "games")
}

/// Writes to a file without a buffer: what was written is there, whatever becomes of the program.
struct Whole(File);

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds < 1e6);
    seconds.map(Duration::from_secs_f64).ok_or("not a number of seconds above 0")
}
