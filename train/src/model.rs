//! A learned model as a file, and as the integers of the engine.

use std::array;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use outflank::eval::Evaluator;
use outflank::eval::large::{LARGE_WIDTH, LargeHead, LargeNetwork, MATRIX_UNIT, MOVE_PATTERNS};
use outflank::eval::network::{Embedding, HIDDEN, Head, Network, OUTPUT_UNIT, UNIT, WIDTH};
use outflank::kernel::{Layer, Longs, Matrix, WideLayer, WideMatrix, WideWords, Words};

use crate::form::Form;
use crate::net::head_of;
use crate::{at, replace};

const MARK: &str = "OFTRIAL1";

/// A network that was learned. The file has a mark, the form in three lines (width, stages, patterns), then the numbers.
pub(crate) struct Model {
    pub(crate) form: Form,
    pub(crate) numbers: Vec<f32>,
}

/// The integers of one of the engine's networks.
pub(crate) enum Quantized {
    Small(Box<Network>),
    Large(Box<LargeNetwork>),
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
        if let Ok(network) = Network::from_bytes(bytes) {
            return Model::of_small(&network);
        }
        if let Ok(network) = LargeNetwork::from_bytes(bytes) {
            return Model::of_large(&network);
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

    /// Returns the model of a small network, with the precision of its integers.
    fn of_small(network: &Network) -> Result<Model> {
        let fewest = |stage| network.stage_of.iter().position(|&of| usize::from(of) == stage).unwrap_or(0);
        let stages: Vec<String> = (0..network.stages.len()).map(|stage| fewest(stage).to_string()).collect();
        let form = Form::new(WIDTH, &stages.join(","), "")?;
        let mut numbers = vec![0.0; form.rows() * WIDTH];
        for (number, stage) in network.stages.iter().enumerate() {
            for (embedding, &weight) in stage.embeddings.iter().zip(&form.weight_indices) {
                let row = number * form.rows_of_stage + weight as usize;
                set_row(&mut numbers, row, &embedding.0.map(i16::from));
            }
        }
        numbers.extend(network.biases.iter().flatten().map(|&number| f32::from(number) / UNIT as f32));
        for Head { layer, bias } in &network.heads {
            let direct = &layer.direct.0[..WIDTH];
            add_head(&mut numbers, UNIT, &layer.matrix.0, &layer.bias, direct, &layer.output, *bias);
        }
        Ok(Model { form, numbers })
    }

    /// Returns the model of a large network, with the precision of its integers.
    fn of_large(network: &LargeNetwork) -> Result<Model> {
        let form = Form::new(LARGE_WIDTH, "0", &large_patterns())?;
        let mut numbers = vec![0.0; form.rows() * LARGE_WIDTH];
        for (index, &weight) in form.weight_indices.iter().enumerate() {
            set_row(&mut numbers, weight as usize, &network.rows.get(index).map(i16::from));
        }
        for (index, row) in form.move_rows() {
            set_row(&mut numbers, row, &network.rows.get(index).map(i16::from));
        }
        numbers.extend(network.biases.iter().flatten().map(|&number| f32::from(number) / UNIT as f32));
        for LargeHead { layer, bias } in network.heads.iter() {
            let (matrix, direct) = (&layer.matrix.0, &layer.direct.0);
            add_head(&mut numbers, MATRIX_UNIT, matrix, &layer.bias, direct, &layer.output, *bias);
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

    /// Returns the integers of the engine. The numbers of the rows become multiples of `step`.
    ///
    /// # Errors
    /// If neither of the engine's networks has this form.
    pub(crate) fn quantized(&self, step: u8) -> Result<Quantized> {
        let Form { width, stages, more, .. } = &self.form;
        if *width == WIDTH && self.form.patterns.is_empty() {
            return Ok(Quantized::Small(Box::new(self.small(step))));
        }
        let patterns: Vec<&str> = more.split(';').map(str::trim).filter(|text| !text.is_empty()).collect();
        let agrees = |(text, squares): (&&str, &&str)| {
            let words = text.strip_prefix("moves:").unwrap_or_default().split_whitespace();
            words.eq(squares.split(' '))
        };
        let patterns_agree =
            patterns.len() == MOVE_PATTERNS.len() && patterns.iter().zip(&MOVE_PATTERNS).all(agrees);
        if *width == LARGE_WIDTH && stages == "0" && patterns_agree {
            return Ok(Quantized::Large(Box::new(self.large(step))));
        }
        bail!(
            "the engine has no network of this form. The small one has --width {WIDTH} and no --more, the large one --width \
             {LARGE_WIDTH} --stages 0 --more \"{}\"",
            large_patterns()
        )
    }

    fn small(&self, step: u8) -> Network {
        let form = &self.form;
        let mut network = Network::zero(form.stages());
        for (number, stage) in network.stages.iter_mut().enumerate() {
            for (embedding, &weight) in stage.embeddings.iter_mut().zip(&form.weight_indices) {
                let row = self.row(number * form.rows_of_stage + weight as usize);
                *embedding = Embedding(array::from_fn(|n| byte(row[n], step)));
            }
        }
        for empties in 0..64 {
            network.stage_of[empties] = form.stage_of(empties) as u8;
            let bias = self.row(form.rows() + empties);
            network.biases[empties] = array::from_fn(|n| word(bias[n], UNIT as f32));
            let (head, bias) = self.head(head_of(empties), UNIT);
            let layer = Layer {
                matrix: Matrix(array::from_fn(|pair| head.pair(pair))),
                bias: Longs(head.bias),
                direct: Words(array::from_fn(|n| head.direct[n])),
                output: Words(head.output),
            };
            network.heads[head_of(empties)] = Head { layer, bias };
        }
        network
    }

    fn large(&self, step: u8) -> LargeNetwork {
        let form = &self.form;
        let mut network = LargeNetwork::zero();
        let mut set = |index: usize, row: usize| {
            let row = self.row(row);
            network.rows.set(index, array::from_fn(|n| byte(row[n], step)));
        };
        for (index, &weight) in form.weight_indices.iter().enumerate() {
            set(index, weight as usize);
        }
        form.move_rows().for_each(|(index, row)| set(index, row));
        for (empties, to) in network.biases.iter_mut().enumerate() {
            let bias = self.row(form.rows() + empties);
            *to = array::from_fn(|n| word(bias[n], UNIT as f32));
        }
        for (number, to) in network.heads.iter_mut().enumerate() {
            let (head, bias) = self.head(number, MATRIX_UNIT);
            let layer = WideLayer {
                matrix: WideMatrix(array::from_fn(|pair| head.pair(pair))),
                bias: Longs(head.bias),
                direct: WideWords(array::from_fn(|n| head.direct[n])),
                output: Words(head.output),
            };
            *to = LargeHead { layer, bias };
        }
        network
    }

    /// A row, or a bias behind the rows.
    fn row(&self, row: usize) -> &[f32] {
        &self.numbers[row * self.form.width..][..self.form.width]
    }

    /// The integers of a head whose matrix has the unit `matrix_unit`, and its bias.
    fn head(&self, number: usize, matrix_unit: i32) -> (HeadNumbers, i32) {
        let (width, inputs) = (self.form.width, self.form.inputs());
        let numbers = &self.numbers[self.form.heads_start() + number * self.form.head()..];
        let (matrix, numbers) = numbers.split_at(inputs * HIDDEN);
        let (bias, numbers) = numbers.split_at(HIDDEN);
        let (direct, numbers) = numbers.split_at(width);
        // The engine divides products by twice their unit.
        let weight = |(n, &x): (usize, &f32)| {
            let unit = if n / HIDDEN < width { matrix_unit } else { 2 * matrix_unit };
            word(x, unit as f32)
        };
        // The engine cuts off the fraction of a neuron: half a unit more rounds it.
        let rounded = |x: f32| ((x * UNIT as f32 + 0.5) * matrix_unit as f32).round() as i32;
        // Centidiscs in output units, per unit of input.
        let output = (100 * OUTPUT_UNIT / UNIT) as f32;
        let head = HeadNumbers {
            matrix: matrix.iter().enumerate().map(weight).collect(),
            bias: array::from_fn(|n| rounded(bias[n])),
            direct: direct.iter().map(|&x| word(x, output)).collect(),
            output: array::from_fn(|n| word(numbers[n], output)),
        };
        (head, (numbers[HIDDEN] * (100 * OUTPUT_UNIT) as f32).round() as i32)
    }
}

/// The patterns of the large network besides those of the small one, as text.
fn large_patterns() -> String {
    MOVE_PATTERNS.map(|squares| format!("moves:{squares}")).join(";")
}

fn set_row(numbers: &mut [f32], row: usize, integers: &[i16]) {
    let place = &mut numbers[row * integers.len()..][..integers.len()];
    place.iter_mut().zip(integers).for_each(|(number, &integer)| *number = f32::from(integer) / UNIT as f32);
}

/// Adds the numbers of a head: the reverse of [`Model::head`].
fn add_head(
    numbers: &mut Vec<f32>,
    matrix_unit: i32,
    matrix: &[[[i16; 2]; HIDDEN]],
    neurons: &Longs,
    direct: &[i16],
    output: &Words,
    bias: i32,
) {
    for (pair, weights) in matrix.iter().enumerate() {
        let unit = if 2 * pair < direct.len() { matrix_unit } else { 2 * matrix_unit } as f32;
        for input in 0..2 {
            numbers.extend(weights.iter().map(|weight| f32::from(weight[input]) / unit));
        }
    }
    numbers.extend(neurons.0.iter().map(|&n| (n as f32 / matrix_unit as f32 - 0.5) / UNIT as f32));
    let unit = (100 * OUTPUT_UNIT / UNIT) as f32;
    numbers.extend(direct.iter().chain(&output.0).map(|&weight| f32::from(weight) / unit));
    numbers.push(bias as f32 / (100 * OUTPUT_UNIT) as f32);
}

struct HeadNumbers {
    matrix: Vec<i16>,
    bias: [i32; HIDDEN],
    direct: Vec<i16>,
    output: [i16; HIDDEN],
}

impl HeadNumbers {
    /// The weights of two inputs, neuron by neuron.
    fn pair(&self, pair: usize) -> [[i16; 2]; HIDDEN] {
        let weight = |input: usize, neuron: usize| self.matrix[input * HIDDEN + neuron];
        array::from_fn(|neuron| [weight(2 * pair, neuron), weight(2 * pair + 1, neuron)])
    }
}

fn byte(x: f32, step: u8) -> i8 {
    let step = f32::from(step);
    ((x * UNIT as f32 / step).round() * step).clamp(-127.0, 127.0) as i8
}

fn word(x: f32, unit: f32) -> i16 {
    (x * unit).round().clamp(-32767.0, 32767.0) as i16
}

impl Quantized {
    pub(crate) fn to_bytes(&self, step: u8) -> Vec<u8> {
        match self {
            Quantized::Small(network) => network.to_bytes(step),
            Quantized::Large(network) => network.to_bytes(step),
        }
    }

    pub(crate) fn into_evaluator(self) -> Evaluator {
        match self {
            Quantized::Small(network) => Evaluator::from_network(*network),
            Quantized::Large(network) => Evaluator::from_large(*network),
        }
    }
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
        let evaluator = model.quantized(1).unwrap().into_evaluator();
        let mut random = Random::of_stream(4, 4);
        let (mut buffer, mut error, mut inside) = (Vec::new(), 0.0, 0);
        for plies in 0..200 {
            let board = random_board(&mut random, 8 + plies % 42);
            let expected = net.value(&model.form.look::<Portable>(board, &mut buffer));
            let features = evaluator.features(board);
            let found = evaluator.value::<Portable>(&features, board, board.moves()) as f32 / 100.0;
            assert!((found - expected).abs() < 2.5 || expected.abs() > 63.0, "{found} {expected}");
            error += (found - expected.clamp(-64.0, 64.0)).abs() / 200.0;
            inside += u32::from(expected.abs() > 1.0 && expected.abs() < 60.0);
        }
        assert!(inside > 50 && error < 0.4, "{inside} {error}");
    }

    fn large_form() -> Form {
        Form::new(LARGE_WIDTH, "0", &large_patterns()).unwrap()
    }

    #[test]
    fn engine_computes_the_values_of_the_model() {
        check::<16>(Form::new(16, "30,0", "").unwrap(), 0.3);
        check::<32>(large_form(), 0.2);
    }

    #[test]
    #[ignore = "release: encodes large networks"]
    fn weights_files_are_models() {
        let small = random_model::<16>(Form::new(16, "30,0", "").unwrap(), 0.3, 0.6).1;
        for model in [small, random_model::<32>(large_form(), 0.2, 0.6).1] {
            let width = model.form.width;
            let file = model.quantized(1).unwrap().to_bytes(1);
            let again = Model::from_bytes(&file).unwrap();
            assert_eq!(again.form.stages, model.form.stages);
            let start = model.form.rows() * width;
            let pairs = model.numbers[start..].iter().zip(&again.numbers[start..]);
            assert!(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) <= 0.51 / UNIT as f32, "{width}");
            assert!(again.quantized(1).unwrap().to_bytes(1) == file, "{width}");
        }
    }

    #[test]
    fn other_forms_are_rejected_with_the_right_ones() {
        let form = Form::new(64, "0", "").unwrap();
        let numbers = vec![0.0; form.numbers()];
        let error = Model { form, numbers }.quantized(1).map(|_| "none").unwrap_err().to_string();
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
