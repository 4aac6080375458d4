//! Describes weights and models, and measures them on labeled positions and suites.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::builder::BoolishValueParser;
use clap::{ArgAction, Parser};
use outflank::analysis::LeastSquares;
use outflank::board::{Board, Move};
use outflank::eval::Evaluator;
use outflank::kernel::{Kernel, KernelTask, Kernels};
use outflank::notation::obf;

use crate::at;
use crate::model::Model;
use crate::record;

/// Describe weights and measure them on record files and suites (OBF)
#[derive(Parser)]
pub(crate) struct Options {
    /// Files and folders of records, and suites
    words: Vec<String>,
    /// Weights file; the engine's small one by default
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Model, rounded as by `pack`, instead of a weights file
    #[arg(long)]
    model: Option<PathBuf>,
    /// The step of `pack` for a model
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    step: u8,
    /// yes: use only held-out records
    #[arg(long, default_value = "no", action = ArgAction::Set, value_parser = BoolishValueParser::new())]
    held_out: bool,
}

/// Errors by number of empty squares.
pub(crate) struct Errors {
    /// Count, sum, sum of sizes, sum of squares; sum of squared labels; count and sum of squares of positions close to a
    /// draw.
    sums: Vec<[f64; 7]>,
}

/// Discs from a draw up to which a position is close.
const CLOSE: f64 = 16.0;

impl Errors {
    pub(crate) fn new() -> Errors {
        Errors { sums: vec![[0.0; 7]; 65] }
    }

    /// Adds a position with its value and its label, in discs.
    pub(crate) fn add(&mut self, empties: u32, value: f32, label: f32) {
        let (error, label) = (f64::from(value - label), f64::from(label));
        let sums = &mut self.sums[empties.min(64) as usize];
        let close = if label.abs() <= CLOSE { 1.0 } else { 0.0 };
        let terms = [1.0, error, error.abs(), error * error, label * label, close, close * error * error];
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum += term;
        }
    }

    /// The root mean square error of all positions.
    pub(crate) fn rmse(&self) -> f64 {
        let total = |n: usize| self.sums.iter().map(|sums| sums[n]).sum::<f64>();
        (total(3) / total(0).max(1.0)).sqrt()
    }

    pub(crate) fn print(&self, title: &str) {
        println!(
            "{title}: empties, positions, bias, MAE, RMSE, RMSE of predicting zero; positions and RMSE within \
             {CLOSE} discs"
        );
        let mut total = [0.0; 7];
        for (empties, sums) in self.sums.iter().enumerate() {
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
            print_errors(&empties.to_string(), sums);
        }
        print_errors("all", &total);
    }
}

fn print_errors(name: &str, &[count, error, size, square, zero, close, close_square]: &[f64; 7]) {
    if count > 0.0 {
        println!(
            "{name:>7} {count:9.0} {:+7.2} {:6.2} {:6.2} {:6.2} {close:9.0} {:6.2}",
            error / count,
            size / count,
            (square / count).sqrt(),
            (zero / count).sqrt(),
            (close_square / close.max(1.0)).sqrt()
        );
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let evaluator = match (&options.model, &options.weights) {
        (Some(path), _) => {
            let model = Model::read(path)?;
            println!("{}", model.learned());
            model.evaluator(options.step).with_context(at(path))?
        }
        (None, None) => Evaluator::default(),
        (None, Some(path)) => {
            let bytes = std::fs::read(path).with_context(at(path))?;
            let evaluator = Evaluator::from_bytes(&bytes).with_context(at(path))?;
            println!("{}: {} bytes, {}", path.display(), bytes.len(), Model::read(path)?.learned());
            evaluator
        }
    };
    let values = |boards: &[Board]| Kernel::best().dispatch(Values { evaluator: &evaluator, boards });
    let (suites, records): (Vec<String>, Vec<String>) =
        options.words.iter().cloned().partition(|word| word.ends_with(".obf"));
    if !records.is_empty() {
        let mut errors = Errors::new();
        let mut found = record::read_all(&records)?;
        found.retain(|record| record.held_out() || !options.held_out);
        let boards: Vec<Board> = found.iter().map(|record| record.board).collect();
        for (record, value) in found.iter().zip(values(&boards)) {
            errors.add(record.board.empties(), value, record.target(0.0));
        }
        errors.print(&records.join(" "));
    }
    suites.iter().try_for_each(|suite| static_fit(Path::new(suite), values))
}

struct Values<'a> {
    evaluator: &'a Evaluator,
    boards: &'a [Board],
}

impl KernelTask for Values<'_> {
    type Output = Vec<f32>;

    fn run<K: Kernels>(self) -> Vec<f32> {
        let value = |&board: &Board| K::run(|| self.evaluator.value_of::<K>(board));
        self.boards.iter().map(|board| value(board) as f32 / 100.0).collect()
    }
}

/// Compares the static value after every move of a suite's positions with its exact score. Prints the error before and after
/// the least-squares line, and how often the best static value is a best move.
pub(crate) fn static_fit(path: &Path, mut values_of: impl FnMut(&[Board]) -> Vec<f32>) -> Result<()> {
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    let (mut positions, mut best_moves) = (0, 0);
    let text = std::fs::read_to_string(path).with_context(at(path))?;
    for (number, problem) in obf::read(&text) {
        let problem = problem.with_context(|| format!("{}: line {number}", path.display()))?;
        let board = problem.position.board();
        let scored = problem.scores.iter().filter_map(|&(mv, score)| match mv {
            Move::Place(square) => {
                Some((board.after_move(square, board.flips(square)), f64::from(score.get())))
            }
            Move::Pass => None,
        });
        let (boards, scores): (Vec<Board>, Vec<f64>) = scored.unzip();
        let values = values_of(&boards);
        let found: Vec<(f64, f64)> =
            values.iter().zip(&scores).map(|(&value, &score)| (-f64::from(value), score)).collect();
        let best = scores.iter().copied().fold(f64::MIN, f64::max);
        if let Some(choice) = found.iter().max_by(|a, b| a.0.total_cmp(&b.0)) {
            positions += 1;
            best_moves += u32::from(choice.1 == best);
        }
        pairs.extend(found);
    }
    let line = LeastSquares::fit(&pairs);
    let mae = |slope: f64, intercept: f64| {
        let error = |(value, score): &(f64, f64)| (intercept + slope * value - score).abs();
        pairs.iter().map(error).sum::<f64>() / pairs.len() as f64
    };
    println!(
        "{}: {positions} positions, {} moves; MAE {:.2} RMSE {:.2}; fit slope {:.2} MAE {:.2} RMSE {:.2}; best move {:.1} %",
        path.display(),
        pairs.len(),
        mae(1.0, 0.0),
        line.rmse_of_difference,
        line.slope,
        mae(line.slope, line.intercept),
        line.rmse,
        100.0 * f64::from(best_moves) / f64::from(positions.max(1))
    );
    Ok(())
}
