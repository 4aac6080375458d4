//! How well the evaluation and the search judge positions whose moves have known scores.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use outflank::board::{Board, Move};
use outflank::eval::Evaluator;
use outflank::kernel::{KernelTask, Kernels};
use outflank::notation::obf::{self, ScoredPosition};
use outflank::search::{
    Decision, Goal, Limits, Monitor, NextIteration, Progress, Report, Search, SearchId, SearchRequest,
};
use outflank_cli::native::read_whole;

use serde::Serialize;

use crate::engine::{EngineOptions, of_file};
use crate::json;
use crate::options::{Measure, SearchLimits};
use crate::print;

/// Compare evaluation and search with the scores of a suite
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Positions with the scores of their moves (OBF)
    file: PathBuf,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    limits: SearchLimits,
    /// No search: the evaluation after each move
    #[arg(id = "static", long, conflicts_with_all = ["depth", "nodes", "selectivity"])]
    static_eval: bool,
    #[command(flatten)]
    measure: Measure,
}

/// Errors of estimated scores, in discs: estimate minus truth.
#[derive(Debug, Default)]
struct Errors {
    count: f64,
    sum: f64,
    absolute: f64,
    squared: f64,
}

/// What the searches found.
#[derive(Debug, Default)]
struct Searched {
    positions: u32,
    best: u32,
    /// Discs lost by the moves chosen, where the file knows them.
    loss: f64,
    judged: u32,
    root: Errors,
    nodes: u64,
}

/// What the static evaluation says of the position after each move.
#[derive(Debug, Default)]
struct Static {
    positions: u32,
    best: u32,
    /// Estimate and truth of each move, in discs for its player.
    pairs: Vec<(f64, f64)>,
}

/// What is printed of [`Searched`] as JSON.
#[derive(Serialize)]
struct SearchedFigures {
    positions: u32,
    best_moves: u32,
    share: f64,
    loss: f64,
    mae: f64,
    rmse: f64,
    bias: f64,
    nodes: u64,
    nodes_per_position: u64,
    seconds: f64,
}

/// What is printed of [`Static`] as JSON.
#[derive(Serialize)]
struct StaticFigures {
    positions: u32,
    moves: usize,
    best_moves: u32,
    share: f64,
    mae: f64,
    rmse: f64,
    bias: f64,
    slope: f64,
    fit_mae: f64,
    fit_rmse: f64,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let path = &options.file;
    let text = read_whole(path).map_err(|error| of_file(path, &error))?;
    let text = String::from_utf8_lossy(&text);
    let mut problems = Vec::new();
    let mut all_well = true;
    for (line, problem) in obf::read(&text) {
        match problem {
            Ok(problem) if problem.best().is_some() => problems.push(problem),
            Ok(_) => {
                all_well = false;
                print::note(format_args!("line {line}: no scores"));
            }
            Err(error) => {
                all_well = false;
                print::note(format_args!("line {line}: {error}"));
            }
        }
    }
    if problems.is_empty() {
        print::note(format_args!("{}: there is no position with scores in it", path.display()));
        return Ok(ExitCode::FAILURE);
    }
    let kernel = options.measure.kernel();
    let config = options.engine.config(kernel)?;
    let evaluator = config.evaluator.clone();
    let start = Instant::now();
    if options.static_eval {
        let task = StaticTask { problems: &problems, evaluator: &evaluator };
        kernel.dispatch(task).print(options.measure.json)?;
    } else {
        let mut search = Search::new(config);
        let mut searched = Searched::default();
        for (n, problem) in problems.iter().enumerate() {
            // Each position on its own: its nodes do not depend on those before.
            search.clear();
            searched.add(&mut search, SearchId(n as u64), problem, options.limits.limits());
        }
        searched.print(options.measure.json, start.elapsed().as_secs_f64())?;
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Searched {
    fn add(&mut self, search: &mut Search, id: SearchId, problem: &ScoredPosition, limits: Limits) {
        let Some(best) = problem.best() else { return };
        search.start(SearchRequest { id, root: problem.position, goal: Goal::BestMove, limits });
        let mut last = Last::default();
        while search.run(&mut last) == Progress::Suspended {}
        let Some(report) = last.0 else { return };
        self.nodes += report.nodes;
        let Some(line) = report.best() else { return };
        self.positions += 1;
        self.root.add(line.score.discs() - f64::from(best.get()));
        let chosen = problem.scores.iter().find(|&&(mv, _)| Some(mv) == line.first());
        if let Some((_, score)) = chosen {
            self.judged += 1;
            self.loss += f64::from(best.get() - score.get());
            self.best += u32::from(*score == best);
        }
    }

    fn print(&self, json: bool, seconds: f64) -> io::Result<()> {
        let positions = f64::from(self.positions.max(1));
        let share = 100.0 * f64::from(self.best) / positions;
        let loss = self.loss / f64::from(self.judged.max(1));
        let nodes = self.nodes as f64 / positions;
        let (mae, rmse, bias) = self.root.summary();
        if json {
            json::print(&SearchedFigures {
                positions: self.positions,
                best_moves: self.best,
                share: json::rounded(share, 2),
                loss: json::rounded(loss, 3),
                mae: json::rounded(mae, 3),
                rmse: json::rounded(rmse, 3),
                bias: json::rounded(bias, 3),
                nodes: self.nodes,
                nodes_per_position: nodes.round() as u64,
                seconds: json::rounded(seconds, 3),
            })?;
        } else {
            print::line(format_args!("positions            {:>10}", self.positions))?;
            print::line(format_args!("best moves           {:>10}  {share:.1} %", self.best))?;
            print::line(format_args!(
                "mean loss            {loss:>10.2}  discs, over {} moves the file knows",
                self.judged
            ))?;
            print::line(format_args!(
                "root error           {mae:>10.2}  discs (MAE); RMSE {rmse:.2}, bias {bias:+.2}"
            ))?;
            print::line(format_args!("nodes a position     {nodes:>10.0}  {} in all", self.nodes))?;
            print::line(format_args!("time                 {seconds:>10.2}  s"))?;
        }
        Ok(())
    }
}

struct StaticTask<'a> {
    problems: &'a [ScoredPosition],
    evaluator: &'a Evaluator,
}

impl KernelTask for StaticTask<'_> {
    type Output = Static;

    fn run<K: Kernels>(self) -> Static {
        let mut result = Static::default();
        for problem in self.problems {
            let Some(best) = problem.best() else { continue };
            let board = problem.position.board();
            let mut highest: Option<(f64, bool)> = None;
            for &(mv, score) in &problem.scores {
                let Move::Place(square) = mv else { continue };
                let child = board.after_move(square, board.flips(square));
                let estimate = estimate::<K>(self.evaluator, child);
                result.pairs.push((estimate, f64::from(score.get())));
                if highest.is_none_or(|(value, _)| estimate > value) {
                    highest = Some((estimate, score == best));
                }
            }
            if let Some((_, right)) = highest {
                result.positions += 1;
                result.best += u32::from(right);
            }
        }
        result
    }
}

/// The static value of the position after a move, in discs for who made it.
fn estimate<K: Kernels>(evaluator: &Evaluator, child: Board) -> f64 {
    if child.is_over() {
        return -f64::from(child.final_score());
    }
    // A side that cannot move passes: the value is the other's.
    let value = |board: Board| {
        f64::from(evaluator.value::<K>(&evaluator.features(board), board, board.moves())) / 100.0
    };
    if child.moves().is_empty() { value(child.after_pass()) } else { -value(child) }
}

impl Static {
    fn print(&self, json: bool) -> io::Result<()> {
        let mut errors = Errors::default();
        for (estimate, truth) in &self.pairs {
            errors.add(estimate - truth);
        }
        // Errors left by the best straight line from the estimates to the scores.
        let (slope, offset) = line(&self.pairs);
        let mut fitted = Errors::default();
        for (estimate, truth) in &self.pairs {
            fitted.add(slope * estimate + offset - truth);
        }
        let share = 100.0 * f64::from(self.best) / f64::from(self.positions.max(1));
        let (mae, rmse, bias) = errors.summary();
        let (fit_mae, fit_rmse, _) = fitted.summary();
        if json {
            json::print(&StaticFigures {
                positions: self.positions,
                moves: self.pairs.len(),
                best_moves: self.best,
                share: json::rounded(share, 2),
                mae: json::rounded(mae, 3),
                rmse: json::rounded(rmse, 3),
                bias: json::rounded(bias, 3),
                slope: json::rounded(slope, 4),
                fit_mae: json::rounded(fit_mae, 3),
                fit_rmse: json::rounded(fit_rmse, 3),
            })?;
        } else {
            print::line(format_args!(
                "positions            {:>10}  {} moves",
                self.positions,
                self.pairs.len()
            ))?;
            print::line(format_args!("best moves           {:>10}  {share:.1} %", self.best))?;
            print::line(format_args!(
                "static error         {mae:>10.2}  discs (MAE); RMSE {rmse:.2}, bias {bias:+.2}"
            ))?;
            print::line(format_args!(
                "after the best line  {fit_mae:>10.2}  discs (MAE); RMSE {fit_rmse:.2}, slope {slope:.3}"
            ))?;
        }
        Ok(())
    }
}

impl Errors {
    fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.sum += error;
        self.absolute += error.abs();
        self.squared += error * error;
    }

    /// Mean absolute error, root of the mean square, bias.
    fn summary(&self) -> (f64, f64, f64) {
        let count = self.count.max(1.0);
        (self.absolute / count, (self.squared / count).sqrt(), self.sum / count)
    }
}

/// Slope and offset of the least-squares line from the first to the second of each pair.
fn line(pairs: &[(f64, f64)]) -> (f64, f64) {
    let count = (pairs.len() as f64).max(1.0);
    let mean_x = pairs.iter().map(|pair| pair.0).sum::<f64>() / count;
    let mean_y = pairs.iter().map(|pair| pair.1).sum::<f64>() / count;
    let covariance: f64 = pairs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = pairs.iter().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum();
    let slope = if variance > 0.0 { covariance / variance } else { 0.0 };
    (slope, mean_y - slope * mean_x)
}

/// Keeps the last report.
#[derive(Default)]
struct Last(Option<Report>);

impl Monitor for Last {
    fn poll(&mut self, _nodes: u64) -> Decision {
        Decision::Continue
    }

    fn may_start_iteration(&mut self, _next: &NextIteration) -> bool {
        true
    }

    fn report(&mut self, report: Report) {
        self.0 = Some(report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_points_on_a_line() {
        let (slope, offset) = line(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]);
        assert!((slope - 2.0).abs() < 1e-12 && (offset - 1.0).abs() < 1e-12);
        assert_eq!(line(&[]), (0.0, 0.0));
        assert_eq!(line(&[(1.0, 4.0)]), (0.0, 4.0));
    }

    #[test]
    fn errors_are_summed_up() {
        let mut errors = Errors::default();
        errors.add(3.0);
        errors.add(-1.0);
        let (mae, rmse, bias) = errors.summary();
        assert_eq!((mae, bias), (2.0, 1.0));
        assert!((rmse - 5.0_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_known_position_searched_to_the_end_has_no_error() {
        let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;";
        let (_, problem) = obf::read(text).next().unwrap();
        let mut search = Search::new(outflank::search::SearchConfig::default());
        let mut searched = Searched::default();
        searched.add(&mut search, SearchId(1), &problem.unwrap(), Limits::NONE);
        assert_eq!((searched.best, searched.loss, searched.root.absolute), (1, 0.0, 0.0));
    }
}
