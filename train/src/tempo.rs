//! Measures and corrects the advantage of the side that moves last in a search.
//!
//! The side that chooses the last move of a search chooses among noisy static values and finds the one that is too high. So
//! values of searches of odd and even depths are about two discs apart, and best play is better for the mover than the mean of
//! games shows. Half of the distance, added to the static value, brings both together. Deep searches can have another distance
//! than shallow ones.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Parser;
use outflank::eval::network::HEADS;
use outflank::score::Confidence;

use crate::label::Searcher;
use crate::model::Model;
use crate::record::{self, Record};

/// Bring the values of odd and even depths together
#[derive(Parser)]
pub(crate) struct Options {
    /// Files and folders of records
    words: Vec<String>,
    /// Model of `fit`, or weights file
    #[arg(long)]
    model: PathBuf,
    /// Model to write; by default the distances are only printed
    #[arg(long)]
    out: Option<PathBuf>,
    /// Use only every N-th position
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Depth in plies, odd: compared with one ply less and one more
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(3..=49))]
    plies: u32,
    /// The step of `pack`
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    step: u8,
}

/// Plies between the end of the deepest search and the end of the game.
const MIN_EMPTIES: u32 = 6;

pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(options.plies % 2 == 1, "--plies: {} is even", options.plies);
    let mut model = Model::read(&options.model)?;
    let records = record::read_all(&options.words)?.into_iter().step_by(options.every as usize);
    let deepest = options.plies + 1;
    let fits = |record: &Record| record.board.empties() >= deepest + MIN_EMPTIES;
    let records: Vec<Record> = records.filter(fits).collect();
    let before = distances(&model, options, &records)?;
    print("before", &before);
    let Some(out) = &options.out else { return Ok(()) };
    model.add(before.iter().map(|discs| discs / 2.0));
    print("after", &distances(&model, options, &records)?);
    model.write(out)
}

fn print(title: &str, distances: &[f32]) {
    let all: Vec<String> = distances.iter().map(|discs| format!("{discs:+.2}")).collect();
    println!("{title}, discs between odd and even plies at 0-1, 2-3 … empty squares: {}", all.join(" "));
}

/// By head: the value of a search of an odd number of plies less the mean of searches of one ply less and one more.
fn distances(model: &Model, options: &Options, records: &[Record]) -> Result<Vec<f32>> {
    let evaluator = model.evaluator(options.step)?;
    let mut searcher = Searcher::new(&evaluator, 16);
    let mut sums = vec![(0.0_f32, 0_u32); HEADS];
    for record in records {
        let [less, odd, more] = [-1, 0, 1].map(|by| {
            let plies = options.plies.saturating_add_signed(by);
            f32::from(searcher.iteration(record.board, plies, Confidence::LOWEST)) / 100.0
        });
        let distance = odd - (less + more) / 2.0;
        // The head of the leaves of the odd number of plies.
        let head = (record.board.empties() - options.plies) as usize / 2;
        // Four heads on both sides count as well, with falling weights, for a smooth curve.
        for (near, sum) in sums.iter_mut().enumerate().take(head + 5).skip(head.saturating_sub(4)) {
            let weight = 5 - near.abs_diff(head) as u32;
            sum.0 += weight as f32 * distance;
            sum.1 += weight;
        }
    }
    let mut last = 0.0;
    let known = |&(sum, weight): &(f32, u32)| {
        // The opening gets the distance of the last head with enough positions.
        if weight >= 500 {
            last = sum / weight as f32;
        }
        last
    };
    Ok(sums.iter().map(known).collect())
}
