//! Analysing games: every position of every game, and what the moves cost.

mod output;
pub(crate) mod points;
mod resume;
mod values;
pub(crate) mod work;

use std::io::{self, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use outflank::game::Game;

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
    /// Its place among the lines of all files.
    at: u64,
}

/// What is to be written of it.
struct Written {
    text: String,
    fault: Option<String>,
    faulty: bool,
    at: u64,
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
    if options.resume.is_some() && options.format == Format::Text {
        return wrong("a report to read cannot be resumed: --format jsonl or ggf");
    }
    let (mut output, mut done) = match &options.resume {
        Some(path) => {
            let (journal, done) = resume::open(path, options.format, &effort)?;
            (Some(journal), done)
        }
        None => (None, Done::default()),
    };
    let mut inputs = Vec::new();
    if !lines {
        for path in &options.files {
            inputs.push(Input::open(path, options.from)?);
        }
    }
    // Faulty records whose errors the output holds already: an analysis of them is no success either.
    let known_faults = AtomicBool::new(false);
    let items: Box<dyn Iterator<Item = Item> + Send + '_> = if lines {
        Box::new(files::standard_input().map(|game| Item { origin: None, game, fault: None, at: 0 }))
    } else {
        Box::new(of_files(&inputs).filter(|item| {
            let is_done = is_done(item, &mut done, &effort);
            known_faults.fetch_or(is_done && item.game.is_err(), Ordering::Relaxed);
            !is_done
        }))
    };
    let bar = bar_of(lines, &inputs, options);
    let mut well = true;
    // A faulty file of weights is told of before anything is read.
    drop(options.jobs.engine.config_later(options.jobs.instructions.kernel())?);
    in_order(
        items,
        options.jobs.number as usize,
        || worker(options, effort),
        |written: Written| {
            well &= !written.faulty;
            if let Some(fault) = &written.fault {
                bar.suspend(|| print::note(format_args!("{fault}")));
            }
            // In one piece, so that a reader has whole lines, also if this program is killed.
            let told = match &mut output {
                Some(journal) => journal.append(&written.text),
                None => {
                    let mut output = io::stdout();
                    output.write_all(written.text.as_bytes()).and_then(|()| output.flush())
                }
            };
            bar.set_position(written.at);
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
    Ok(if well && !known_faults.into_inner() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
                print::printable(output::text(&title.unwrap_or_default(), game, &analysis, &effort))
            }
        };
        text.push('\n');
        Written { text, fault: None, faulty: false, at: item.at }
    }
}

fn faulty(item: &Item, format: Format, error: &str, fault: Option<String>) -> Written {
    let text = match (format, &item.origin) {
        (Format::Jsonl, origin) => output::json_fault(origin.as_ref(), error) + "\n",
        // A line goes out for the line that came in.
        (_, None) => format!("% {error}\n"),
        (_, Some(_)) => String::new(),
    };
    Written { text, fault, faulty: true, at: item.at }
}

fn of_files(inputs: &[Input]) -> impl Iterator<Item = Item> + Send + '_ {
    let mut next = 0;
    inputs.iter().flat_map(move |input| {
        let before = next;
        next += input.len();
        input.records().map(move |record| Item {
            at: before + record.at(),
            fault: record.error(&input.name),
            origin: Some(Origin { file: input.name.clone(), record: record.number }),
            game: record.game,
        })
    })
}

fn is_done(item: &Item, done: &mut Done, effort: &Effort) -> bool {
    match (&item.game, &item.origin) {
        (Ok(game), _) => done.takes(game, effort),
        (Err(error), Some(origin)) => done.takes_fault(origin.record, error),
        (Err(_), None) => false,
    }
}

/// A bar where it does not come between lines of the output.
fn bar_of(lines: bool, inputs: &[Input], options: &Options) -> ProgressBar {
    if lines || (options.resume.is_none() && io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    progress(inputs.iter().map(Input::len).sum(), "lines")
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds < 1e6);
    seconds.map(Duration::from_secs_f64).ok_or("not a number of seconds above 0")
}
