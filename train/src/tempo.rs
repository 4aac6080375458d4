//! What it is worth to be the one who moves.
//!
//! A static value that is right in the mean is wrong by its noise as soon as it is searched: the side that chose
//! last chose among noisy values and found the one that flatters it. So searches of an odd and an even number
//! of plies lie some two discs apart, and best play is better for the mover than the mean of games shows. Half
//! of that distance, added to the static value, brings them together.

use std::path::Path;

use outflank::eval::Evaluator;
use outflank::eval::network::HEADS;
use outflank::kernel::{Kernel, KernelTask, Kernels};

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::lookahead::{Lookahead, StaticEval};
use crate::model::Model;
use crate::record::{self, Proof, Record};
use crate::trial::{LargeModel, Saved};

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("model", "", "model of `fit`, or one of `trial` that has the form of the large network"),
    Opt("out", "", "model to write; without it the distances are only printed"),
    Opt("every", "100", "only one position in so many"),
    Opt("step", "2", "the step of `pack`"),
];

/// Fewest empty squares of a position that is searched: none of its searches reaches the end.
const FEWEST: u32 = 10;

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let path = Path::new(args.text("model"));
    let mut model = if Saved::is(path)? {
        Either::Large(LargeModel::read(path)?)
    } else {
        Either::Small(Model::read(path)?)
    };
    let every: usize = args.get("every")?;
    let mut records = Vec::new();
    for file in record::files(&args.words)? {
        records.extend(record::read(&file)?.into_iter().step_by(every));
    }
    records.retain(|record| record.board.empties() >= FEWEST && record.proof != Proof::Outcome);
    let step = args.get("step")?;
    let distances = distances(&model, step, &records);
    print("before", &distances);
    if args.text("out").is_empty() {
        return Ok(());
    }
    model.add(&distances);
    print("after", &self::distances(&model, step, &records));
    model.write(Path::new(args.text("out")))
}

/// A model of either network.
enum Either {
    Small(Model),
    Large(LargeModel),
}

impl Either {
    fn evaluator(&self, step: u8) -> Evaluator {
        match self {
            Either::Small(model) => Evaluator::from_network(model.quantised(step)),
            Either::Large(model) => Evaluator::from_large(model.quantised(step)),
        }
    }

    /// Adds half of the distances to the values.
    fn add(&mut self, distances: &[f32]) {
        let halves = distances.iter().map(|discs| discs / 2.0);
        match self {
            Either::Small(model) => {
                for stage in &mut model.stages {
                    for (head, discs) in stage.heads.iter_mut().zip(halves.clone()) {
                        head.output_bias += discs;
                    }
                }
            }
            Either::Large(model) => model.add(halves),
        }
    }

    fn write(&mut self, path: &Path) -> Result<(), Error> {
        match self {
            Either::Small(model) => model.write(path),
            Either::Large(model) => model.write(path),
        }
    }
}

fn print(title: &str, distances: &[f32]) {
    let all: Vec<String> = distances.iter().map(|discs| format!("{discs:+.2}")).collect();
    println!("{title}, discs between odd and even plies at 0-1, 2-3 … empty squares: {}", all.join(" "));
}

/// By head: how much more a search of three plies finds than the mean of those of two and four.
fn distances(model: &Either, step: u8, records: &[Record]) -> Vec<f32> {
    let found = Kernel::best().dispatch(Searching { evaluator: model.evaluator(step), records });
    let mut sums = vec![(0.0_f32, 0_u32); HEADS];
    for (record, distance) in records.iter().zip(found) {
        // Where the leaves of the three plies are.
        let head = (record.board.empties() as usize - 3) / 2;
        // A smooth curve: four heads on both sides count, too, the less the farther.
        for (near, sum) in sums.iter_mut().enumerate().take(head + 5).skip(head.saturating_sub(4)) {
            let weight = 5 - near.abs_diff(head) as u32;
            sum.0 += weight as f32 * distance;
            sum.1 += weight;
        }
    }
    let mut last = 0.0;
    let known = |&(sum, weight): &(f32, u32)| {
        // The opening is as what comes after it.
        if weight >= 500 {
            last = sum / weight as f32;
        }
        last
    };
    sums.iter().map(known).collect()
}

struct Searching<'a> {
    evaluator: Evaluator,
    records: &'a [Record],
}

impl KernelTask for Searching<'_> {
    type Output = Vec<f32>;

    fn run<K: Kernels>(self) -> Vec<f32> {
        let mut search = Lookahead::new(StaticEval::Learnt(self.evaluator));
        let distance = |record: &Record| {
            let mut value = |plies| search.best::<K>(record.board, plies).0 as f32 / 100.0;
            value(3) - (value(2) + value(4)) / 2.0
        };
        self.records.iter().map(distance).collect()
    }
}
