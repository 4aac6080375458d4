//! Analyzes games: the value of each position and the loss of each move.

pub(crate) mod analyzer;
pub(crate) mod output;
mod resume;
mod summary;

use std::io::{self, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use outflank::book::Book;
use outflank::game::Game;
use outflank::study::Plan;

use crate::files::{self, GameFiles, Input};
use crate::options::{Jobs, NEVER, open_book, seconds};
use crate::parallel::parallel_in_order;
use crate::print;
use crate::progress::progress;
use analyzer::{AnalysisLimits, analyze};
use output::{Format, Origin};
use summary::Summary;

/// Analyze games: the value of each position and the loss of each move
///
/// Reads games and positions in any format that `convert` reads, also compressed by gzip or Zstandard. With -, each line of standard input is a game or a position,
/// and one line is written for it, in order and at once. The exit status is 0 if every record could be read, else 1, also for a
/// file without records. An invalid command line or an unreadable file gives 2.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    input: GameFiles,
    #[command(flatten)]
    request: Request,
    /// Output: a line of JSON per game, GGF with the values of the moves, a table with a row per move, or text reports. The default
    /// is text on a terminal, else jsonl
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,
    /// Print the sums of all games after them: by player, opening and phase. With --resume, those of all games of OUT
    #[arg(long)]
    summary: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// Append to OUT, skipping records that it already contains
    #[arg(long, value_name = "OUT")]
    resume: Option<PathBuf>,
}

/// The limits of the analysis, and what it contains.
#[derive(Args, Debug)]
pub(crate) struct Request {
    /// Search to D plies, and one more if the leaves would have an odd number of empty squares
    #[arg(long, value_name = "D", default_value = "14", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Prove the scores of positions with N empty squares or fewer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    exact: Option<u32>,
    /// Explain the mistakes: what the lines after them lack that those after the better moves have
    #[arg(long)]
    reasons: bool,
    /// Search each position for at most SECONDS
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Search each position for N nodes, which are counted in steps of up to 8192
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Do not count the first N moves: no player has chosen them. The default is 8 for games that name XOT, else 0
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=60))]
    given: Option<u8>,
    /// Use the values of an opening book for its positions; built-in is the book of the program
    #[arg(long, value_name = "built-in|FILE")]
    book: Option<PathBuf>,
}

impl Request {
    pub(crate) fn limits(&self) -> AnalysisLimits {
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        AnalysisLimits {
            plan: Plan { depth: self.depth, exact: self.exact, reasons: self.reasons },
            time: self.time,
            nodes: self.nodes,
            given: self.given.map(usize::from),
            book: self.book.as_ref().map(name),
        }
    }

    /// Opens the book whose values the analysis uses.
    ///
    /// # Errors
    /// The file and its error.
    pub(crate) fn open_book(&self) -> io::Result<Option<Arc<Book>>> {
        let book = self.book.as_ref().map(|path| open_book(path)).transpose()?;
        Ok(book.map(|open| open.book))
    }
}

struct Item {
    origin: Origin,
    game: Result<Game, String>,
    /// The message about an invalid record. `None` if the line that is written contains it.
    message: Option<String>,
    /// The number of lines in all files before it.
    at: u64,
}

struct Written {
    text: String,
    message: Option<String>,
    failed: bool,
    at: u64,
    /// The line of JSON of a game that the summary contains.
    counted: Option<String>,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let limits = options.request.limits();
    let lines = options.input.files.iter().any(|file| file.as_os_str() == "-");
    let takes_text = !lines && options.resume.is_none() && io::stdout().is_terminal();
    let format = options.format.unwrap_or(if takes_text { Format::Text } else { Format::Jsonl });
    if let Some(message) = conflict(options, lines, format) {
        return Err(io::Error::other(message));
    }
    let mut summary = options.summary.then(Summary::default);
    let resumed =
        options.resume.as_ref().map(|path| resume::open(path, format, &limits, &mut summary)).transpose()?;
    let (mut output, done) = resumed.unzip();
    let mut done = done.unwrap_or_default();
    let inputs = if lines { Vec::new() } else { options.input.open()? };
    // Set if the output contains the error of a record: the exit status is then 1.
    let known_errors = AtomicBool::new(false);
    let items: Box<dyn Iterator<Item = Item> + Send + '_> = if lines {
        let item =
            |(record, game)| Item { origin: Origin { file: None, record }, game, message: None, at: 0 };
        Box::new((1..).zip(files::standard_input()).map(item))
    } else {
        Box::new(of_files(&inputs).filter(|item| {
            let is_done = done.takes(item.origin.record, &item.game, &limits);
            known_errors.fetch_or(is_done && item.game.is_err(), Ordering::Relaxed);
            !is_done
        }))
    };
    let bar = bar_of(lines, &inputs, options);
    let mut success = true;
    // An invalid file of weights is reported before any input is read.
    drop(options.jobs.each.engine.config(options.jobs.each.instructions.kernel)?);
    let book = options.request.open_book()?;
    if format == Format::Csv {
        print::line(output::CSV_HEAD)?;
    }
    parallel_in_order(
        items,
        options.jobs.number as usize,
        || worker(options, format, &limits, book.as_deref()),
        |written: Written| {
            success &= !written.failed;
            if let Some(message) = &written.message {
                bar.suspend(|| print::note(format_args!("{message}")));
            }
            // One write, so that the output has whole lines even if this program is killed.
            let result = match &mut output {
                Some(journal) => journal.append(&written.text),
                None => io::stdout().write_all(written.text.as_bytes()).and_then(|()| io::stdout().flush()),
            };
            bar.set_position(written.at);
            if let (Some(summary), Some(line)) = (&mut summary, &written.counted) {
                summary.add(&serde_json::from_str(line).unwrap_or_default());
            }
            print::exit_if_lost(result, lines)
        },
    )?;
    bar.finish_and_clear();
    if let Some(summary) = summary {
        let is_text = format != Format::Jsonl || io::stdout().is_terminal();
        print::line(if is_text { summary.text() } else { summary.json().to_string() })?;
    }
    Ok(if success && !known_errors.into_inner() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the options that exclude each other.
fn conflict(options: &Options, lines: bool, format: Format) -> Option<&'static str> {
    let is_resumed = options.resume.is_some();
    match (lines, format) {
        (true, _) if options.input.files.len() > 1 => Some("- cannot be combined with other files"),
        (true, _) if is_resumed || options.input.from.is_some() => {
            Some("- cannot be combined with --resume or --from")
        }
        (true, Format::Text | Format::Csv) => {
            Some("- cannot be combined with --format text or csv: use --format jsonl or --format ggf")
        }
        (_, Format::Ggf | Format::Csv) if options.request.reasons => {
            Some("--reasons cannot be combined with --format ggf or csv: use --format jsonl or --format text")
        }
        (false, Format::Text | Format::Csv) if is_resumed => {
            Some("cannot resume a text report or a table: use --format jsonl or --format ggf")
        }
        (_, Format::Csv) if options.summary => {
            Some("--summary cannot be combined with --format csv: use --format jsonl, ggf or text")
        }
        (_, Format::Ggf) if options.summary && is_resumed => {
            Some("--summary cannot be combined with --resume and --format ggf: use --format jsonl")
        }
        _ => None,
    }
}

/// Returns a function that analyzes records with a separate search.
fn worker(
    options: &Options,
    format: Format,
    limits: &AnalysisLimits,
    book: Option<&Book>,
) -> impl FnMut(Item) -> Written {
    let make = || options.jobs.each.search().map_err(|error| error.to_string());
    let mut search = make();
    move |item| {
        let game = match &item.game {
            Ok(game) => game,
            Err(error) => return failed(&item, format, error, item.message.clone()),
        };
        let analysis = match &mut search {
            Ok(search) => {
                panic::catch_unwind(AssertUnwindSafe(|| analyze(search, game, limits, book, &NEVER)))
                    .map_err(|_| "the search failed".to_owned())
            }
            Err(error) => Err(error.clone()),
        };
        let analysis = match analysis {
            Ok(analysis) => analysis,
            Err(error) => {
                // The state of a search after a panic is undefined.
                search = make();
                return failed(&item, format, &error, Some(error.clone()));
            }
        };
        let mut text = match format {
            Format::Jsonl => output::json(&item.origin, game, &analysis, limits),
            Format::Csv => output::csv(&item.origin, game, &analysis),
            Format::Ggf => output::ggf(game, &analysis, limits),
            Format::Text => {
                let Origin { file, record } = &item.origin;
                let title = format!("{}, record {record}", file.as_deref().unwrap_or_default());
                print::printable(output::text(&title, game, &analysis, limits))
            }
        };
        let counted = options.summary.then(|| match format {
            Format::Jsonl => text.clone(),
            _ => output::json(&item.origin, game, &analysis, limits),
        });
        text.push('\n');
        Written { text, message: None, failed: false, at: item.at, counted }
    }
}

fn failed(item: &Item, format: Format, error: &str, message: Option<String>) -> Written {
    let text = match (format, &item.origin.file) {
        (Format::Jsonl, _) => output::json_error(&item.origin, error) + "\n",
        (Format::Csv, _) => output::csv_error(&item.origin, error) + "\n",
        // Each line of standard input gets a line.
        (_, None) => format!("% {error}\n"),
        (_, Some(_)) => String::new(),
    };
    Written { text, message, failed: true, at: item.at, counted: None }
}

fn of_files(inputs: &[Input]) -> impl Iterator<Item = Item> + Send + '_ {
    let mut next = 0;
    inputs.iter().flat_map(move |input| {
        let before = next;
        next += input.len();
        let mut items = input
            .records()
            .map(move |record| Item {
                at: before + record.at(),
                message: record.error(&input.name),
                origin: Origin { file: Some(input.name.clone()), record: record.number },
                game: record.game,
            })
            .peekable();
        let empty = items.peek().is_none().then(|| without_records(&input.name, next));
        items.chain(empty)
    })
}

/// Returns the error of a file that contains nothing to analyze, as record 0.
fn without_records(file: &str, at: u64) -> Item {
    let error = "no games or positions found".to_owned();
    let message = Some(format!("{file}: {error}"));
    Item { origin: Origin { file: Some(file.to_owned()), record: 0 }, game: Err(error), message, at }
}

/// Returns a progress bar, hidden if it would mix with lines of the output.
fn bar_of(lines: bool, inputs: &[Input], options: &Options) -> ProgressBar {
    if lines || (options.resume.is_none() && io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    progress(inputs.iter().map(Input::len).sum(), "lines")
}
