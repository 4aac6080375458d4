//! Learns a network from labeled positions.
//!
//! The stages share no rows, biases or heads, so each is learned separately.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::builder::BoolishValueParser;
use clap::{ArgAction, Parser};
use outflank::eval::network::HEADS;
use outflank::kernel::{Kernel, KernelTask, Kernels};
use outflank::random::Random;

use crate::form::Form;
use crate::inspect::{Errors, static_fit};
use crate::labels::{self, LabelOptions};
use crate::model::Model;
use crate::net::{Config, Net};
use crate::record::Record;
use crate::{at, range};

/// Learn a network from record files or folders, and measure it on suites (OBF)
#[derive(Parser)]
pub(crate) struct Options {
    /// Files and folders of records to learn from, and suites to measure with
    words: Vec<String>,
    /// Model to write; by default only errors are printed
    #[arg(long)]
    out: Option<PathBuf>,
    /// Model or weights file to start from, of the same width and patterns; by default an untrained one
    #[arg(long)]
    from: Option<PathBuf>,
    /// Numbers of a row: 16, 32, 64 or 128 [default: that of the model to start from, or 16]
    #[arg(long)]
    width: Option<usize>,
    /// Patterns besides the engine's, separated by semicolons: discs:, moves: or both:, then squares (`moves:a1 b1 a2 b2`)
    /// [default: those of the model to start from, or none]
    #[arg(long)]
    more: Option<String>,
    /// Fewest empty squares of each stage, descending [default: those of the model to start from, or 0]
    #[arg(long)]
    stages: Option<String>,
    /// Passes over the positions
    #[arg(long, default_value_t = 3)]
    passes: u32,
    /// Learning rate of the rows
    #[arg(long, default_value_t = 0.04)]
    rate: f32,
    /// Learning rate of the heads
    #[arg(long, default_value_t = 0.01)]
    head_rate: f32,
    /// Weight of the outcome of the game against the searched value, 0 to 1
    #[arg(long, default_value_t = 0.0)]
    outcomes: f32,
    #[command(flatten)]
    labels: LabelOptions,
    /// Squared gradients at the start: a larger number makes the first steps smaller
    #[arg(long, default_value_t = 1000.0)]
    prior: f32,
    /// Learn only from positions with these numbers of empty squares
    #[arg(long, default_value = "0-60", value_parser = range)]
    empties: (u32, u32),
    /// Use only every N-th position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
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
/// Fewest positions at a number of empty squares whose bias and head count as learned.
const MIN_POSITIONS: u32 = 300;

pub(crate) fn run(options: &Options) -> Result<()> {
    let (form, start) = start(options)?;
    let mut train: Vec<Vec<Record>> = vec![Vec::new(); form.stages()];
    let mut test = Vec::new();
    let (suites, words): (Vec<&String>, _) = options.words.iter().partition(|word| word.ends_with(".obf"));
    for word in words {
        for (n, record) in labels::read(word, &options.labels)?.into_iter().enumerate() {
            let empties = record.board.empties();
            if !(options.empties.0..=options.empties.1).contains(&empties) {
                continue;
            }
            if record.held_out() {
                test.push(record);
            } else if n % options.every as usize == 0 {
                train[form.stage_of(empties as usize)].push(record);
            }
        }
    }
    let count: usize = train.iter().map(Vec::len).sum();
    let (held_out, features, rows) = (test.len(), form.features(), form.rows());
    println!("{count} positions to learn from, {held_out} held out; {features} features, {rows} rows");
    let learning = Learning { options, form, start, train, test: &test, suites: &suites };
    match learning.form.width {
        16 => Kernel::best().dispatch(Wide::<16>(learning)),
        32 => Kernel::best().dispatch(Wide::<32>(learning)),
        64 => Kernel::best().dispatch(Wide::<64>(learning)),
        _ => Kernel::best().dispatch(Wide::<128>(learning)),
    }
}

/// The form of the network, and the numbers to start from.
fn start(options: &Options) -> Result<(Form, Option<Vec<f32>>)> {
    let Some(path) = &options.from else {
        let stages = options.stages.as_deref().unwrap_or("0");
        let form =
            Form::new(options.width.unwrap_or(16), stages, options.more.as_deref().unwrap_or_default())?;
        return Ok((form, None));
    };
    let mut model = Model::read(path)?;
    let (width, more) = (model.form.width, &model.form.more);
    ensure!(
        options.width.is_none_or(|wanted| wanted == width)
            && options.more.as_ref().is_none_or(|wanted| wanted == more),
        "{}: a network of another form: --width {width} --more \"{more}\"",
        path.display()
    );
    if let Some(stages) = options.stages.as_ref().filter(|stages| **stages != model.form.stages) {
        model = model.split(stages).with_context(at(path))?;
    }
    Ok((model.form, Some(model.numbers)))
}

struct Learning<'a> {
    options: &'a Options,
    form: Form,
    start: Option<Vec<f32>>,
    /// By stage.
    train: Vec<Vec<Record>>,
    test: &'a [Record],
    suites: &'a [&'a String],
}

struct Wide<'a, const WIDTH: usize>(Learning<'a>);

impl<const WIDTH: usize> KernelTask for Wide<'_, WIDTH> {
    type Output = Result<()>;

    fn run<K: Kernels>(self) -> Result<()> {
        let Learning { options, form, start, mut train, test, suites } = self.0;
        let Options { passes, rate, head_rate, prior, seed, .. } = *options;
        let mut rows = Vec::new();
        let mut uses = vec![0_u32; form.rows()];
        let mut positions = [0_u32; 64];
        for record in train.iter().flatten() {
            let sample = form.look::<K>(record.board, &mut rows);
            positions[sample.empties] += 1;
            sample.rows.iter().for_each(|&row| uses[row] += 1);
        }
        let rare: Vec<bool> = uses.iter().map(|&uses| uses < options.least_uses).collect();
        println!("{} rows in use", rare.iter().filter(|rare| !**rare).count());
        let mut net = Net::<WIDTH>::fresh(&rare, Config { rate, head_rate, prior, seed });
        if let Some(start) = start {
            net.numbers().zip(start).for_each(|(number, start)| *number = start);
        }
        for (stage, train) in train.iter_mut().enumerate().filter(|(_, train)| !train.is_empty()) {
            let (fewest, most) = form.range(stage);
            let mut random = Random::of_stream(seed, fewest as u64);
            let all = (train.len() * passes as usize) as f32;
            let mut done = 0;
            for pass in 1..=passes {
                let started = Instant::now();
                shuffle(train, &mut random);
                let mut squares = 0.0;
                for batch in train.chunks(1024) {
                    let rate = 1.0 - (1.0 - FLOOR) * done as f32 / all;
                    squares += f64::from(K::run(|| {
                        let mut squares = 0.0;
                        for record in batch {
                            let sample = form.look::<K>(record.board, &mut rows);
                            squares += net.step(&sample, record.target(options.outcomes), rate).powi(2);
                        }
                        squares
                    }));
                    done += batch.len();
                }
                println!(
                    "{fewest} to {most} empty, pass {pass}: {} positions, RMSE {:.3}, held out {:.3}, {:.0} s",
                    train.len(),
                    (squares / train.len() as f64).sqrt(),
                    errors::<K, WIDTH>(&net, &form, test, (fewest, most)).rmse(),
                    started.elapsed().as_secs_f64()
                );
            }
        }
        if options.fill {
            fill(&mut net, &form, &positions);
        }
        let held_out = errors::<K, WIDTH>(&net, &form, test, (0, 63));
        let numbers = net.numbers().map(|number| *number).collect();
        held_out.print("held out");
        for suite in suites {
            static_fit(Path::new(suite), |boards| {
                boards.iter().map(|&board| net.value(&form.look::<K>(board, &mut rows))).collect()
            })?;
        }
        match &options.out {
            Some(path) => Model { form, numbers }.write(path),
            None => Ok(()),
        }
    }
}

/// The errors of the network in a range of empty squares.
fn errors<K: Kernels, const WIDTH: usize>(
    net: &Net<WIDTH>,
    form: &Form,
    records: &[Record],
    (fewest, most): (usize, usize),
) -> Errors {
    let (mut errors, mut rows) = (Errors::new(), Vec::new());
    for record in records {
        let sample = form.look::<K>(record.board, &mut rows);
        if (fewest..=most).contains(&sample.empties) {
            errors.add(record.board.empties(), net.value(&sample), record.target(0.0));
        }
    }
    errors
}

/// Gives numbers of empty squares with few positions the bias and the head of the nearest learned one of their stage: those
/// of the opening and of the last moves.
fn fill<const WIDTH: usize>(net: &mut Net<WIDTH>, form: &Form, positions: &[u32; 64]) {
    let learned = |empties: usize| positions[empties] >= MIN_POSITIONS;
    for empties in 0..64 {
        let same_stage = |&other: &usize| form.stage_of(other) == form.stage_of(empties);
        // A bias is taken from the same parity: it tells who moves last.
        let near = (0..64).filter(same_stage).filter(|&other| learned(other) && other % 2 == empties % 2);
        if let (false, Some(near)) = (learned(empties), near.min_by_key(|other| other.abs_diff(empties))) {
            net.copy_bias(near, empties);
        }
    }
    let is_learned = |head: usize| learned(2 * head) || learned(2 * head + 1);
    for head in 0..HEADS {
        let same_stage = |&other: &usize| form.stage_of(2 * other) == form.stage_of(2 * head);
        let near = (0..HEADS).filter(same_stage).filter(|&other| is_learned(other));
        if let (false, Some(near)) = (is_learned(head), near.min_by_key(|other| other.abs_diff(head))) {
            net.copy_head(near, head);
        }
    }
}

fn shuffle(records: &mut [Record], random: &mut Random) {
    for n in (1..records.len()).rev() {
        records.swap(n, random.below(n as u32 + 1) as usize);
    }
}
