//! Accuracy of the search on positions whose moves have known scores.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use outflank::analysis::{Certainty, LeastSquares, ask};
use outflank::notation::obf::{self, ScoredPosition};
use outflank::score::Confidence;
use outflank::search::{Depth, Goal, Limits, Search};

use crate::engine::EngineOptions;
use crate::json::{self, Json, object, rounded};
use crate::native::read_whole;
use crate::options::Measure;
use crate::print;

/// Default depth in plies.
const DEFAULT_DEPTH: u32 = 10;

/// Compare searches with the known scores of a suite
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Positions with the scores of their moves (OBF), one suite per file
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    engine: EngineOptions,
    /// Search to D plies, 1 to 60, or to each of several depths with commas between them [default: 10, without a limit if
    /// --nodes is given]
    #[arg(long, value_name = "D", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Vec<u32>,
    /// Search N nodes per position
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Confidence of forward pruning in percent, 1 to 100; 100 disables it
    #[arg(long, value_name = "P", default_value = "100",
        value_parser = clap::value_parser!(u8).range(1..=100))]
    selectivity: u8,
    #[command(flatten)]
    measure: Measure,
}

/// Sums over all positions of a suite.
#[derive(Debug, Default)]
struct Sums {
    best_moves: u32,
    /// Discs lost by the chosen moves whose scores are known, and their number.
    loss: f64,
    judged: u32,
    /// The value of each search and the known score, in discs.
    pairs: Vec<(f64, f64)>,
    /// Values whose standard error is at least their distance from the score.
    covered: u32,
    nodes: u64,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let mut suites = Vec::new();
    let mut all_well = true;
    for path in &options.files {
        let text = read_whole(path)?;
        let mut problems = Vec::new();
        for (line, problem) in obf::read(&String::from_utf8_lossy(&text)) {
            match problem {
                Ok(problem) if problem.best().is_some() => problems.push(problem),
                problem => {
                    let reason = problem.map_or_else(|error| error.to_string(), |_| "no scores".to_owned());
                    print::note(format_args!("{}, line {line}: {reason}", path.display()));
                    all_well = false;
                }
            }
        }
        if problems.is_empty() {
            print::note(format_args!("{}: no position with scores found", path.display()));
            return Ok(ExitCode::FAILURE);
        }
        suites.push((path.display().to_string(), problems));
    }
    let mut search = Search::new(options.engine.config(options.measure.instructions.kernel)?);
    let default_depth = if options.nodes.is_some() { Depth::MAX.plies() } else { DEFAULT_DEPTH };
    let depths = if options.depth.is_empty() { &[default_depth][..] } else { &options.depth };
    let (mut residuals, mut figures) = (Vec::new(), Vec::new());
    for (name, problems) in &suites {
        for &depth in depths {
            let start = Instant::now();
            let mut sums = Sums::default();
            let limits =
                Limits::to_depth(depth, Confidence::at_least(options.selectivity)).with_nodes(options.nodes);
            for problem in problems {
                // With an empty table the nodes of a position do not depend on the positions before it.
                search.clear();
                sums.add(&mut search, problem, limits);
            }
            residuals.push(LeastSquares::fit(&sums.pairs).rmse);
            let seconds = start.elapsed().as_secs_f64();
            if options.measure.json {
                figures.push(sums.figures(name, depth, seconds));
            } else {
                sums.print(name, depth, seconds)?;
            }
        }
    }
    let mean = residuals.iter().sum::<f64>() / residuals.len() as f64;
    match &figures[..] {
        [one] => json::print(one)?,
        [_, ..] => json::print(&object! { "searches": figures, "residual": rounded(mean, 3) })?,
        [] if residuals.len() > 1 => print::line(format_args!(
            "mean residual RMSE   {mean:>10.3}  discs, of {} suites and depths",
            residuals.len()
        ))?,
        [] => {}
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Sums {
    fn add(&mut self, search: &mut Search, problem: &ScoredPosition, limits: Limits) {
        let Some(best) = problem.best() else { return };
        let report = ask(search, problem.position, Goal::BestMove, limits);
        self.nodes += report.nodes;
        let Some(line) = report.best() else { return };
        let (value, score) = (line.score.discs(), f64::from(best.get()));
        let error = Certainty::of(line).error(search.network(), problem.position.empties());
        self.covered += u32::from(100.0 * (value - score).abs() <= error);
        self.pairs.push((value, score));
        if let Some((_, score)) = problem.scores.iter().find(|&&(mv, _)| Some(mv) == line.first()) {
            self.judged += 1;
            self.loss += f64::from(best.get() - score.get());
            self.best_moves += u32::from(*score == best);
        }
    }

    /// Returns the mean error of the values, in discs.
    fn mean_error(&self) -> f64 {
        self.pairs.iter().map(|(value, score)| (value - score).abs()).sum::<f64>()
            / self.pairs.len().max(1) as f64
    }

    /// Returns the share of values at most `discs` from the score, in percent.
    fn within(&self, discs: f64) -> f64 {
        let near = self.pairs.iter().filter(|(value, score)| (value - score).abs() <= discs).count();
        100.0 * near as f64 / self.pairs.len().max(1) as f64
    }

    /// Returns the share of values that are within their standard error of the score, in percent.
    fn coverage(&self) -> f64 {
        100.0 * f64::from(self.covered) / self.pairs.len().max(1) as f64
    }

    /// Returns the share of best moves in percent, the mean loss of the judged moves and the nodes per position.
    fn means(&self) -> (f64, f64, u64) {
        let count = self.pairs.len().max(1) as f64;
        let share = 100.0 * f64::from(self.best_moves) / count;
        (share, self.loss / f64::from(self.judged.max(1)), (self.nodes as f64 / count).round() as u64)
    }

    fn figures(&self, suite: &str, depth: u32, seconds: f64) -> Json {
        let (share, loss, nodes_per_position) = self.means();
        let line = LeastSquares::fit(&self.pairs);
        object! {
            "suite": suite,
            "depth": depth,
            "positions": self.pairs.len(),
            "best_moves": self.best_moves,
            "share": rounded(share, 2),
            "loss": rounded(loss, 3),
            "mae": rounded(self.mean_error(), 3),
            "rmse": rounded(line.rmse_of_difference, 3),
            "bias": rounded(-line.mean_difference, 3),
            "residual": rounded(line.rmse, 3),
            "slope": rounded(line.slope, 3),
            "intercept": rounded(line.intercept, 3),
            "within_1": rounded(self.within(1.0), 2),
            "within_3": rounded(self.within(3.0), 2),
            "within_error": rounded(self.coverage(), 2),
            "nodes": self.nodes,
            "nodes_per_position": nodes_per_position,
            "seconds": rounded(seconds, 3),
        }
    }

    fn print(&self, suite: &str, depth: u32, seconds: f64) -> io::Result<()> {
        let Sums { best_moves, judged, nodes, .. } = *self;
        let (share, loss, nodes_per_position) = self.means();
        let LeastSquares { slope, intercept, mean_difference, rmse_of_difference, rmse } =
            LeastSquares::fit(&self.pairs);
        print::line(format_args!(
            "{suite}, {depth} plies\n\
             positions            {:>10}\n\
             best moves           {best_moves:>10}  {share:.1} %\n\
             mean loss            {loss:>10.2}  discs, of {judged} moves with known scores\n\
             root error           {:>10.2}  discs (MAE); RMSE {rmse_of_difference:.2}, bias {:+.2}\n\
             residual RMSE        {rmse:>10.2}  discs, from score = {slope:.3} value {intercept:+.2}\n\
             within 1, 3 discs    {:>10.1}  {:.1} % of values, within their standard error {:.1} %\n\
             nodes per position   {nodes_per_position:>10}  {nodes} in total\n\
             time                 {seconds:>10.2}  s",
            self.pairs.len(),
            self.mean_error(),
            -mean_difference,
            self.within(1.0),
            self.within(3.0),
            self.coverage(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of errors belongs to the shipped network. A share of 311 has a standard error of 2.6 %.
    #[test]
    fn standard_errors_hold_two_thirds_of_scores() {
        let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/native/data/suites/hard-25.obf");
        let text = std::fs::read_to_string(suite).unwrap();
        let problems: Vec<_> = obf::read(&text).map(|(_, problem)| problem.unwrap()).collect();
        let mut search = Search::new(outflank::search::SearchConfig::default());
        for depth in [3, 6, 9] {
            let mut sums = Sums::default();
            for problem in &problems {
                sums.add(&mut search, problem, Limits::to_depth(depth, Confidence::LOWEST));
            }
            let share = sums.coverage();
            assert!((61.0..75.0).contains(&share), "{depth} plies: {share}");
        }
    }

    #[test]
    fn the_line_is_least_squares() {
        // Half a disc above or below 2 · value + 3.
        let pairs = vec![(0.0, 3.5), (0.0, 2.5), (-4.0, -4.5), (-4.0, -5.5)];
        let LeastSquares { slope, intercept, rmse, .. } = LeastSquares::fit(&pairs);
        assert_eq!((slope, intercept, rmse), (2.0, 3.0, 0.5));
        let sums = Sums { pairs, ..Sums::default() };
        assert_eq!([0.4, 1.0, 3.0].map(|discs| sums.within(discs)), [0.0, 25.0, 75.0]);
    }
}
