//! Solving a suite of endgame positions.

mod problem;
mod solution;
mod table;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::board::Position;
use outflank::game::Game;
use outflank::score::{Confidence, Discs};
use outflank::search::{
    Decision, Goal, Limits, Monitor, NextIteration, Progress, Report, Search, SearchId, SearchRequest,
};

use crate::engine::EngineOptions;
use crate::files::{self, Input};
use crate::options::{Measure, Threads, told_of_hash};
use crate::print;
use problem::Impossible;
use solution::{Entry, Solution, Wanted};
use table::Table;

/// How often the progress is shown.
const BETWEEN_GLANCES: Duration = Duration::from_millis(200);

/// Solve the positions of a suite and check its scores
///
/// Any format that `convert` reads; of a game its last position is solved. With - the lines of standard input are
/// positions, and a line goes out for each that comes in, in order and at once. The exit status is 0 if every position was
/// solved and no score in the file disagrees, else 1, as for a file without positions; a faulty command line or an
/// unreadable file is 2.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Positions, or games whose last position is meant; - for the lines of standard input
    file: PathBuf,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    engine: EngineOptions,
    /// Find out only who wins, which is much faster
    #[arg(long)]
    wld: bool,
    #[command(flatten)]
    measure: Measure,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let lines = options.file.as_os_str() == "-";
    let input = if lines { None } else { Some(Input::open(&options.file, None)?) };
    let mut search = Search::new(options.engine.config(options.measure.kernel())?);
    options.threads.lend_to(&search);
    told_of_hash(&search, &options.engine);

    let mut table = Table::new(options.measure.json, lines)?;
    let wanted = if options.wld { Wanted::Outcome } else { Wanted::Score };
    let mut all_well = true;
    let mut any = lines;
    let records: Box<dyn Iterator<Item = (usize, Result<Game, String>)>> = match &input {
        Some(input) => {
            Box::new(input.records().map(|record| (record.line.unwrap_or(record.number), record.game)))
        }
        None => Box::new((1..).zip(files::standard_input())),
    };
    for (line, game) in records {
        let problem = game.and_then(|game| {
            let (position, best) = problem_of(&game);
            problem::check(&position).map_err(|reason: Impossible| reason.to_string())?;
            Ok((position, best))
        });
        let outcome = problem.map(|(position, best)| {
            // Each position is solved on its own, so that its nodes do not depend on those before.
            search.clear();
            solve(&mut search, SearchId(line as u64), position, best, wanted)
        });
        let entry = Entry { line, outcome };
        any = true;
        all_well &= entry.outcome.as_ref().is_ok_and(|solution| solution.agrees);
        table.add(entry)?;
    }
    table.finish()?;
    if !any {
        print::note(format_args!("{}: there is no position in it", options.file.display()));
    }
    Ok(if all_well && any { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The position of a record, and its score where the record gives one.
fn problem_of(game: &Game) -> (Position, Option<Discs>) {
    let given = game.tags.scores.iter().map(|&(_, score)| score).max();
    (game.position(), given.filter(|_| game.plies() == 0))
}

fn solve(
    search: &mut Search,
    id: SearchId,
    root: Position,
    expected: Option<Discs>,
    wanted: Wanted,
) -> Solution {
    let goal = match wanted {
        Wanted::Score => Goal::BestMove,
        Wanted::Outcome => Goal::Outcome,
    };
    let limits = Limits { exact_from: 64, confidence: Confidence::EXACT, ..Limits::NONE };
    let start = Instant::now();
    let mut watch = Watch { start, last: start, shown: io::stderr().is_terminal(), report: None, nodes: 0 };
    search.start(SearchRequest { id, root, goal, limits });
    while search.run(&mut watch) == Progress::Suspended {}
    let time = start.elapsed();
    watch.wipe();
    let best = watch.report.as_ref().and_then(Report::best);
    // Without a line the game is over.
    let centidiscs = best.map_or(100 * root.board().final_score(), |best| best.score.centidiscs());
    let score = Discs::new(centidiscs / 100);
    let agrees = expected.is_none_or(|expected| match wanted {
        Wanted::Score => expected == score,
        Wanted::Outcome => expected.get().signum() == centidiscs.signum(),
    });
    Solution {
        empties: root.empties(),
        wanted,
        score,
        expected,
        agrees,
        nodes: watch.nodes,
        time,
        line: best.map(|best| best.moves.iter().map(ToString::to_string).collect()).unwrap_or_default(),
    }
}

/// Never stops a search, and shows on a terminal how far it is.
struct Watch {
    start: Instant,
    last: Instant,
    shown: bool,
    report: Option<Report>,
    nodes: u64,
}

impl Watch {
    fn show(&mut self) {
        let now = Instant::now();
        if self.shown && now - self.last >= BETWEEN_GLANCES {
            self.last = now;
            if let Some((report, best)) =
                self.report.as_ref().and_then(|report| Some((report, report.best()?)))
            {
                let seconds = (now - self.start).as_secs_f64();
                let first = best.first().map(|mv| mv.to_string()).unwrap_or_default();
                eprint!(
                    "\r\x1b[K  {}@{} {first} {}  {seconds:.1} s  {:.0} M nodes",
                    report.depth.plies(),
                    report.confidence,
                    best.score,
                    self.nodes as f64 / 1e6,
                );
            }
        }
    }

    fn wipe(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

impl Monitor for Watch {
    fn poll(&mut self, nodes: u64) -> Decision {
        self.nodes = nodes;
        self.show();
        Decision::Continue
    }

    fn may_start_iteration(&mut self, _next: &NextIteration) -> bool {
        true
    }

    fn report(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        self.report = Some(report);
    }
}
