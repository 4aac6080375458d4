//! Fitting the model to labelled positions: stochastic gradient descent with Adagrad (Duchi, Hazan and
//! Singer, 2011), one position at a time.
//!
//! The stages share nothing, so each is learnt by itself, several at the same time.

use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use outflank::board::{Kernel, KernelTask, Kernels};
use outflank::eval::network::{HEADS, HIDDEN, WIDTH};
use outflank::eval::shapes::canonical_rows;

use crate::args::{Args, Opt, Problem};
use crate::model::{CLIP, HeadModel, Model, Sample, StageModel, Vector};
use crate::record::{self, Proof, Record};
use crate::rng::Rng;

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("out", "", "model to write"),
    Opt("from", "", "model to start from; from nothing without it"),
    Opt("stages", "44,30,18,0", "fewest empty squares of each stage, descending, even numbers"),
    Opt("passes", "2", "passes over the positions"),
    Opt("rate", "0.02", "learning rate of the rows"),
    Opt("head-rate", "0.005", "learning rate of the heads"),
    Opt("linear", "no", "yes: only the direct part, no hidden layer"),
    Opt("outcomes", "0", "weight of the outcome of the game beside the value searched, 0 to 1"),
    Opt(
        "calibrate",
        "yes",
        "yes: shift the values searched at each number of empty squares to the mean outcome",
    ),
    Opt("empties", "0-60", "learn only from positions with so many empty squares"),
    Opt("every", "1", "use every n-th position only"),
    Opt("seed", "1", "seed of the order of the positions"),
    Opt("threads", "1", "stages learnt at the same time"),
];

/// Rows seen fewer times stay as they are: zero, where the model starts from nothing.
const FEWEST: u32 = 3;
/// Positions from which a number of empty squares counts as learnt.
const ENOUGH: u32 = 300;

struct Config {
    passes: u32,
    rate: f32,
    head_rate: f32,
    linear: bool,
    seed: u64,
    outcomes: f32,
}

pub(crate) fn run(args: &Args) -> Result<(), Problem> {
    let config = Config {
        passes: args.get("passes")?,
        rate: args.get("rate")?,
        head_rate: args.get("head-rate")?,
        linear: args.text("linear") == "yes",
        seed: args.get("seed")?,
        outcomes: args.get("outcomes")?,
    };
    let (fewest, most) = args.range("empties")?;
    let every: usize = args.get("every")?;
    let mut model = match args.text("from") {
        "" => fresh(args.text("stages"), &config)?,
        path => Model::read(Path::new(path))?,
    };
    let mut train: Vec<Vec<Record>> = model.stages.iter().map(|_| Vec::new()).collect();
    let mut test = train.clone();
    for word in &args.words {
        let mut source = Vec::new();
        for file in record::files(std::slice::from_ref(word))? {
            source.extend(record::read(&file)?);
        }
        if args.text("calibrate") == "yes" {
            calibrate(word, &mut source);
        }
        for (n, record) in source.into_iter().enumerate() {
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
    let threads: usize = args.get("threads")?;
    let work = model.stages.iter_mut().zip(train.iter_mut().zip(&test));
    let queue = Mutex::new(work);
    std::thread::scope(|scope| {
        for _ in 0..threads {
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
        let canonical = canonical_rows();
        for record in test {
            let sample = Sample::of::<outflank::board::Portable>(record.board, &canonical);
            errors.add(record.board.empties(), stage.value(&sample), record.target(0.0));
        }
    }
    errors.print("held out");
    Ok(())
}

/// Shifts the values of searches so that, at each number of empty squares, their mean is that of the outcomes:
/// for each file or folder named by itself, for each has its own weights' errors.
///
/// Whoever moves last before the leaves profits from the errors of the evaluation, so a search of an even
/// depth is pessimistic. Every round of learning from searches would add to it.
fn calibrate(name: &str, records: &mut [Record]) {
    let mut sums = [(0.0_f64, 0_u32); 65];
    for record in records.iter().filter(|record| !record.held_out()) {
        if let (Proof::Search(_), Some(outcome)) = (record.proof, record.outcome) {
            let (sum, count) = &mut sums[record.board.empties() as usize];
            *sum += 100.0 * f64::from(outcome) - f64::from(record.value);
            *count += 1;
        }
    }
    // A mean over neighbours of the same parity: few games are left at the ends.
    let shift = |empties: usize| {
        let near = [empties.saturating_sub(2), empties, (empties + 2).min(64)];
        let (sum, count) =
            near.iter().fold((0.0, 0), |(sum, count), &n| (sum + sums[n].0, count + sums[n].1));
        if count < 5000 { 0.0 } else { sum / f64::from(count) }
    };
    let shifts: Vec<f64> = (0..65).map(shift).collect();
    for record in records {
        if let Proof::Search(_) = record.proof {
            let value = f64::from(record.value) + shifts[record.board.empties() as usize];
            record.value = value.round().clamp(-6400.0, 6400.0) as i16;
        }
    }
    let rounded: Vec<i32> = shifts.iter().map(|shift| shift.round() as i32).collect();
    eprintln!("{name}: centidiscs added to searched values, from 8 empty squares on: {:?}", &rounded[8..60]);
}

/// A model that knows nothing: rows zero, heads random.
fn fresh(stages: &str, config: &Config) -> Result<Model, Problem> {
    let canonical = canonical_rows();
    let rows = canonical.iter().max().map_or(0, |&row| row as usize + 1);
    let mut most = 63;
    let mut model = Model { stages: Vec::new() };
    let mut rng = Rng::new(config.seed, 77);
    for text in stages.split(',') {
        let fewest: u8 = text.parse().map_err(|_| Problem::new(format!("--stages: `{text}`")))?;
        if fewest > most {
            return Err(Problem::new("--stages: not descending"));
        }
        let mut stage = StageModel::zero((fewest, most), rows);
        let mut head = stage.heads[0].clone();
        for vector in &mut head.matrix {
            vector.0 = std::array::from_fn(|_| (rng.unit() - 0.5) * 1.2);
        }
        head.output.0 = std::array::from_fn(|_| (rng.unit() - 0.5) * 8.0);
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
        most = fewest.saturating_sub(1);
    }
    Ok(model)
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
        let canonical = canonical_rows();
        if self.train.is_empty() {
            return;
        }
        let mut learner = Learner::new(self.stage, self.config);
        let mut counts = vec![0_u32; self.stage.rows.len()];
        for record in self.train.iter() {
            for row in Sample::of::<K>(record.board, &canonical).rows {
                counts[row] += 1;
            }
        }
        for (row, count) in learner.rows.iter_mut().zip(&counts) {
            if *count < FEWEST {
                row.1 = Vector([f32::INFINITY; WIDTH]);
            }
        }
        let mut rng = Rng::new(self.config.seed, self.stage.range.0.into());
        let all = (self.train.len() * self.config.passes as usize) as f32;
        let mut done = 0;
        for pass in 0..self.config.passes {
            let started = Instant::now();
            shuffle(self.train, &mut rng);
            let mut squares = 0.0;
            for batch in self.train.chunks(1024) {
                // The rate falls in a straight line, to a twentieth.
                let rate = 1.0 - 0.95 * done as f32 / all;
                squares += K::run(|| learner.learn::<K>(batch, &canonical, rate)) as f64;
                done += batch.len();
            }
            learner.store(self.stage);
            let mut test = 0.0;
            for record in self.test {
                let value = self.stage.value(&Sample::of::<K>(record.board, &canonical));
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

fn shuffle(records: &mut [Record], rng: &mut Rng) {
    for n in (1..records.len()).rev() {
        records.swap(n, rng.below(n as u32 + 1) as usize);
    }
}

/// A number vector and the sums of its squared gradients.
#[derive(Clone, Copy)]
struct Learnt(Vector, Vector);

struct LearntHead {
    matrix: [Learnt; WIDTH],
    hidden_bias: Learnt,
    direct: Learnt,
    output: Learnt,
    output_bias: Learnt,
}

/// The parameters of a stage while they are learnt.
struct Learner {
    rows: Vec<Learnt>,
    mobility: Vec<Vec<Learnt>>,
    biases: Vec<Learnt>,
    heads: Vec<LearntHead>,
    rate: f32,
    head_rate: f32,
    linear: bool,
    outcomes: f32,
}

impl Learnt {
    fn new(vector: Vector) -> Learnt {
        Learnt(vector, Vector([1.0; WIDTH]))
    }

    #[inline(always)]
    fn step(&mut self, gradient: &Vector, rate: f32) {
        for n in 0..WIDTH {
            let g = gradient.0[n];
            self.1.0[n] += g * g;
            self.0.0[n] -= rate * g / self.1.0[n].sqrt();
        }
    }
}

impl Learner {
    fn new(stage: &StageModel, config: &Config) -> Learner {
        let head = |head: &HeadModel| LearntHead {
            matrix: head.matrix.map(Learnt::new),
            hidden_bias: Learnt::new(head.hidden_bias),
            direct: Learnt::new(head.direct),
            output: Learnt::new(head.output),
            output_bias: Learnt::new(Vector([head.output_bias; WIDTH])),
        };
        Learner {
            rows: stage.rows.iter().copied().map(Learnt::new).collect(),
            mobility: stage
                .mobility
                .iter()
                .map(|side| side.iter().copied().map(Learnt::new).collect())
                .collect(),
            biases: stage.biases.iter().copied().map(Learnt::new).collect(),
            heads: stage.heads.iter().map(head).collect(),
            rate: config.rate,
            head_rate: config.head_rate,
            linear: config.linear,
            outcomes: config.outcomes,
        }
    }

    fn store(&self, stage: &mut StageModel) {
        for (to, from) in stage.rows.iter_mut().zip(&self.rows) {
            *to = from.0;
        }
        for (to, from) in stage.mobility.iter_mut().flatten().zip(self.mobility.iter().flatten()) {
            *to = from.0;
        }
        for (to, from) in stage.biases.iter_mut().zip(&self.biases) {
            *to = from.0;
        }
        for (to, from) in stage.heads.iter_mut().zip(&self.heads) {
            *to = HeadModel {
                matrix: from.matrix.map(|learnt| learnt.0),
                hidden_bias: from.hidden_bias.0,
                direct: from.direct.0,
                output: from.output.0,
                output_bias: from.output_bias.0.0[0],
            };
        }
    }

    /// Learns from some positions; the sum of the squared errors before each step.
    #[inline(always)]
    fn learn<K: Kernels>(&mut self, records: &[Record], canonical: &[u32], rate: f32) -> f32 {
        let mut squares = 0.0;
        for record in records {
            let sample = Sample::of::<K>(record.board, canonical);
            let target = record.target(self.outcomes);
            squares += self.step(&sample, target, rate).powi(2);
        }
        squares
    }

    /// Learns from one position; its error before.
    #[inline(always)]
    fn step(&mut self, sample: &Sample, target: f32, rate: f32) -> f32 {
        let mut sum = self.biases[sample.empties].0;
        sum.add(&self.mobility[0][sample.mobility[0]].0);
        sum.add(&self.mobility[1][sample.mobility[1]].0);
        for &row in &sample.rows {
            sum.add(&self.rows[row].0);
        }
        let head = &mut self.heads[(sample.empties / 2).min(HEADS - 1)];
        let mut first = sum;
        let mut hidden = head.hidden_bias.0;
        if !self.linear {
            for n in 0..WIDTH {
                first.0[n] = sum.0[n].clamp(0.0, CLIP);
                for i in 0..HIDDEN {
                    hidden.0[i] += first.0[n] * head.matrix[n].0.0[i];
                }
            }
        }
        let mut value = head.output_bias.0.0[0];
        for n in 0..WIDTH {
            value += head.direct.0.0[n] * sum.0[n];
        }
        if !self.linear {
            for n in 0..HIDDEN {
                value += head.output.0.0[n] * hidden.0[n].max(0.0);
            }
        }
        let error = value - target;

        let head_rate = self.head_rate * rate;
        let rate = self.rate * rate;
        let mut back = Vector::default();
        let mut hidden_back = Vector::default();
        if !self.linear {
            let mut output = Vector::default();
            for n in 0..HIDDEN {
                output.0[n] = error * hidden.0[n].max(0.0);
                hidden_back.0[n] = if hidden.0[n] > 0.0 { error * head.output.0.0[n] } else { 0.0 };
            }
            for n in 0..WIDTH {
                let mut through = 0.0;
                for i in 0..HIDDEN {
                    through += head.matrix[n].0.0[i] * hidden_back.0[i];
                }
                back.0[n] = if sum.0[n] > 0.0 && sum.0[n] < CLIP { through } else { 0.0 };
                let mut gradient = hidden_back;
                for i in 0..HIDDEN {
                    gradient.0[i] *= first.0[n];
                }
                head.matrix[n].step(&gradient, head_rate);
            }
            head.hidden_bias.step(&hidden_back, head_rate);
            head.output.step(&output, 8.0 * head_rate);
        }
        let mut direct = Vector::default();
        for n in 0..WIDTH {
            back.0[n] += error * head.direct.0.0[n];
            direct.0[n] = error * sum.0[n];
        }
        if self.linear {
            direct = Vector::default();
        }
        head.direct.step(&direct, 8.0 * head_rate);
        head.output_bias.step(&Vector([error; WIDTH]), 8.0 * head_rate);
        self.biases[sample.empties].step(&back, head_rate);
        self.mobility[0][sample.mobility[0]].step(&back, rate);
        self.mobility[1][sample.mobility[1]].step(&back, rate);
        for &row in &sample.rows {
            self.rows[row].step(&back, rate);
        }
        error
    }
}
