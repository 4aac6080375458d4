//! Reasons of mistakes: how many are found, and how many a deeper search with the other network confirms.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::analysis::{Known, ask};
use outflank::board::{Position, Square};
use outflank::search::Search;
use outflank::study::{Explanation, Inquiry, Plan, ReasonKind, Study, TaskId};

use crate::engine::{EngineOptions, Eval, Weights};
use crate::files::GameFiles;
use crate::json::{self, object, rounded};
use crate::options::{Measure, discs};
use crate::print;

/// Explain the mistakes of games, and confirm the reasons by deeper searches with another network
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    input: GameFiles,
    #[command(flatten)]
    engine: EngineOptions,
    /// Depth of the analysis in plies
    #[arg(long, value_name = "D", default_value = "14", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Plies that the searches that confirm are deeper
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(0..=48))]
    deeper: u32,
    /// Smallest loss of a mistake in discs
    #[arg(long, value_name = "DISCS", default_value = "3", value_parser = discs)]
    loss: f64,
    /// Number of mistakes
    #[arg(long, value_name = "N", default_value = "500")]
    mistakes: usize,
    #[command(flatten)]
    measure: Measure,
}

/// Sums over all mistakes.
#[derive(Debug, Default)]
struct Sums {
    mistakes: usize,
    explained: usize,
    /// Reasons that a deeper search confirmed, and all reasons, by kind.
    kinds: BTreeMap<ReasonKind, (usize, usize)>,
    /// Moves with a reason that lose nothing by proven scores.
    contradicted: usize,
    /// The time of each explanation.
    times: Vec<Duration>,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let kernel = options.measure.instructions.kernel;
    let other = if let Some(Eval::Large) = options.engine.weights.eval { Eval::Small } else { Eval::Large };
    let other = EngineOptions { weights: Weights { eval: Some(other) }, hash: options.engine.hash };
    let [mut search, mut deeper] =
        [Search::new(options.engine.config(kernel)?), Search::new(other.config(kernel)?)];
    let inputs = options.input.open()?;
    let plan = Plan { depth: options.depth, ..Plan::default() };
    let (mut sums, mut seen) = (Sums::default(), HashSet::new());
    let records = inputs.iter().flat_map(|input| input.records().map(move |record| (input, record)));
    for (input, record) in records {
        if sums.mistakes == options.mistakes {
            break;
        }
        if let Some(error) = record.error(&input.name) {
            print::note(error);
        }
        let Ok(game) = record.game else { continue };
        let mut study = Study::from(&game);
        study.set_network(search.network());
        search.clear();
        while let Some(task) = study.next_task(&plan) {
            let report = ask(&mut search, task.position, task.goal(), task.limits());
            study.take(task.id, &report);
        }
        for pair in study.report().positions.windows(2) {
            let position = pair[0].position;
            let Some((played, loss)) = pair[1].played.zip(pair[1].loss) else { continue };
            let Some(better) = loss.best.filter(|&best| best != played && loss.mistake) else { continue };
            let is_counted = loss.loss >= 100.0 * options.loss && sums.mistakes < options.mistakes;
            if is_counted && seen.insert((position, played)) {
                sums.add(options, (&mut search, &mut deeper), position, [played, better]);
            }
        }
    }
    if sums.mistakes == 0 {
        print::note(format_args!("no mistake found"));
        return Ok(ExitCode::FAILURE);
    }
    sums.print(options.measure.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Asks for the lines of two moves. Returns the inquiry with its result.
fn explained(search: &mut Search, mut inquiry: Inquiry) -> (Inquiry, Option<Explanation>) {
    search.clear();
    while let Some(task) = inquiry.next(TaskId(0)) {
        let report = ask(search, task.position, task.goal(), task.limits());
        inquiry.take(task.id, &report.lines.iter().filter_map(Known::of).collect::<Vec<_>>());
    }
    let result = inquiry.result();
    (inquiry, result)
}

impl Sums {
    fn add(
        &mut self,
        options: &Options,
        (search, deeper): (&mut Search, &mut Search),
        position: Position,
        squares: [Square; 2],
    ) {
        let start = Instant::now();
        let (_, explanation) = explained(search, Inquiry::new(position, squares, 0));
        self.times.push(start.elapsed());
        self.mistakes += 1;
        let Some(explanation) = explanation.filter(|explanation| !explanation.reasons.is_empty()) else {
            return;
        };
        self.explained += 1;
        let (judge, _) = explained(deeper, Inquiry::new(position, squares, options.deeper));
        self.contradicted += usize::from(judge.loss().is_some_and(|(loss, proven)| proven && loss <= 0));
        for reason in &explanation.reasons {
            let (confirmed, all) = self.kinds.entry(reason.kind).or_default();
            *confirmed += usize::from(judge.confirms(reason));
            *all += 1;
        }
    }

    fn print(mut self, as_json: bool) -> io::Result<()> {
        self.times.sort();
        let percentile = |share: usize| {
            self.times
                .get((self.times.len() * share / 100).min(self.times.len() - 1))
                .map_or(0.0, Duration::as_secs_f64)
        };
        let (mut confirmed, mut reasons) = (0, 0);
        for &(some, all) in self.kinds.values() {
            (confirmed, reasons) = (confirmed + some, reasons + all);
        }
        let percent = |part: usize, whole: usize| rounded(100.0 * part as f64 / whole.max(1) as f64, 1);
        if as_json {
            return json::print(&object! {
                "mistakes": self.mistakes,
                "explained": percent(self.explained, self.mistakes),
                "reasons": reasons,
                "confirmed": percent(confirmed, reasons),
                "contradicted": self.contradicted,
                "seconds": percentile(50),
                "seconds_95": percentile(95),
            });
        }
        for (kind, &(confirmed, all)) in &self.kinds {
            print::line(format_args!(
                "{:<12}{all:>5} reasons, {} % confirmed",
                kind.name(),
                percent(confirmed, all)
            ))?;
        }
        print::line(format_args!(
            "{} mistakes, {} % with a reason; {reasons} reasons, {} % confirmed; {} contradicted; {:.3} s, 95 of 100 at most {:.3} s",
            self.mistakes,
            percent(self.explained, self.mistakes),
            percent(confirmed, reasons),
            self.contradicted,
            percentile(50),
            percentile(95),
        ))
    }
}
