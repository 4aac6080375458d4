//! Labels positions by their exact scores, and the engine's search for all tools.

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use outflank::analysis::ask;
use outflank::board::{Board, Color, Move, Position};
use outflank::eval::Evaluator;
use outflank::score::{Confidence, Window};
use outflank::search::{Goal, HashSize, Limits, Search, SearchConfig};

use crate::record::{self, Proof};
use crate::{at, on_threads, range};

/// Label positions by their exact scores
#[derive(Parser)]
pub(crate) struct Options {
    /// Files and folders of records
    words: Vec<String>,
    /// Folder for the labeled files, which keep their names; existing files are kept
    #[arg(long)]
    out: PathBuf,
    /// Only positions with these numbers of empty squares
    #[arg(long, default_value = "0-16", value_parser = range)]
    empties: (u32, u32),
    /// Only one position of N, chosen by a hash of its discs
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
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
    let (fewest, most) = options.empties;
    records.retain(|record| {
        record.is_sampled(options.every) && (fewest..=most).contains(&record.board.empties())
    });
    let mut searcher = Searcher::new(evaluator, options.hash);
    for record in &mut records {
        record.value = searcher.solve(record.board).0 as i16;
        record.proof = Proof::Exact;
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

    /// The value of one iteration for the mover in centidiscs.
    pub(crate) fn iteration(&mut self, board: Board, depth: u32, confidence: Confidence) -> i16 {
        let (root, goal) = (Position::new(board, Color::Black), Goal::Value(Window::FULL));
        let report = ask(&mut self.0, root, goal, Limits::to_depth(depth, confidence));
        report.best().map_or(0, |line| line.score.centidiscs() as i16)
    }

    /// The exact value for the mover in centidiscs and best play from here, at least one move unless the game is over.
    pub(crate) fn solve(&mut self, board: Board) -> (i32, VecDeque<Move>) {
        let report = ask(&mut self.0, Position::new(board, Color::Black), Goal::BestMove, Limits::NONE);
        report.best().map_or((100 * board.final_score(), VecDeque::new()), |line| {
            (line.score.centidiscs(), line.moves.clone().into())
        })
    }
}
