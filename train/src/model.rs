//! A learned model as a file, and as the integers of the engine.

use std::array;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use outflank::eval::network::{HEADS, LARGE, OUTPUT_UNIT, SMALL, UNIT};
use outflank::eval::{Evaluator, Network};
use outflank::kernel::{Layer, NEURONS};

use crate::{at, replace};

const MARK: &str = "OFMODEL2";

/// A network that was learned. The file has a line with a mark and one with the width, then the numbers.
///
/// The numbers are the rows, the biases by empty squares, then the heads by pairs of empty squares. A head has its matrix input
/// by input, the biases of its neurons, the direct weights of the sums, the output weights of the neurons, and its own bias.
pub(crate) struct Model {
    /// Numbers of a row: [`SMALL`] or [`LARGE`].
    pub(crate) width: usize,
    pub(crate) numbers: Vec<f32>,
}

impl Model {
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let mut bytes = format!("{MARK}\n{}\n", self.width).into_bytes();
        bytes.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        replace(path, bytes)
    }

    pub(crate) fn read(path: &Path) -> Result<Model> {
        let bytes = fs::read(path).with_context(at(path))?;
        Model::from_bytes(&bytes).with_context(at(path))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Model> {
        if let Ok(network) = Network::<SMALL>::from_bytes(bytes) {
            return Ok(Model::of(&network));
        }
        if let Ok(network) = Network::<LARGE>::from_bytes(bytes) {
            return Ok(Model::of(&network));
        }
        let wrong = || anyhow!("neither a model of `fit` nor a weights file");
        let rest = bytes.strip_prefix(MARK.as_bytes()).and_then(|rest| rest.strip_prefix(b"\n"));
        let (width, numbers) = rest.and_then(|rest| rest.split_at_checked(3)).ok_or_else(wrong)?;
        let (width, count) = match width {
            b"16\n" => (SMALL, count::<SMALL>()),
            b"32\n" => (LARGE, count::<LARGE>()),
            _ => bail!(wrong()),
        };
        let (numbers, rest) = numbers.as_chunks::<4>();
        ensure!(rest.is_empty() && numbers.len() == count, "the number of numbers is wrong");
        Ok(Model { width, numbers: numbers.iter().map(|&number| f32::from_le_bytes(number)).collect() })
    }

    /// Returns the model of a network, with the precision of its integers.
    fn of<const WIDTH: usize>(network: &Network<WIDTH>) -> Model {
        let unit = |&number: &i16| f32::from(number) / UNIT as f32;
        let rows = (0..Network::<WIDTH>::first_rows().len()).flat_map(|row| network.rows.get(row));
        let mut numbers: Vec<f32> = rows.map(|number| unit(&number.into())).collect();
        numbers.extend(network.biases.iter().flatten().map(unit));
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
        Model { width: WIDTH, numbers }
    }

    /// Adds some discs to the value of each head.
    pub(crate) fn add(&mut self, discs: impl Iterator<Item = f32>) {
        let (width, start) = (self.width, self.heads_start());
        for (head, discs) in self.numbers[start..].chunks_exact_mut(head_size(width)).zip(discs) {
            head[head.len() - 1] += discs;
        }
    }

    fn heads_start(&self) -> usize {
        self.numbers.len() - HEADS * head_size(self.width)
    }

    /// Returns the weights file. The numbers of the rows become multiples of `step`.
    pub(crate) fn weights(&self, step: u8) -> Vec<u8> {
        match self.width {
            SMALL => self.network::<SMALL>(step).to_bytes(step),
            _ => self.network::<LARGE>(step).to_bytes(step),
        }
    }

    /// Returns the evaluator with the weights of [`Model::weights`].
    pub(crate) fn evaluator(&self, step: u8) -> Result<Evaluator> {
        Ok(Evaluator::from_bytes(&self.weights(step))?)
    }

    /// Returns the integers of the engine.
    fn network<const WIDTH: usize>(&self, step: u8) -> Network<WIDTH> {
        let mut network = Network::zero();
        let (rows, heads) = self.numbers.split_at(self.heads_start());
        let (rows, biases) = rows.split_at(rows.len() - network.biases.len() * WIDTH);
        for (index, row) in rows.chunks_exact(WIDTH).enumerate() {
            // Unused memory is not written.
            if row.iter().any(|&number| number != 0.0) {
                network.rows.set(index, array::from_fn(|n| byte(row[n], step)));
            }
        }
        for (bias, to) in biases.chunks_exact(WIDTH).zip(&mut network.biases) {
            *to = array::from_fn(|n| word(bias[n], UNIT as f32));
        }
        for (numbers, to) in heads.chunks_exact(head_size(WIDTH)).zip(network.heads.iter_mut()) {
            *to = layer(numbers);
        }
        network
    }
}

/// Numbers of a head.
fn head_size(width: usize) -> usize {
    (width + width / 2) * NEURONS + NEURONS + width + NEURONS + 1
}

/// All numbers of a model.
fn count<const WIDTH: usize>() -> usize {
    (Network::<WIDTH>::first_rows().len() + 64) * WIDTH + HEADS * head_size(WIDTH)
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
    use crate::net::{Config, Lookup, Net};
    use crate::selfplay::random_board;

    /// A model of random numbers: those of the rows up to `row`, the others up to 0.6.
    fn random_model<const WIDTH: usize>(row: f32) -> (Net<WIDTH>, Model) {
        let config = Config { rate: 0.04, head_rate: 0.01, prior: 1.0, seed: 1 };
        let rows = Network::<WIDTH>::first_rows().len();
        let mut net = Net::<WIDTH>::fresh(&vec![false; rows], config);
        let mut random = Random::of_stream(3, 3);
        for (n, number) in net.numbers().enumerate() {
            *number = (if n < rows * WIDTH { row } else { 0.6 }) * (2.0 * random.unit() - 1.0);
        }
        let numbers = net.numbers().map(|number| *number).collect();
        (net, Model { width: WIDTH, numbers })
    }

    fn check<const WIDTH: usize>(row: f32) {
        let (net, model) = random_model::<WIDTH>(row);
        let (evaluator, lookup) = (model.evaluator(1).unwrap(), Lookup::<WIDTH>::new());
        let mut random = Random::of_stream(4, 4);
        let (mut buffer, mut error, mut inside) = (Vec::new(), 0.0, 0);
        for plies in 0..200 {
            let board = random_board(&mut random, 8 + plies % 42);
            let expected = net.value(&lookup.sample::<Portable>(board, &mut buffer));
            let found = evaluator.value_of::<Portable>(board) as f32 / 100.0;
            assert!((found - expected).abs() < 2.5 || expected.abs() > 63.0, "{found} {expected}");
            error += (found - expected.clamp(-64.0, 64.0)).abs() / 200.0;
            inside += u32::from(expected.abs() > 1.0 && expected.abs() < 60.0);
        }
        assert!(inside > 50 && error < 0.4, "{inside} {error}");
    }

    #[test]
    fn engine_computes_the_values_of_the_model() {
        check::<SMALL>(0.3);
    }

    #[test]
    #[ignore = "release: encodes large networks"]
    fn weights_files_are_models() {
        check::<LARGE>(0.2);
        for model in [random_model::<SMALL>(0.3).1, random_model::<LARGE>(0.2).1] {
            let file = model.weights(1);
            let again = Model::from_bytes(&file).unwrap();
            let start = model.heads_start() - 64 * model.width;
            let pairs = model.numbers[start..].iter().zip(&again.numbers[start..]);
            let error = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(error <= 0.51 / UNIT as f32, "{}", model.width);
            assert!(again.weights(1) == file, "{}", model.width);
        }
    }

    #[test]
    fn models_can_be_written_and_read() {
        let path = std::env::temp_dir().join(format!("outflank-model-{}", std::process::id()));
        let (_, model) = random_model::<SMALL>(0.3);
        let again = model.write(&path).and_then(|()| Model::read(&path));
        let torn = Model::from_bytes(&fs::read(&path).unwrap_or_default()[..9999]).map(|_| ());
        let _ = fs::remove_file(&path);
        let again = again.unwrap();
        assert!(torn.is_err() && again.numbers == model.numbers && again.width == model.width);
    }
}
