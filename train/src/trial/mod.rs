//! Learning networks of other forms: wider, with more patterns, with more stages. What comes of it is how far they are from
//! positions held out and from suites, which tells whether they are worth an engine that can read them. Of one form it can:
//! its large network, which `tempo` and `pack` make of a trial's model.

mod net;
mod pack;
mod pattern;
mod saved;

use std::path::Path;
use std::time::Instant;

use outflank::board::{Bitboard, Board};
use outflank::eval::indices::weight_indices;
use outflank::kernel::{Kernel, KernelTask, Kernels};
use outflank::random::Random;

use self::net::{Net, Sample};
use self::pattern::{Pattern, Seen};

pub(crate) use self::pack::LargeModel;
pub(crate) use self::saved::Saved;

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::fit::{FEWEST, FLOOR, ranges, shuffle};
use crate::inspect::{Errors, static_fit};
use crate::labels;
use crate::learner::Config;
use crate::model::{self, weight_count};
use crate::record::Record;

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("out", "", "model to write; without it only errors are told"),
    Opt("from", "", "model of a trial of the same form to start from; from nothing without it"),
    Opt("width", "16", "numbers of an embedding: 16, 32, 64 or 128"),
    Opt(
        "more",
        "",
        "patterns beside the engine's, semicolons between: discs:, moves: or both:, then squares (`moves:a1 b1 a2 b2`)",
    ),
    Opt("stages", "0", "fewest empty squares of each stage, descending"),
    Opt("passes", "3", "passes over the positions"),
    Opt("rate", "0.04", "learning rate of the embeddings"),
    Opt("head-rate", "0.01", "learning rate of the heads"),
    Opt("calibrate", "yes", "as `fit` does"),
    Opt("lambda", "0.93", "as `fit` does"),
    Opt("cut", "600", "as `fit` does"),
    Opt("close", "0", "as `fit` does"),
    Opt("prior", "1000", "as `fit` does"),
    Opt("seed", "1", "seed of the order of the positions"),
];

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let config = Config {
        passes: args.get("passes")?,
        rate: args.get("rate")?,
        head_rate: args.get("head-rate")?,
        linear: false,
        seed: args.get("seed")?,
        outcomes: 0.0,
        close: args.get("close")?,
        prior: args.get("prior")?,
    };
    let form = Form::new(args.text("more"), &ranges(args.text("stages"))?)?;
    let (suites, records): (Vec<String>, Vec<String>) =
        args.words.iter().cloned().partition(|word| word.ends_with(".obf"));
    let (mut train, mut test) = (Vec::new(), Vec::new());
    for word in &records {
        for record in labels::read(word, args)? {
            if record.held_out() { test.push(record) } else { train.push(record) }
        }
    }
    println!(
        "{} positions to learn from, {} held out; {} features, {} rows",
        train.len(),
        test.len(),
        form.features,
        form.rows()
    );
    let width = args.text("width");
    let text = ["width", "stages", "more"].map(|name| args.text(name).to_owned());
    let from = match args.text("from") {
        "" => None,
        path => {
            let (path, saved) = (Path::new(path), Saved::read(Path::new(path))?);
            if saved.form != text {
                let [width, stages, more] = &saved.form;
                return Err(Error::at(
                    path,
                    format!("a network of another form: --width {width} --stages {stages} --more \"{more}\""),
                ));
            }
            Some(saved.numbers)
        }
    };
    let out = args.text("out");
    let out = (!out.is_empty()).then(|| Path::new(out));
    let trial =
        Trial { form: &form, config, train: &mut train, test: &test, suites: &suites, text, from, out };
    let kernel = Kernel::best();
    match width {
        "16" => kernel.dispatch(Wide::<16>(trial)),
        "32" => kernel.dispatch(Wide::<32>(trial)),
        "64" => kernel.dispatch(Wide::<64>(trial)),
        "128" => kernel.dispatch(Wide::<128>(trial)),
        _ => Err(Error::new(format!("--width: `{width}` is not 16, 32, 64 or 128"))),
    }
}

/// What a network sees of a position.
struct Form {
    weight_indices: Vec<u32>,
    /// Rows of the engine's features, behind which those of the patterns are.
    own_rows: usize,
    patterns: Vec<Pattern>,
    rows_of_stage: usize,
    stage_of: [usize; 64],
    stages: usize,
    /// Of a position.
    features: usize,
}

impl Form {
    fn new(more: &str, ranges: &[(u8, u8)]) -> Result<Form, Error> {
        let texts = more.split(';').map(str::trim).filter(|text| !text.is_empty());
        let patterns: Vec<Pattern> = texts.map(Pattern::parse).collect::<Result<_, _>>()?;
        let stage = |empties: usize| {
            ranges.iter().position(|range| usize::from(range.0) <= empties).unwrap_or(ranges.len() - 1)
        };
        let own = outflank::eval::patterns::INSTANCE_COUNT + outflank::eval::mobility::MOBILITY_COUNT;
        let weight_indices = weight_indices();
        let own_rows = weight_count(&weight_indices);
        Ok(Form {
            weight_indices,
            own_rows,
            rows_of_stage: own_rows + patterns.iter().map(|pattern| pattern.rows).sum::<usize>(),
            features: own + patterns.iter().map(Pattern::instances).sum::<usize>(),
            patterns,
            stage_of: std::array::from_fn(stage),
            stages: ranges.len(),
        })
    }

    fn rows(&self) -> usize {
        self.stages * self.rows_of_stage
    }

    /// The rows of a board's features, in place of what `rows` held.
    #[inline(always)]
    fn look<'a, K: Kernels>(&self, board: Board, rows: &'a mut Vec<usize>) -> Sample<'a> {
        let sample = model::Sample::of::<K>(board, &self.weight_indices);
        let stage = self.stage_of[sample.empties] * self.rows_of_stage;
        rows.clear();
        rows.extend(sample.weights.iter().map(|weight| stage + weight));
        if !self.patterns.is_empty() {
            let (player, opponent) = (board.player.0, board.opponent.0);
            let seen =
                Seen::of(board, Bitboard(K::moves(player, opponent)), Bitboard(K::moves(opponent, player)));
            let mut first = stage + self.own_rows;
            for pattern in &self.patterns {
                rows.extend(pattern.look(&seen).map(|row| first + row));
                first += pattern.rows;
            }
        }
        Sample { empties: sample.empties, rows }
    }
}

struct Trial<'a> {
    form: &'a Form,
    config: Config,
    train: &'a mut Vec<Record>,
    test: &'a [Record],
    suites: &'a [String],
    /// The form in words.
    text: [String; 3],
    /// Numbers to start from.
    from: Option<Vec<f32>>,
    /// The model to write.
    out: Option<&'a Path>,
}

struct Wide<'a, const WIDTH: usize>(Trial<'a>);

impl<const WIDTH: usize> KernelTask for Wide<'_, WIDTH> {
    type Output = Result<(), Error>;

    fn run<K: Kernels>(self) -> Result<(), Error> {
        let Trial { form, config, train, test, suites, text, from, out } = self.0;
        let mut rows = Vec::new();
        let mut counts = vec![0_u32; form.rows()];
        for record in train.iter() {
            for &row in form.look::<K>(record.board, &mut rows).rows {
                counts[row] += 1;
            }
        }
        let rare: Vec<bool> = counts.iter().map(|&count| count < FEWEST).collect();
        println!("{} rows in use", rare.iter().filter(|rare| !**rare).count());
        let mut net = Net::<WIDTH>::fresh(&rare, config);
        if let Some(from) = from {
            if net.numbers().count() != from.len() {
                return Err(Error::new("--from: another number of numbers than the network has"));
            }
            net.numbers().zip(from).for_each(|(number, from)| *number = from);
        }
        let mut random = Random::of_stream(config.seed, 0);
        let all = (train.len() * config.passes as usize) as f32;
        let mut done = 0;
        let mut errors = Errors::new();
        for pass in 1..=config.passes {
            let started = Instant::now();
            shuffle(train, &mut random);
            let mut squares = 0.0;
            for batch in train.chunks(1024) {
                let rate = 1.0 - (1.0 - FLOOR) * done as f32 / all;
                squares += f64::from(K::run(|| {
                    let mut squares = 0.0;
                    for record in batch {
                        let sample = form.look::<K>(record.board, &mut rows);
                        squares += net.step(&sample, record.target(0.0), rate).powi(2);
                    }
                    squares
                }));
                done += batch.len();
            }
            errors = Errors::new();
            for record in test {
                let value = net.value(&form.look::<K>(record.board, &mut rows));
                errors.add(record.board.empties(), value, record.target(0.0));
            }
            println!(
                "pass {pass}: RMSE {:.3}, held out {:.3}, {:.0} s",
                (squares / train.len().max(1) as f64).sqrt(),
                errors.rmse(),
                started.elapsed().as_secs_f64()
            );
        }
        if let Some(path) = out {
            Saved { form: text, numbers: net.numbers().map(|number| *number).collect() }.write(path)?;
        }
        errors.print("held out");
        for suite in suites {
            static_fit(Path::new(suite), |boards| {
                boards.iter().map(|&board| net.value(&form.look::<K>(board, &mut rows))).collect()
            })?;
        }
        Ok(())
    }
}
