//! Solves a suite of endgame positions.

pub(crate) mod output;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use outflank::analysis::ask_while;
use outflank::board::{Bitboard, Position};
use outflank::game::Game;
use outflank::score::Discs;
use outflank::search::{BENCH_SIGNATURE, Goal, HashSize, Limits, Report, Search};

use super::doctor;
use crate::engine::Eval;
use crate::files::{self, Input};
use crate::journal::Journal;
use crate::json::object;
use crate::options::{Jobs, NEVER};
use crate::parallel::parallel_in_order;
use crate::print;
use output::Output;

/// Interval between two updates of the progress line.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// Solve the positions of a suite and check its scores
///
/// Reads any format that `convert` reads. Of a game, the last position is solved. With -, each line of standard input is a
/// position, and each gets one line of output, in order and at once. The exit status is 0 if every position was solved and
/// agrees with the score in the file. It is 1 if not, and for a file without positions. It is 2 for an invalid command line
/// or a file that cannot be read.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Positions, or games whose last positions are solved; - for the lines of standard input
    file: PathBuf,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    request: Request,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
    /// Write the machine, the settings and each position to FILE, a new or empty file, one JSON value per line
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// The result to prove.
#[derive(Args, Debug)]
pub(crate) struct Request {
    /// Prove only the winner, which is much faster
    #[arg(long)]
    wld: bool,
}

/// The line or record of the file, from 1, and its solution, or the reason why the position was not searched.
pub(crate) type Entry = (usize, Result<Solution, String>);

pub(crate) struct Solution {
    empties: u32,
    goal: Goal,
    /// For the side to move. With [`Goal::Outcome`] only the sign is proven.
    score: Discs,
    /// The score in the file.
    expected: Option<Discs>,
    agrees: bool,
    nodes: u64,
    time: Duration,
    /// The principal variation.
    line: Vec<String>,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let lines = options.file.as_os_str() == "-";
    let input = if lines { None } else { Some(Input::open(&options.file, None)?) };
    // The search of the first job is made here, so that errors of its options are reported.
    let search = options.jobs.each.search()?;
    let mut report = match &options.report {
        Some(path) => Some(report_with_head(path, options, search.hash_size())?),
        None => None,
    };
    let first = Mutex::new(Some(search));
    let mut output = Output::new(options.json, lines)?;
    let mut all_well = true;
    let mut any = lines;
    let records: Box<dyn Iterator<Item = (usize, Result<Game, String>)> + Send> = match &input {
        Some(input) => {
            Box::new(input.records().map(|record| (record.line.unwrap_or(record.number), record.game)))
        }
        None => Box::new((1..).zip(files::standard_input())),
    };
    let worker = || {
        let first = first.lock().ok().and_then(|mut first| first.take());
        let mut search =
            first.map_or_else(|| options.jobs.each.search(), Ok).map_err(|error| error.to_string());
        move |(line, game): (usize, Result<Game, String>)| {
            let search = search.as_mut().map_err(|error| error.clone());
            (
                line,
                game.and_then(|game| {
                    options.request.solve_last(search?, &game, options.jobs.number == 1, &NEVER)
                }),
            )
        }
    };
    parallel_in_order(records, options.jobs.number as usize, worker, |entry: Entry| {
        any = true;
        all_well &= entry.1.as_ref().is_ok_and(|solution| solution.agrees);
        let row = format!("{}\n", output::entry_row(&entry).get());
        let written = report.as_mut().map_or(Ok(()), |report| report.append(&row));
        print::exit_if_lost(written.and_then(|()| output.add(entry)), lines)
    })?;
    output.finish()?;
    if !any {
        print::note(format_args!("{}: no positions found", options.file.display()));
    }
    Ok(if all_well && any { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Creates a report, whose first line describes the measurement.
///
/// # Errors
/// The file cannot be written, or it has contents: they stay.
fn report_with_head(path: &Path, options: &Options, hash: HashSize) -> io::Result<Journal> {
    let is_empty = |lines: &str, torn: &[u8]| match lines.len() + torn.len() {
        0 => Ok(()),
        _ => Err("is not empty".to_owned()),
    };
    let (mut report, ()) = Journal::open(path, is_empty)?;
    let eval = match options.jobs.each.engine.weights.eval {
        None | Some(Eval::Small) => "small",
        Some(Eval::Large) => "large",
        Some(Eval::File(_)) => "file",
    };
    let head = object! {
        "suite": options.file.file_name().unwrap_or_default().to_string_lossy(),
        "version": env!("CARGO_PKG_VERSION"),
        // With the small network, searches of equal signature visit the same nodes.
        "signature": BENCH_SIGNATURE,
        "eval": eval,
        "goal": if options.request.wld { "outcome" } else { "score" },
        "system": doctor::system(),
        "processor": doctor::processor(),
        "kernel": options.jobs.each.instructions.kernel.name(),
        "threads": options.jobs.each.threads.number,
        "hash_mib": hash.0,
    };
    report.append(&format!("{}\n", head.get()))?;
    Ok(report)
}

/// Rejects some positions that no game reaches: discs cover the middle from the start, and each new disc is placed next to
/// another one.
fn check_reachable(position: &Position) -> Result<(), String> {
    const MIDDLE: Bitboard = Bitboard(0x0000_0018_1800_0000);
    let discs = !position.board().empty();
    if discs.is_empty() {
        return Err("position: the board is empty".to_owned());
    }
    if discs & MIDDLE != MIDDLE {
        return Err("position: no game leaves a square in the middle empty".to_owned());
    }
    let joined = (0..64).fold(MIDDLE, |joined, _| joined.dilated() & discs);
    if joined != discs {
        return Err("position: no game leaves discs apart from the others".to_owned());
    }
    Ok(())
}

impl Request {
    /// Solves the last position of a game, or ends without a proof if `stop` is set. `shows` allows a progress line.
    ///
    /// # Errors
    /// If no game reaches the position.
    pub(crate) fn solve_last(
        &self,
        search: &mut Search,
        game: &Game,
        shows: bool,
        stop: &AtomicBool,
    ) -> Result<Solution, String> {
        let position = game.position();
        check_reachable(&position)?;
        // A score in a record belongs to its first position.
        let scores = game.tags.scores.iter().map(|&(_, score)| score);
        let expected = scores.max().filter(|_| game.plies() == 0);
        let goal = if self.wld { Goal::Outcome } else { Goal::BestMove };
        // With an empty table the nodes of a position do not depend on the positions before it.
        search.clear();
        Ok(solve(search, position, expected, goal, shows, stop))
    }
}

fn solve(
    search: &mut Search,
    root: Position,
    expected: Option<Discs>,
    goal: Goal,
    shows: bool,
    stop: &AtomicBool,
) -> Solution {
    let start = Instant::now();
    let mut progress = (shows && io::stderr().is_terminal()).then_some(start);
    let report = ask_while(search, root, goal, Limits::NONE, |nodes, last| {
        if let (Some(shown), Some(last)) = (&mut progress, last)
            && shown.elapsed() >= PROGRESS_INTERVAL
        {
            *shown = Instant::now();
            show_progress(last, nodes, start.elapsed());
        }
        !stop.load(Ordering::Relaxed)
    });
    let time = start.elapsed();
    if progress.is_some() {
        eprint!("\r\x1b[K");
    }
    let best = report.best();
    // Without a line the game is over.
    let centidiscs = best.map_or(100 * root.board().final_score(), |best| best.score.centidiscs());
    let score = Discs::new(centidiscs / 100);
    let agrees = expected.is_none_or(|expected| match goal {
        Goal::Outcome => expected.get().signum() == centidiscs.signum(),
        _ => expected == score,
    });
    Solution {
        empties: root.empties(),
        goal,
        score,
        expected,
        agrees,
        nodes: report.nodes,
        time,
        line: best.map(|best| best.moves.iter().map(ToString::to_string).collect()).unwrap_or_default(),
    }
}

/// Replaces the progress line on the terminal.
fn show_progress(report: &Report, nodes: u64, elapsed: Duration) {
    let Some(best) = report.best() else { return };
    let first = best.first().map(|mv| mv.to_string()).unwrap_or_default();
    eprint!(
        "\r\x1b[K  {}@{} {first} {}  {:.1} s  {:.0} M nodes",
        report.depth.plies(),
        report.confidence,
        best.score,
        elapsed.as_secs_f64(),
        nodes as f64 / 1e6,
    );
}
