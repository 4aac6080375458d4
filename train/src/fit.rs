//! Fitting the model to labelled positions.
//!
//! The stages share nothing, so each is learnt by itself, several at the same time.

use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use outflank::eval::indices::weight_indices;
use outflank::eval::network::{HEADS, HIDDEN, WIDTH};
use outflank::kernel::{Kernel, KernelTask, Kernels};
use outflank::random::Random;

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::labels;
use crate::learner::{Config, Learner};
use crate::model::{Model, Sample, StageModel, Vector, weight_count};
use crate::record::Record;

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("out", "", "model to write"),
    Opt("from", "", "model to start from; from nothing without it"),
    Opt(
        "stages",
        "",
        "fewest empty squares of each stage, descending, even numbers; those of the model to start from, or 44,30,18,0",
    ),
    Opt("passes", "2", "passes over the positions"),
    Opt("rate", "0.02", "learning rate of the embeddings"),
    Opt("head-rate", "0.005", "learning rate of the heads"),
    Opt("linear", "no", "yes: only the direct part, no hidden layer"),
    Opt("outcomes", "0", "weight of the outcome of the game beside the value searched, 0 to 1"),
    Opt(
        "calibrate",
        "yes",
        "yes: shift searched values at each number of empty squares to the mean outcome; no; or a file or folder of exact \
         scores of some positions (`label --solve`), to whose mean labels are shifted",
    ),
    Opt("lambda", "0", "share of what comes later in the game in the label of a position, 0 to 1"),
    Opt(
        "cut",
        "600",
        "centidiscs from which a change of the value is a blunder, behind which nothing counts",
    ),
    Opt("close", "0", "discs at which a position counts half, more the closer it is; 0: all count the same"),
    Opt(
        "prior",
        "1",
        "squared gradients each number begins with: the larger, the more careful the first steps",
    ),
    Opt("empties", "0-60", "learn only from positions with so many empty squares"),
    Opt("every", "1", "use every n-th position only"),
    Opt("seed", "1", "seed of the order of the positions"),
    Opt("threads", "1", "stages learnt at the same time"),
];

/// Embeddings used fewer times stay as they are: zero, where the model starts from nothing.
pub(crate) const FEWEST: u32 = 3;
/// The share of the rates that is left at the end; they fall in a straight line.
pub(crate) const FLOOR: f32 = 0.02;
/// Positions from which a number of empty squares counts as learnt.
const ENOUGH: u32 = 300;

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let config = Config {
        passes: args.get("passes")?,
        rate: args.get("rate")?,
        head_rate: args.get("head-rate")?,
        linear: args.text("linear") == "yes",
        seed: args.get("seed")?,
        outcomes: args.get("outcomes")?,
        close: args.get("close")?,
        prior: args.get("prior")?,
    };
    let (fewest, most) = args.range("empties")?;
    let every: usize = args.get("every")?;
    let mut model = match (args.text("from"), args.text("stages")) {
        ("", "") => fresh(&ranges("44,30,18,0")?, &config),
        ("", stages) => fresh(&ranges(stages)?, &config),
        (path, "") => Model::read(Path::new(path))?,
        (path, stages) => Model::read(Path::new(path))?.split(&ranges(stages)?),
    };
    let mut train: Vec<Vec<Record>> = model.stages.iter().map(|_| Vec::new()).collect();
    let mut test = train.clone();
    for word in &args.words {
        for (n, record) in labels::read(word, args)?.into_iter().enumerate() {
            let empties = record.board.empties();
            if !(fewest..=most).contains(&empties) {
                continue;
            }
            let stage = model.stage_of(empties);
            if record.held_out() {
                test[stage].push(record);
            } else if n % every == 0 {
                train[stage].push(record);
            }
        }
    }
    let count: usize = train.iter().map(Vec::len).sum();
    eprintln!("{count} positions to learn from, {} held out", test.iter().map(Vec::len).sum::<usize>());
    let threads: NonZero<usize> = args.get("threads")?;
    let work = model.stages.iter_mut().zip(train.iter_mut().zip(&test));
    let queue = Mutex::new(work);
    std::thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| {
                loop {
                    let Some((stage, (train, test))) = queue.lock().ok().and_then(|mut queue| queue.next())
                    else {
                        return;
                    };
                    Kernel::best().dispatch(Learning { config: &config, stage, train, test });
                }
            });
        }
    });
    model.write(Path::new(args.text("out")))?;
    let mut errors = crate::inspect::Errors::new();
    for (stage, test) in model.stages.iter().zip(&test) {
        let weight_indices = weight_indices();
        for record in test {
            let sample = Sample::of::<outflank::kernel::Portable>(record.board, &weight_indices);
            errors.add(record.board.empties(), stage.value(&sample), record.target(0.0));
        }
    }
    errors.print("held out");
    Ok(())
}

/// Fewest and most empty squares of each stage.
pub(crate) fn ranges(stages: &str) -> Result<Vec<(u8, u8)>, Error> {
    let mut most = 63;
    let mut ranges = Vec::new();
    for text in stages.split(',') {
        let fewest: u8 = text.parse().map_err(|_| Error::new(format!("--stages: `{text}`")))?;
        if fewest > most {
            return Err(Error::new("--stages: not descending"));
        }
        ranges.push((fewest, most));
        most = fewest.saturating_sub(1);
    }
    Ok(ranges)
}

/// A model that knows nothing: embeddings zero, heads random.
pub(crate) fn fresh(ranges: &[(u8, u8)], config: &Config) -> Model {
    let weights = weight_count(&weight_indices());
    let mut model = Model { stages: Vec::new() };
    let mut random = Random::of_stream(config.seed, 77);
    for &range in ranges {
        let mut stage = StageModel::zero(range, weights);
        let mut head = stage.heads[0].clone();
        for vector in &mut head.matrix {
            vector.0 = std::array::from_fn(|_| (random.unit() - 0.5) * 1.2);
        }
        head.output.0 = std::array::from_fn(|_| (random.unit() - 0.5) * 8.0);
        head.direct.0[0] = 8.0;
        if config.linear {
            head.output = Vector::default();
        } else {
            stage.biases = [Vector([0.7; WIDTH]); 64];
        }
        for bias in &mut stage.biases {
            bias.0[0] = 0.0;
        }
        head.hidden_bias.0 = [0.1; HIDDEN];
        stage.heads = vec![head; HEADS];
        model.stages.push(stage);
    }
    model
}

struct Learning<'a> {
    config: &'a Config,
    stage: &'a mut StageModel,
    train: &'a mut [Record],
    test: &'a [Record],
}

impl KernelTask for Learning<'_> {
    type Output = ();

    fn run<K: Kernels>(self) {
        let weight_indices = weight_indices();
        if self.train.is_empty() {
            return;
        }
        let mut learner = Learner::new(self.stage, *self.config);
        let mut counts = vec![0_u32; self.stage.embeddings.len()];
        for record in self.train.iter() {
            for weight in Sample::of::<K>(record.board, &weight_indices).weights {
                counts[weight] += 1;
            }
        }
        for (embedding, count) in learner.embeddings.iter_mut().zip(&counts) {
            if *count < FEWEST {
                embedding.1 = Vector([f32::INFINITY; WIDTH]);
            }
        }
        let mut random = Random::of_stream(self.config.seed, self.stage.range.0.into());
        let all = (self.train.len() * self.config.passes as usize) as f32;
        let mut done = 0;
        for pass in 0..self.config.passes {
            let started = Instant::now();
            shuffle(self.train, &mut random);
            let mut squares = 0.0;
            for batch in self.train.chunks(1024) {
                let rate = 1.0 - (1.0 - FLOOR) * done as f32 / all;
                squares += K::run(|| learner.learn::<K>(batch, &weight_indices, rate)) as f64;
                done += batch.len();
            }
            learner.store(self.stage);
            let mut test = 0.0;
            for record in self.test {
                let value = self.stage.value(&Sample::of::<K>(record.board, &weight_indices));
                test += f64::from(value - record.target(self.config.outcomes)).powi(2);
            }
            eprintln!(
                "{:2} to {:2} empty, pass {}: {} positions, RMSE {:.3}, held out {:.3}, {:.0} s",
                self.stage.range.0,
                self.stage.range.1,
                pass + 1,
                self.train.len(),
                (squares / self.train.len().max(1) as f64).sqrt(),
                (test / self.test.len().max(1) as f64).sqrt(),
                started.elapsed().as_secs_f64()
            );
        }
        fill(self.stage, self.train);
    }
}

/// Numbers of empty squares that hardly any position had get the head and the biases of the nearest that had
/// some: the opening and the last moves.
fn fill(stage: &mut StageModel, records: &[Record]) {
    let mut counts = [0_u32; 64];
    for record in records {
        counts[record.board.empties() as usize & 63] += 1;
    }
    let known = |empties: usize| counts[empties] >= ENOUGH;
    for empties in 0..64 {
        // Of the same parity: who moves last counts.
        let near = (0..64).filter(|&other| known(other) && other % 2 == empties % 2);
        if let (false, Some(near)) = (known(empties), near.min_by_key(|other| other.abs_diff(empties))) {
            stage.biases[empties] = stage.biases[near];
        }
        let head = (empties / 2).min(HEADS - 1);
        let known = |head: usize| known(2 * head) || known(2 * head + 1);
        let near = (0..HEADS).filter(|&other| known(other)).min_by_key(|other| other.abs_diff(head));
        if let (false, Some(near)) = (known(head), near) {
            stage.heads[head] = stage.heads[near].clone();
        }
    }
}

pub(crate) fn shuffle(records: &mut [Record], random: &mut Random) {
    for n in (1..records.len()).rev() {
        records.swap(n, random.below(n as u32 + 1) as usize);
    }
}
