//! A learned model as a file, and as the integers of the engine.

use std::array;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use outflank::eval::network::{LARGE, OUTPUT_UNIT, SMALL, UNIT};
use outflank::eval::{Evaluator, Network};
use outflank::kernel::{Layer, NEURONS};

use crate::form::Form;
use crate::{at, replace};

const MARK: &str = "OFTRIAL1";

/// A network that was learned. The file has a mark, the form in three lines (width, stages, patterns), then the numbers.
pub(crate) struct Model {
    pub(crate) form: Form,
    pub(crate) numbers: Vec<f32>,
}

impl Model {
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let Form { width, stages, more, .. } = &self.form;
        let mut bytes = format!("{MARK}\n{width}\n{stages}\n{more}\n").into_bytes();
        bytes.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        replace(path, bytes)
    }

    pub(crate) fn read(path: &Path) -> Result<Model> {
        let bytes = fs::read(path).with_context(at(path))?;
        Model::from_bytes(&bytes).with_context(at(path))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Model> {
        let wrong = || anyhow!("neither a model of `fit` nor a weights file");
        if let Ok(network) = Network::<SMALL>::from_bytes(bytes) {
            return Model::of(&network);
        }
        if let Ok(network) = Network::<LARGE>::from_bytes(bytes) {
            return Model::of(&network);
        }
        let mut parts = bytes.splitn(5, |&byte| byte == b'\n');
        let mut line = || parts.next().and_then(|line| str::from_utf8(line).ok()).ok_or_else(wrong);
        if line()? != MARK {
            return Err(wrong());
        }
        let (width, stages, more) = (line()?.parse().map_err(|_| wrong())?, line()?, line()?);
        let form = Form::new(width, stages, more)?;
        let (numbers, rest) = parts.next().ok_or_else(wrong)?.as_chunks::<4>();
        ensure!(rest.is_empty() && numbers.len() == form.numbers(), "the number of numbers is wrong");
        Ok(Model { form, numbers: numbers.iter().map(|&number| f32::from_le_bytes(number)).collect() })
    }

    /// Returns the model of a network, with the precision of its integers.
    fn of<const WIDTH: usize>(network: &Network<WIDTH>) -> Result<Model> {
        let form = Form::new(WIDTH, "0", &patterns_text::<WIDTH>())?;
        let mut numbers = vec![0.0; form.rows() * WIDTH];
        for (index, row) in form.engine_rows() {
            let integers = network.rows.get(index);
            let place = &mut numbers[row * WIDTH..][..WIDTH];
            place.iter_mut().zip(integers).for_each(|(number, n)| *number = f32::from(n) / UNIT as f32);
        }
        numbers.extend(network.biases.iter().flatten().map(|&number| f32::from(number) / UNIT as f32));
        let matrix_unit = Network::<WIDTH>::MATRIX_UNIT;
        let output = (100 * OUTPUT_UNIT / UNIT) as f32;
        for head in network.heads.iter() {
            for (pair, weights) in head.pairs().iter().enumerate() {
                let unit = unit_of_input::<WIDTH>(2 * pair);
                for input in 0..2 {
                    numbers.extend(weights.iter().map(|weight| f32::from(weight[input]) / unit));
                }
            }
            numbers.extend(head.bias.iter().map(|&n| (n as f32 / matrix_unit as f32 - 0.5) / UNIT as f32));
            numbers.extend(head.direct.iter().chain(&head.output).map(|&weight| f32::from(weight) / output));
            numbers.push(head.base as f32 / (100 * OUTPUT_UNIT) as f32);
        }
        Ok(Model { form, numbers })
    }

    /// Returns the model with other stages. Each starts as a copy of the stage that covers the middle of its range.
    pub(crate) fn split(self, stages: &str) -> Result<Model> {
        let form = Form::new(self.form.width, stages, &self.form.more)?;
        let size = form.rows_of_stage * form.width;
        let mut numbers = Vec::with_capacity(form.numbers());
        for stage in 0..form.stages() {
            let (fewest, most) = form.range(stage);
            let from = self.form.stage_of((fewest + most.min(60)) / 2) * size;
            numbers.extend_from_slice(&self.numbers[from..from + size]);
        }
        numbers.extend_from_slice(&self.numbers[self.form.rows() * form.width..]);
        Ok(Model { form, numbers })
    }

    /// Adds some discs to the value of each head.
    pub(crate) fn add(&mut self, discs: impl Iterator<Item = f32>) {
        let head = self.form.head();
        for (head, discs) in self.numbers[self.form.heads_start()..].chunks_exact_mut(head).zip(discs) {
            head[head.len() - 1] += discs;
        }
    }

    /// Returns the weights file. The numbers of the rows become multiples of `step`.
    ///
    /// # Errors
    /// If neither of the engine's networks has this form.
    pub(crate) fn weights(&self, step: u8) -> Result<Vec<u8>> {
        let Form { width, stages, more, .. } = &self.form;
        let patterns: Vec<&str> = more.split(';').map(str::trim).filter(|text| !text.is_empty()).collect();
        let agrees = |(text, squares): (&&str, &&str)| {
            let words = text.strip_prefix("moves:").unwrap_or_default().split_whitespace();
            words.eq(squares.split(' '))
        };
        let has = |squares: &[&str]| {
            stages == "0" && patterns.len() == squares.len() && patterns.iter().zip(squares).all(agrees)
        };
        if *width == SMALL && has(Network::<SMALL>::MOVE_PATTERNS) {
            return Ok(self.network::<SMALL>(step).to_bytes(step));
        }
        if *width == LARGE && has(Network::<LARGE>::MOVE_PATTERNS) {
            return Ok(self.network::<LARGE>(step).to_bytes(step));
        }
        bail!(
            "the engine has no network of this form. The small one has --width {SMALL} --stages 0 and no --more, the large one \
             --width {LARGE} --stages 0 --more \"{}\"",
            patterns_text::<LARGE>()
        )
    }

    /// Returns the evaluator with the weights of [`Model::weights`].
    pub(crate) fn evaluator(&self, step: u8) -> Result<Evaluator> {
        Ok(Evaluator::from_bytes(&self.weights(step)?)?)
    }

    /// Returns the integers of the engine.
    fn network<const WIDTH: usize>(&self, step: u8) -> Network<WIDTH> {
        let form = &self.form;
        let mut network = Network::zero();
        for (index, row) in form.engine_rows() {
            let row = self.row(row);
            network.rows.set(index, array::from_fn(|n| byte(row[n], step)));
        }
        for (empties, to) in network.biases.iter_mut().enumerate() {
            let bias = self.row(form.rows() + empties);
            *to = array::from_fn(|n| word(bias[n], UNIT as f32));
        }
        let heads = self.numbers[form.heads_start()..].chunks_exact(form.head());
        for (numbers, to) in heads.zip(network.heads.iter_mut()) {
            *to = layer(numbers);
        }
        network
    }

    /// Returns how full the table of rows is, as text.
    pub(crate) fn learned(&self) -> String {
        let rows = self.numbers[..self.form.rows() * self.form.width].chunks_exact(self.form.width);
        let learned = rows.filter(|row| row.iter().any(|&number| number != 0.0));
        let is_full = |number: &&f32| number.abs() * UNIT as f32 >= 126.5;
        let full = learned.clone().flatten().filter(is_full).count();
        format!("{} of {} rows learned, {full} numbers at the limit", learned.count(), self.form.rows())
    }

    /// A row, or a bias behind the rows.
    fn row(&self, row: usize) -> &[f32] {
        &self.numbers[row * self.form.width..][..self.form.width]
    }
}

/// The patterns of moves of a network, as text.
fn patterns_text<const WIDTH: usize>() -> String {
    let patterns = Network::<WIDTH>::MOVE_PATTERNS.iter().map(|squares| format!("moves:{squares}"));
    patterns.collect::<Vec<_>>().join(";")
}

/// The unit of the weights of an input. The engine divides products of sums by twice their unit.
fn unit_of_input<const WIDTH: usize>(input: usize) -> f32 {
    let unit = Network::<WIDTH>::MATRIX_UNIT;
    if input < WIDTH { unit as f32 } else { (2 * unit) as f32 }
}

/// Returns the integers of a head.
fn layer<const WIDTH: usize>(numbers: &[f32]) -> Layer<WIDTH> {
    let (matrix, numbers) = numbers.split_at(Layer::<WIDTH>::INPUTS * NEURONS);
    let (bias, numbers) = numbers.split_at(NEURONS);
    let (direct, numbers) = numbers.split_at(WIDTH);
    // The engine cuts off the fraction of a neuron: half a unit more rounds it.
    let rounded = |x: f32| ((x * UNIT as f32 + 0.5) * Network::<WIDTH>::MATRIX_UNIT as f32).round() as i32;
    // Centidiscs in output units, per unit of input.
    let output = (100 * OUTPUT_UNIT / UNIT) as f32;
    let mut layer = Layer {
        bias: array::from_fn(|n| rounded(bias[n])),
        direct: array::from_fn(|n| word(direct[n], output)),
        output: array::from_fn(|n| word(numbers[n], output)),
        base: (numbers[NEURONS] * (100 * OUTPUT_UNIT) as f32).round() as i32,
        ..Layer::ZERO
    };
    for (pair, weights) in layer.pairs_mut().iter_mut().enumerate() {
        let weight = |input: usize, neuron: usize| {
            word(matrix[input * NEURONS + neuron], unit_of_input::<WIDTH>(input))
        };
        *weights = array::from_fn(|neuron| [weight(2 * pair, neuron), weight(2 * pair + 1, neuron)]);
    }
    layer
}

fn byte(x: f32, step: u8) -> i8 {
    let step = f32::from(step);
    ((x * UNIT as f32 / step).round() * step).clamp(-127.0, 127.0) as i8
}

fn word(x: f32, unit: f32) -> i16 {
    (x * unit).round().clamp(-32767.0, 32767.0) as i16
}

#[cfg(test)]
mod tests {
    use outflank::kernel::Portable;
    use outflank::random::Random;

    use super::*;
    use crate::net::{Config, Net};
    use crate::selfplay::random_board;

    fn config() -> Config {
        Config { rate: 0.04, head_rate: 0.01, prior: 1.0, seed: 1 }
    }

    /// A model of random numbers: those of the rows up to `row`, the others up to `other`.
    fn random_model<const WIDTH: usize>(form: Form, row: f32, other: f32) -> (Net<WIDTH>, Model) {
        let mut net = Net::<WIDTH>::fresh(&vec![false; form.rows()], config());
        let mut random = Random::of_stream(3, 3);
        let rows = form.rows() * form.width;
        for (n, number) in net.numbers().enumerate() {
            *number = (if n < rows { row } else { other }) * (2.0 * random.unit() - 1.0);
        }
        let numbers = net.numbers().map(|number| *number).collect();
        (net, Model { form, numbers })
    }

    fn check<const WIDTH: usize>(form: Form, row: f32) {
        let (net, model) = random_model::<WIDTH>(form, row, 0.6);
        let evaluator = model.evaluator(1).unwrap();
        let mut random = Random::of_stream(4, 4);
        let (mut buffer, mut error, mut inside) = (Vec::new(), 0.0, 0);
        for plies in 0..200 {
            let board = random_board(&mut random, 8 + plies % 42);
            let expected = net.value(&model.form.look::<Portable>(board, &mut buffer));
            let found = evaluator.value_of::<Portable>(board) as f32 / 100.0;
            assert!((found - expected).abs() < 2.5 || expected.abs() > 63.0, "{found} {expected}");
            error += (found - expected.clamp(-64.0, 64.0)).abs() / 200.0;
            inside += u32::from(expected.abs() > 1.0 && expected.abs() < 60.0);
        }
        assert!(inside > 50 && error < 0.4, "{inside} {error}");
    }

    fn large_form() -> Form {
        Form::new(LARGE, "0", &patterns_text::<LARGE>()).unwrap()
    }

    #[test]
    fn engine_computes_the_values_of_the_model() {
        check::<16>(Form::new(16, "0", "").unwrap(), 0.3);
        check::<32>(large_form(), 0.2);
    }

    #[test]
    #[ignore = "release: encodes large networks"]
    fn weights_files_are_models() {
        let small = random_model::<16>(Form::new(16, "0", "").unwrap(), 0.3, 0.6).1;
        for model in [small, random_model::<32>(large_form(), 0.2, 0.6).1] {
            let width = model.form.width;
            let file = model.weights(1).unwrap();
            let again = Model::from_bytes(&file).unwrap();
            assert_eq!(again.form.stages, model.form.stages);
            let start = model.form.rows() * width;
            let pairs = model.numbers[start..].iter().zip(&again.numbers[start..]);
            assert!(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) <= 0.51 / UNIT as f32, "{width}");
            assert!(again.weights(1).unwrap() == file, "{width}");
        }
    }

    #[test]
    fn other_forms_are_rejected_with_the_right_ones() {
        let form = Form::new(64, "0", "").unwrap();
        let numbers = vec![0.0; form.numbers()];
        let error = Model { form, numbers }.weights(1).unwrap_err().to_string();
        assert!(error.contains("moves:a1 b1 c1 a2"), "{error}");
        for (width, stages) in [(17, "0"), (16, "x"), (16, "20"), (16, "20,30,0"), (16, "")] {
            assert!(Form::new(width, stages, "").is_err(), "{width} {stages}");
        }
    }

    #[test]
    fn models_can_be_written_read_and_split() {
        let path = std::env::temp_dir().join(format!("outflank-model-{}", std::process::id()));
        let form = Form::new(16, "20,0", "").unwrap();
        let (_, model) = random_model::<16>(form, 0.3, 0.6);
        let again = model.write(&path).and_then(|()| Model::read(&path));
        let torn = Model::from_bytes(&fs::read(&path).unwrap_or_default()[..9999]).map(|_| ());
        let _ = fs::remove_file(&path);
        let again = again.unwrap();
        assert!(torn.is_err() && again.numbers == model.numbers && again.form.stages == "20,0");
        let split = again.split("40,20,10,0").unwrap();
        let stage = split.form.rows_of_stage;
        for (to, from) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
            assert_eq!(split.row(to * stage + 5), model.row(from * stage + 5));
        }
        assert_eq!(split.numbers[split.form.heads_start()..], model.numbers[model.form.heads_start()..]);
    }
}
