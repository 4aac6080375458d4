//! What is in a weights file or a model, and how far it is from labelled positions.

use std::path::Path;

use outflank::board::{Bitboard, Board};
use outflank::eval::large::{LargeNetwork, ROWS};
use outflank::eval::{Evaluator, Network};
use outflank::kernel::{Kernel, KernelTask, Kernels};

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::model::Model;
use crate::record;
use crate::trial::{LargeModel, Saved};

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("weights", "", "weights file; the engine's own without it"),
    Opt("model", "", "model that `pack` takes, quantised as it does, instead of a weights file"),
    Opt("step", "2", "the step of `pack`, for a model"),
    Opt("held-out", "no", "yes: of the records named only those held out"),
];

/// Errors by number of empty squares.
pub(crate) struct Errors {
    /// Count, sum, sum of sizes, sum of squares; sum of squared labels; count and sum of squares of the
    /// positions that are close.
    sums: Vec<[f64; 7]>,
}

/// Discs to which a position is close.
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

    /// Of all positions.
    pub(crate) fn rmse(&self) -> f64 {
        let total = |n: usize| self.sums.iter().map(|sums| sums[n]).sum::<f64>();
        (total(3) / total(0).max(1.0)).sqrt()
    }

    pub(crate) fn print(&self, title: &str) {
        println!(
            "{title}: empties, positions, bias, MAE, RMSE, RMSE of predicting zero; positions and RMSE within \
             {CLOSE} discs"
        );
        let line = |name: String, sums: [f64; 7]| {
            let [count, error, size, square, zero, close, close_square] = sums;
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
        };
        let total = |range: std::ops::Range<usize>| {
            let mut total = [0.0; 7];
            for sums in &self.sums[range] {
                total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
            }
            total
        };
        for empties in 0..64 {
            line(empties.to_string(), total(empties..empties + 1));
        }
        line("all".to_owned(), total(0..65));
    }
}

/// The best straight line from values to exact scores, in discs.
pub(crate) struct Line {
    pub(crate) slope: f64,
    intercept: f64,
    /// Root mean square of score less value.
    pub(crate) rmse_of_difference: f64,
    /// Mean of score less value.
    pub(crate) mean_difference: f64,
    /// Root mean square of score less the line.
    pub(crate) rmse: f64,
}

impl Line {
    /// Fits pairs of a value and its exact score by least squares.
    pub(crate) fn fit(pairs: &[(f64, f64)]) -> Line {
        let mean =
            |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / pairs.len().max(1) as f64;
        let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
        let slope = mean(&|p| (p.0 - mx) * (p.1 - my)) / mean(&|p| (p.0 - mx).powi(2)).max(1e-9);
        let intercept = my - slope * mx;
        Line {
            slope,
            intercept,
            rmse_of_difference: mean(&|p| (p.1 - p.0).powi(2)).sqrt(),
            mean_difference: my - mx,
            rmse: mean(&|p| (p.1 - intercept - slope * p.0).powi(2)).sqrt(),
        }
    }

    /// Returns the score that the line gives for a value.
    pub(crate) fn at(&self, value: f64) -> f64 {
        self.intercept + self.slope * value
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let evaluator = match (args.text("model"), args.text("weights")) {
        ("", "") => Evaluator::default(),
        ("", path) => {
            let path = Path::new(path);
            let bytes = std::fs::read(path).map_err(|error| Error::at(path, error))?;
            println!("{}: {} bytes", path.display(), bytes.len());
            match (Network::from_bytes(&bytes), LargeNetwork::from_bytes(&bytes)) {
                (_, Ok(network)) => large(network),
                (read, _) => small(read.map_err(|error| Error::at(path, error))?),
            }
        }
        (path, _) => {
            let (path, step) = (Path::new(path), args.get("step")?);
            if Saved::is(path)? {
                large(LargeModel::read(path)?.quantised(step))
            } else {
                small(Model::read(path)?.quantised(step))
            }
        }
    };
    let (suites, records): (Vec<String>, Vec<String>) =
        args.words.iter().cloned().partition(|word| word.ends_with(".obf"));
    if !records.is_empty() {
        let mut errors = Errors::new();
        for file in record::files(&records)? {
            let mut found = record::read(&file)?;
            if args.text("held-out") == "yes" {
                found.retain(record::Record::held_out);
            }
            let boards: Vec<Board> = found.iter().map(|record| record.board).collect();
            let values = Kernel::best().dispatch(Values { evaluator: &evaluator, boards: &boards });
            for (record, value) in found.iter().zip(values) {
                errors.add(record.board.empties(), value as f32 / 100.0, record.target(0.0));
            }
        }
        errors.print(&records.join(" "));
    }
    for suite in &suites {
        static_fit(Path::new(suite), |boards| {
            let values = Kernel::best().dispatch(Values { evaluator: &evaluator, boards });
            values.into_iter().map(|value| value as f32 / 100.0).collect()
        })?;
    }
    Ok(())
}

/// Prints how full the table is.
fn large(network: LargeNetwork) -> Evaluator {
    let rows = || (0..ROWS).map(|index| network.rows.get(index));
    let learnt = rows().filter(|row| row.iter().any(|&n| n != 0)).count();
    let full = rows().flatten().filter(|n| n.unsigned_abs() == 127).count();
    println!("large network: {learnt} rows learnt, {full} numbers at the limit");
    Evaluator::from_large(network)
}

/// Prints the stages and how full their tables are.
fn small(network: Network) -> Evaluator {
    for (number, stage) in network.stages.iter().enumerate() {
        let of_stage: Vec<usize> =
            (0..61).filter(|&empties| usize::from(network.stage_of[empties]) == number).collect();
        let learnt = stage.embeddings.iter().filter(|embedding| embedding.0.iter().any(|&n| n != 0)).count();
        let full = stage
            .embeddings
            .iter()
            .flat_map(|embedding| embedding.0)
            .filter(|n| n.unsigned_abs() == 127)
            .count();
        println!(
            "stage {number}: {} to {} empty squares, {learnt} embeddings learnt, {full} numbers at the limit",
            of_stage.first().copied().unwrap_or(0),
            of_stage.last().copied().unwrap_or(0),
        );
    }
    Evaluator::from_network(network)
}

struct Values<'a> {
    evaluator: &'a Evaluator,
    boards: &'a [Board],
}

impl KernelTask for Values<'_> {
    type Output = Vec<i32>;

    fn run<K: Kernels>(self) -> Vec<i32> {
        let value = |&board: &Board| {
            K::run(|| self.evaluator.value::<K>(&self.evaluator.features(board), board, board.moves()))
        };
        self.boards.iter().map(value).collect()
    }
}

/// The static value after every move of a suite's positions against its exact score: the error before and
/// after the best straight line, and how often the best static value is a best move.
pub(crate) fn static_fit(path: &Path, mut values_of: impl FnMut(&[Board]) -> Vec<f32>) -> Result<(), Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::at(path, error))?;
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    let (mut positions, mut best_moves) = (0, 0);
    for (number, line) in text.lines().enumerate() {
        let line = line.split('%').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = || Error::at(path, format!("line {} is not a position with scores", number + 1));
        let (board, scores) = obf(line).ok_or_else(wrong)?;
        let mut boards = Vec::new();
        let mut exact = Vec::new();
        for (square, score) in scores {
            let flips = board.flips(square);
            if flips.is_empty() || board.empty() & Bitboard::of(square) == Bitboard::EMPTY {
                return Err(wrong());
            }
            boards.push(board.after_move(square, flips));
            exact.push(score);
        }
        let values = values_of(&boards);
        let found: Vec<(f64, f64)> =
            values.iter().zip(&exact).map(|(&value, &score)| (-f64::from(value), score)).collect();
        let best = found.iter().map(|pair| pair.1).fold(f64::MIN, f64::max);
        if let Some(choice) = found.iter().max_by(|a, b| a.0.total_cmp(&b.0)) {
            positions += 1;
            best_moves += u32::from(choice.1 == best);
        }
        pairs.extend(found);
    }
    let line = Line::fit(&pairs);
    let mae = |value: &dyn Fn(f64) -> f64| {
        pairs.iter().map(|pair| (value(pair.0) - pair.1).abs()).sum::<f64>() / pairs.len() as f64
    };
    println!(
        "{}: {positions} positions, {} moves; MAE {:.2} RMSE {:.2}; fit slope {:.2} MAE {:.2} RMSE {:.2}; best move {:.1} %",
        path.display(),
        pairs.len(),
        mae(&|value| value),
        line.rmse_of_difference,
        line.slope,
        mae(&|value| line.at(value)),
        line.rmse,
        100.0 * f64::from(best_moves) / f64::from(positions.max(1))
    );
    Ok(())
}

/// A line of OBF with scores: 64 squares, the side to move, `square:score;` pairs. A score of more than 64
/// discs (Edax writes −127 where there is none) is no pair.
fn obf(line: &str) -> Option<(Board, Vec<(outflank::board::Square, f64)>)> {
    let mut parts = line.split(';');
    let mut words = parts.next()?.split_whitespace();
    let (squares, side) = (words.next()?, words.next()?);
    let set = |disc: u8| {
        let bits = squares.bytes().enumerate().filter(|&(_, byte)| byte == disc);
        Bitboard(bits.fold(0, |set, (n, _)| set | 1_u64.wrapping_shl(n as u32)))
    };
    let black = Board { player: set(b'X'), opponent: set(b'O') };
    let board = if side == "X" { black } else { black.after_pass() };
    let mut scores = Vec::new();
    for part in parts {
        let Some((square, score)) = part.trim().split_once(':') else { continue };
        let Ok(score) = score.trim().trim_start_matches('+').parse::<f64>() else { continue };
        if let (Ok(square), true) = (square.trim().parse(), score.abs() <= 64.0) {
            scores.push((square, score));
        }
    }
    (squares.len() == 64).then_some((board, scores))
}
