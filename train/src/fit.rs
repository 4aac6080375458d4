//! Learns a network from labeled positions.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::builder::BoolishValueParser;
use clap::{ArgAction, Parser};
use outflank::eval::network::{HEADS, LARGE, SMALL};
use outflank::kernel::{Kernel, KernelTask, Kernels};
use outflank::random::Random;

use crate::labels::{self, LabelOptions};
use crate::model::Model;
use crate::net::{Config, Lookup, Net};
use crate::record::Record;

/// Learn a network from record files or folders
#[derive(Parser)]
pub(crate) struct Options {
    /// Files and folders of records
    words: Vec<String>,
    /// Model to write; by default only errors are printed
    #[arg(long)]
    out: Option<PathBuf>,
    /// Model or weights file to start from; by default an untrained network
    #[arg(long)]
    from: Option<PathBuf>,
    /// Numbers of a row: 16 for the small network, 32 for the large one [default: that of the model to start from, or 16]
    #[arg(long)]
    width: Option<usize>,
    /// Passes over the positions
    #[arg(long, default_value_t = 3)]
    passes: u32,
    /// Learning rate of the rows
    #[arg(long, default_value_t = 0.04)]
    rate: f32,
    /// Learning rate of the heads
    #[arg(long, default_value_t = 0.01)]
    head_rate: f32,
    #[command(flatten)]
    labels: LabelOptions,
    /// yes: numbers of empty squares with few positions get the bias and the head of the nearest one
    #[arg(long, default_value = "yes", action = ArgAction::Set, value_parser = BoolishValueParser::new())]
    fill: bool,
    /// Rows used fewer times stay as they are
    #[arg(long, value_name = "N", default_value_t = 3)]
    least_uses: u32,
    /// Seed of the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The share of the learning rates that is left at the end. They fall linearly.
const FLOOR: f32 = 0.02;
/// Squared gradients at the start: a larger number makes the first steps smaller.
const PRIOR: f32 = 1000.0;
/// Fewest positions at a number of empty squares whose bias and head count as learned.
const MIN_POSITIONS: u32 = 300;

pub(crate) fn run(options: &Options) -> Result<()> {
    let start = options.from.as_deref().map(Model::read).transpose()?;
    let given = start.as_ref().map(|start| start.width);
    let width = options.width.or(given).unwrap_or(SMALL);
    ensure!([SMALL, LARGE].contains(&width), "--width: {width} is neither {SMALL} nor {LARGE}");
    ensure!(
        given.is_none_or(|given| given == width),
        "--width: {width} is not that of the model to start from"
    );
    let (mut train, mut test) = (Vec::new(), Vec::new());
    for word in &options.words {
        for record in labels::read(word, &options.labels)? {
            if record.held_out() { &mut test } else { &mut train }.push(record);
        }
    }
    println!("{} positions to learn from, {} held out", train.len(), test.len());
    if width == SMALL {
        Kernel::best().dispatch(Learning::<SMALL> { options, start, train, test: &test })
    } else {
        Kernel::best().dispatch(Learning::<LARGE> { options, start, train, test: &test })
    }
}

struct Learning<'a, const WIDTH: usize> {
    options: &'a Options,
    start: Option<Model>,
    train: Vec<Record>,
    test: &'a [Record],
}

impl<const WIDTH: usize> KernelTask for Learning<'_, WIDTH> {
    type Output = Result<()>;

    fn run<K: Kernels>(self) -> Result<()> {
        let Learning { options, start, mut train, test } = self;
        let Options { passes, rate, head_rate, seed, .. } = *options;
        let lookup = Lookup::<WIDTH>::new();
        let mut rows = Vec::new();
        let mut uses = vec![0_u32; lookup.firsts.len()];
        let mut positions = [0_u32; 64];
        for record in &train {
            let sample = lookup.sample::<K>(record.board, &mut rows);
            positions[sample.empties] += 1;
            sample.rows.iter().for_each(|&row| uses[row] += 1);
        }
        let rare: Vec<bool> = uses.iter().map(|&uses| uses < options.least_uses).collect();
        println!("{} rows in use", rare.iter().filter(|rare| !**rare).count());
        let mut net = Net::<WIDTH>::fresh(&rare, Config { rate, head_rate, prior: PRIOR, seed });
        if let Some(start) = start {
            net.numbers().zip(start.numbers).for_each(|(number, start)| *number = start);
        }
        let mut random = Random::of_stream(seed, 0);
        let all = (train.len() * passes as usize) as f32;
        let mut done = 0;
        for pass in 1..=passes {
            let started = Instant::now();
            shuffle(&mut train, &mut random);
            let mut squares = 0.0;
            for batch in train.chunks(1024) {
                let rate = 1.0 - (1.0 - FLOOR) * done as f32 / all;
                squares += f64::from(K::run(|| {
                    let mut squares = 0.0;
                    for record in batch {
                        let sample = lookup.sample::<K>(record.board, &mut rows);
                        squares += net.step(&sample, record.target(), rate).powi(2);
                    }
                    squares
                }));
                done += batch.len();
            }
            println!(
                "pass {pass}: {} positions, RMSE {:.3}, held out {:.3}, {:.0} s",
                train.len(),
                (squares / train.len() as f64).sqrt(),
                Errors::of::<K, WIDTH>(&net, &lookup, test).rmse(),
                started.elapsed().as_secs_f64()
            );
        }
        if options.fill {
            fill(&mut net, &positions);
        }
        Errors::of::<K, WIDTH>(&net, &lookup, test).print();
        match &options.out {
            Some(path) => {
                let numbers = net.numbers().map(|number| *number).collect();
                Model { width: WIDTH, numbers }.write(path)
            }
            None => Ok(()),
        }
    }
}

/// Errors of held-out positions: their number, sum and sum of squares, by number of empty squares.
struct Errors([[f64; 3]; 64]);

impl Errors {
    fn of<K: Kernels, const WIDTH: usize>(
        net: &Net<WIDTH>,
        lookup: &Lookup<WIDTH>,
        records: &[Record],
    ) -> Errors {
        let (mut sums, mut rows) = ([[0.0; 3]; 64], Vec::new());
        for record in records {
            let sample = lookup.sample::<K>(record.board, &mut rows);
            let error = f64::from(net.value(&sample) - record.target());
            let terms = [1.0, error, error * error];
            sums[sample.empties].iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        Errors(sums)
    }

    /// The root mean square error of all positions.
    fn rmse(&self) -> f64 {
        let [count, square] = [0, 2].map(|n| self.0.iter().map(|sums| sums[n]).sum::<f64>());
        (square / count.max(1.0)).sqrt()
    }

    fn print(&self) {
        println!("held out: empties, positions, bias, RMSE");
        for (empties, &[count, error, square]) in self.0.iter().enumerate().filter(|(_, sums)| sums[0] > 0.0)
        {
            println!("{empties:7} {count:9.0} {:+7.2} {:6.2}", error / count, (square / count).sqrt());
        }
    }
}

/// Gives numbers of empty squares with few positions the bias and the head of the nearest learned one: those of the opening and
/// of the last moves.
fn fill<const WIDTH: usize>(net: &mut Net<WIDTH>, positions: &[u32; 64]) {
    let learned = |empties: usize| positions[empties] >= MIN_POSITIONS;
    for empties in (0..64).filter(|&empties| !learned(empties)) {
        // A bias is taken from the same parity: it tells who moves last.
        let near = (0..64).filter(|&other| learned(other) && other % 2 == empties % 2);
        if let Some(near) = near.min_by_key(|other| other.abs_diff(empties)) {
            net.copy_bias(near, empties);
        }
    }
    let is_learned = |head: usize| learned(2 * head) || learned(2 * head + 1);
    for head in (0..HEADS).filter(|&head| !is_learned(head)) {
        let near = (0..HEADS).filter(|&other| is_learned(other));
        if let Some(near) = near.min_by_key(|other| other.abs_diff(head)) {
            net.copy_head(near, head);
        }
    }
}

fn shuffle(records: &mut [Record], random: &mut Random) {
    for n in (1..records.len()).rev() {
        records.swap(n, random.below(n as u32 + 1) as usize);
    }
}
