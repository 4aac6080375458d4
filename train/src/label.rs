//! Labels positions by the engine's search: exactly at few empty squares, to a depth elsewhere.

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::builder::BoolishValueParser;
use clap::{ArgAction, Parser};
use outflank::analysis::ask;
use outflank::board::{Board, Color, Move, Position};
use outflank::eval::Evaluator;
use outflank::score::{Confidence, Window};
use outflank::search::{Goal, HashSize, Limits, Line, Search, SearchConfig};

use crate::record::{self, Proof};
use crate::{at, on_threads, range};

/// Label positions by the engine's search
#[derive(Parser)]
pub(crate) struct Options {
    /// Files and folders of records
    words: Vec<String>,
    /// Folder for the labeled files, which keep their names; existing files are kept
    #[arg(long)]
    out: PathBuf,
    /// Plies searched
    #[arg(long, default_value_t = 6)]
    depth: u32,
    /// Confidence of forward pruning in percent, 1 to 100, for positions that are not solved; 100 disables it
    #[arg(long, value_name = "P", default_value_t = 100, value_parser = clap::value_parser!(u8).range(1..=100))]
    selectivity: u8,
    /// Most empty squares at which a position is solved
    #[arg(long, default_value_t = 16)]
    solve: u32,
    /// Only positions with these numbers of empty squares
    #[arg(long, default_value = "0-60", value_parser = range)]
    empties: (u32, u32),
    /// Only one position of N, chosen by a hash of its discs
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// yes: only held-out positions
    #[arg(long, default_value = "no", action = ArgAction::Set, value_parser = BoolishValueParser::new())]
    held_out: bool,
    /// MiB of the transposition table
    #[arg(long, default_value_t = 32)]
    hash: u32,
    /// Files labeled in parallel
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
    /// Weights file; the engine's small weights by default
    #[arg(long, default_value = "", hide_default_value = true)]
    weights: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let evaluator = evaluator(&options.weights)?;
    std::fs::create_dir_all(&options.out).with_context(at(&options.out))?;
    let files = record::files(&options.words)?.into_iter();
    on_threads(options.threads, files, |file| label(options, &evaluator, &file))
}

fn label(options: &Options, evaluator: &Evaluator, file: &Path) -> Result<()> {
    let name = file.file_name().with_context(|| format!("{}: has no name", file.display()))?;
    let path = options.out.join(name);
    if path.exists() {
        return Ok(());
    }
    let started = Instant::now();
    let mut records = record::read(file)?;
    records.retain(|record| {
        let empties = record.board.empties();
        record.is_sampled(options.every)
            && (options.empties.0..=options.empties.1).contains(&empties)
            && (record.held_out() || !options.held_out)
    });
    let mut searcher = Searcher::new(evaluator, options.hash);
    for record in &mut records {
        let empties = record.board.empties();
        let exact = empties <= options.solve;
        let (depth, confidence) = if exact {
            (empties, Confidence::EXACT)
        } else {
            (options.depth, Confidence::at_least(options.selectivity))
        };
        record.value = searcher.value(record.board, depth, confidence);
        record.proof = if exact { Proof::Exact } else { Proof::Search(depth as u8) };
    }
    record::write(&path, &records)?;
    let seconds = started.elapsed().as_secs_f64();
    eprintln!(
        "{}: {} positions, {seconds:.0} s, {:.0} a second",
        path.display(),
        records.len(),
        records.len() as f64 / seconds
    );
    Ok(())
}

/// Reads a weights file. An empty name stands for the engine's small weights.
pub(crate) fn evaluator(path: &str) -> Result<Evaluator> {
    if path.is_empty() {
        return Ok(Evaluator::default());
    }
    let path = Path::new(path);
    let bytes = std::fs::read(path).with_context(at(path))?;
    Evaluator::from_bytes(&bytes).with_context(at(path))
}

/// The engine's search.
pub(crate) struct Searcher(Search);

impl Searcher {
    pub(crate) fn new(evaluator: &Evaluator, hash: u32) -> Searcher {
        Searcher(Search::new(SearchConfig::with(evaluator.clone()).with_hash(HashSize(hash))))
    }

    /// Empties the transposition table.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The value for the mover in centidiscs: exact, or the mean of the last two iterations.
    pub(crate) fn value(&mut self, board: Board, depth: u32, confidence: Confidence) -> i16 {
        let line = self.line(Position::new(board, Color::Black), Limits::to_depth(depth, confidence));
        line.map_or(0, |line| line.score.centidiscs() as i16)
    }

    /// The value of one iteration for the mover in centidiscs.
    pub(crate) fn iteration(&mut self, board: Board, depth: u32, confidence: Confidence) -> i16 {
        let (root, goal) = (Position::new(board, Color::Black), Goal::Value(Window::FULL));
        let report = ask(&mut self.0, root, goal, Limits::to_depth(depth, confidence));
        report.best().map_or(0, |line| line.score.centidiscs() as i16)
    }

    /// The exact value for the mover in centidiscs and best play from here, at least one move unless the game is over.
    pub(crate) fn solve(&mut self, board: Board) -> (i32, VecDeque<Move>) {
        let line = self.line(Position::new(board, Color::Black), Limits::NONE);
        line.map_or((100 * board.final_score(), VecDeque::new()), |line| {
            (line.score.centidiscs(), line.moves.into())
        })
    }

    /// The best line. `None` if the game is over.
    pub(crate) fn line(&mut self, root: Position, limits: Limits) -> Option<Line> {
        ask(&mut self.0, root, Goal::BestMove, limits).best().cloned()
    }
}

#[cfg(test)]
mod tests {
    use outflank::random::Random;

    use super::*;
    use crate::selfplay::random_board;

    #[test]
    fn a_value_is_the_mean_of_two_iterations() {
        let evaluator = Evaluator::default();
        let mut random = Random::new(7);
        let mut different = 0;
        for plies in (4..36).step_by(2) {
            let board = random_board(&mut random, plies);
            if board.moves().is_empty() {
                continue;
            }
            let new = || Searcher::new(&evaluator, 1);
            let [less, full] =
                [3, 4].map(|depth| i32::from(new().iteration(board, depth, Confidence::EXACT)));
            let value = i32::from(new().value(board, 4, Confidence::EXACT));
            assert!(
                (2 * value - less - full).abs() <= 1,
                "{board:?}: {value} instead of the mean of {less} and {full}"
            );
            different += i32::from(less != full);
        }
        assert!(different > 0);
    }
}
