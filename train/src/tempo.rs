//! Measures and corrects the advantage of the side that moves last in a search.
//!
//! The side that chooses the last move of a search chooses among noisy static values and finds the one that is too high. So
//! values of searches of odd and even depths are about two discs apart, and best play is better for the mover than the mean of
//! games shows. Half of the distance, added to the static value, brings both together.

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use outflank::eval::Evaluator;
use outflank::eval::network::HEADS;
use outflank::kernel::{Kernel, KernelTask, Kernels};

use crate::lookahead::StaticEval;
use crate::model::Model;
use crate::record::{self, Proof, Record};

/// Bring the values of odd and even depths together
#[derive(Parser)]
pub(crate) struct Options {
    /// Files and folders of records
    words: Vec<String>,
    /// Model of `fit` that has the form of one of the engine's networks
    #[arg(long)]
    model: PathBuf,
    /// Model to write; by default the distances are only printed
    #[arg(long)]
    out: Option<PathBuf>,
    /// Use only every N-th position
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// The step of `pack`
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    step: u8,
}

/// Fewest empty squares of a position that is searched. No search reaches the end of the game.
const MIN_EMPTIES: u32 = 10;

pub(crate) fn run(options: &Options) -> Result<()> {
    let mut model = Model::read(&options.model)?;
    let records = record::read_all(&options.words)?.into_iter().step_by(options.every as usize);
    let fits = |record: &Record| record.board.empties() >= MIN_EMPTIES && record.proof != Proof::Outcome;
    let records: Vec<Record> = records.filter(fits).collect();
    let before = distances(&model, options.step, &records)?;
    print("before", &before);
    let Some(out) = &options.out else { return Ok(()) };
    model.add(before.iter().map(|discs| discs / 2.0));
    print("after", &distances(&model, options.step, &records)?);
    model.write(out)
}

fn print(title: &str, distances: &[f32]) {
    let all: Vec<String> = distances.iter().map(|discs| format!("{discs:+.2}")).collect();
    println!("{title}, discs between odd and even plies at 0-1, 2-3 … empty squares: {}", all.join(" "));
}

/// By head: the value of a search of three plies less the mean of searches of two and four plies.
fn distances(model: &Model, step: u8, records: &[Record]) -> Result<Vec<f32>> {
    let evaluator = model.quantized(step)?.into_evaluator();
    let found = Kernel::best().dispatch(Searching { evaluator, records });
    let mut sums = vec![(0.0_f32, 0_u32); HEADS];
    for (record, distance) in records.iter().zip(found) {
        // The head of the leaves of three plies.
        let head = (record.board.empties() as usize - 3) / 2;
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

struct Searching<'a> {
    evaluator: Evaluator,
    records: &'a [Record],
}

impl KernelTask for Searching<'_> {
    type Output = Vec<f32>;

    fn run<K: Kernels>(self) -> Vec<f32> {
        let search = StaticEval::Learned(self.evaluator);
        let distance = |record: &Record| {
            let value = |plies| search.best::<K>(record.board, plies).0 as f32 / 100.0;
            value(3) - (value(2) + value(4)) / 2.0
        };
        self.records.iter().map(distance).collect()
    }
}
