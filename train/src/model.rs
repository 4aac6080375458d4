//! The model in floating point: what `fit` learns and `pack` quantises.
//!
//! The same arithmetic as `outflank::eval::network`, in discs instead of integers; an embedding is kept once
//! for all mirror images.

use std::array;
use std::fs;
use std::path::Path;

use outflank::board::Board;
use outflank::eval::Features;
use outflank::eval::indices::weight_indices;
use outflank::eval::mobility::{MOBILITY_COUNT, mobility_indices};
use outflank::eval::network::{Embedding, HEADS, HIDDEN, Head, Network, OUTPUT_UNIT, UNIT, WIDTH};
use outflank::eval::patterns::INSTANCE_COUNT;
use outflank::kernel::{INPUTS, Kernels, Layer, Longs, Matrix, Words};

use crate::error::Error;

const MARK: &[u8; 8] = b"OFMODEL4";
/// Where the first layer is cut off: 127 in integers.
pub(crate) const CLIP: f32 = 127.0 / UNIT as f32;

/// An embedding, or another row of floating-point numbers, in one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub(crate) struct Vector(pub(crate) [f32; WIDTH]);

/// What is read off the sums.
#[derive(Clone)]
pub(crate) struct HeadModel {
    pub(crate) matrix: [Vector; INPUTS],
    pub(crate) hidden_bias: Vector,
    pub(crate) direct: Vector,
    pub(crate) output: Vector,
    pub(crate) output_bias: f32,
}

/// Everything that belongs to a range of empty squares.
#[derive(Clone)]
pub(crate) struct StageModel {
    /// Fewest and most empty squares.
    pub(crate) range: (u8, u8),
    /// By weight index.
    pub(crate) embeddings: Vec<Vector>,
    /// By empty squares; those outside the range are unused.
    pub(crate) biases: [Vector; 64],
    /// By `empties / 2`; those outside the range are unused.
    pub(crate) heads: Vec<HeadModel>,
}

/// A position as the model sees it.
pub(crate) struct Sample {
    pub(crate) empties: usize,
    /// The weight indices of its features.
    pub(crate) weights: [usize; INSTANCE_COUNT + MOBILITY_COUNT],
}

/// The model: its stages cover 0 to 63 empty squares, most empty squares first.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) stages: Vec<StageModel>,
}

impl Sample {
    /// The sample of a board, the weights told by [`outflank::eval::indices::weight_indices`].
    #[inline(always)]
    pub(crate) fn of<K: Kernels>(board: Board, weight_indices: &[u32]) -> Sample {
        let (player, opponent) = (board.player.0, board.opponent.0);
        let (own, other) = (K::moves(player, opponent), K::moves(opponent, player));
        let mut weights = [0; INSTANCE_COUNT + MOBILITY_COUNT];
        let features = Features::of(board);
        let of_patterns = features.indices().map(|index| index as usize);
        let all = of_patterns.into_iter().chain(mobility_indices(own, other, board.empty().0));
        for (weight, feature) in weights.iter_mut().zip(all) {
            *weight = weight_indices[feature] as usize;
        }
        Sample { empties: board.empties() as usize & 63, weights }
    }
}

/// How many weights the features share.
pub(crate) fn weight_count(weight_indices: &[u32]) -> usize {
    weight_indices.iter().max().map_or(0, |&last| last as usize + 1)
}

impl StageModel {
    pub(crate) fn zero(range: (u8, u8), weights: usize) -> StageModel {
        let head = HeadModel {
            matrix: [Vector::default(); INPUTS],
            hidden_bias: Vector::default(),
            direct: Vector::default(),
            output: Vector::default(),
            output_bias: 0.0,
        };
        StageModel {
            range,
            embeddings: vec![Vector::default(); weights],
            biases: [Vector::default(); 64],
            heads: vec![head; HEADS],
        }
    }

    /// The value in discs.
    pub(crate) fn value(&self, sample: &Sample) -> f32 {
        let sum = self.sum(sample);
        self.heads[(sample.empties / 2).min(HEADS - 1)].value(&sum)
    }

    #[inline(always)]
    pub(crate) fn sum(&self, sample: &Sample) -> Vector {
        let mut sum = self.biases[sample.empties];
        for &weight in &sample.weights {
            sum.add(&self.embeddings[weight]);
        }
        sum
    }

    /// All its numbers, in the order of the file.
    fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let vectors = self.embeddings.iter_mut().chain(&mut self.biases);
        let heads = self.heads.iter_mut().flat_map(|head| {
            let vectors = head.matrix.iter_mut().chain([&mut head.hidden_bias, &mut head.output]);
            vectors.flat_map(|v| &mut v.0).chain(&mut head.direct.0).chain([&mut head.output_bias])
        });
        vectors.flat_map(|v| &mut v.0).chain(heads)
    }
}

impl Vector {
    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Vector) {
        for n in 0..WIDTH {
            self.0[n] += other.0[n];
        }
    }
}

impl HeadModel {
    #[inline(always)]
    pub(crate) fn value(&self, sum: &Vector) -> f32 {
        let mut hidden = self.hidden_bias;
        for (input, weights) in inputs(sum).into_iter().zip(&self.matrix) {
            for i in 0..HIDDEN {
                hidden.0[i] += input * weights.0[i];
            }
        }
        let mut value = self.output_bias;
        for n in 0..WIDTH {
            value += self.direct.0[n] * sum.0[n];
        }
        for n in 0..HIDDEN {
            value += self.output.0[n] * hidden.0[n].max(0.0);
        }
        value
    }
}

/// The inputs of the neurons: the sums, cut off, and the products of their halves.
#[inline(always)]
pub(crate) fn inputs(sum: &Vector) -> [f32; INPUTS] {
    let mut inputs = [0.0; INPUTS];
    for (input, &sum) in inputs.iter_mut().zip(&sum.0) {
        *input = sum.clamp(0.0, CLIP);
    }
    for n in 0..WIDTH / 2 {
        inputs[WIDTH + n] = inputs[n] * inputs[WIDTH / 2 + n];
    }
    inputs
}

impl Model {
    /// The number of the stage of a number of empty squares.
    pub(crate) fn stage_of(&self, empties: u32) -> usize {
        let inside = |stage: &StageModel| u32::from(stage.range.0) <= empties;
        self.stages.iter().position(inside).unwrap_or(self.stages.len() - 1)
    }

    /// The same with other stages, each a copy of the one that covers the middle of its range.
    pub(crate) fn split(&self, ranges: &[(u8, u8)]) -> Model {
        let stage = |&(fewest, most): &(u8, u8)| {
            let middle = (u32::from(fewest) + u32::from(most.min(60))) / 2;
            StageModel { range: (fewest, most), ..self.stages[self.stage_of(middle)].clone() }
        };
        Model { stages: ranges.iter().map(stage).collect() }
    }

    pub(crate) fn write(&mut self, path: &Path) -> Result<(), Error> {
        let mut bytes = MARK.to_vec();
        bytes.push(self.stages.len() as u8);
        for stage in &mut self.stages {
            bytes.extend([stage.range.0, stage.range.1]);
            bytes.extend(stage.numbers().flat_map(|number| number.to_le_bytes()));
        }
        fs::write(path, bytes).map_err(|error| Error::at(path, error))
    }

    pub(crate) fn read(path: &Path) -> Result<Model, Error> {
        let bytes = fs::read(path).map_err(|error| Error::at(path, error))?;
        let wrong = || Error::at(path, "not a model of this program's patterns");
        let mut bytes = bytes.strip_prefix(MARK).ok_or_else(wrong)?;
        let mut take = |count: usize| {
            let (head, tail) = bytes.split_at_checked(count).ok_or_else(wrong)?;
            bytes = tail;
            Ok::<_, Error>(head)
        };
        let weights = weight_count(&weight_indices());
        let mut stages = Vec::new();
        for _ in 0..take(1)?[0] {
            let range = take(2)?;
            let mut stage = StageModel::zero((range[0], range[1]), weights);
            for number in stage.numbers() {
                *number = f32::from_le_bytes(take(4)?.try_into().map_err(|_| wrong())?);
            }
            stages.push(stage);
        }
        Ok(Model { stages })
    }

    /// The integers the engine computes with, those of the embeddings being multiples of `step`.
    pub(crate) fn quantised(&self, step: u8) -> Network {
        let weight_indices = weight_indices();
        let unit = UNIT as f32;
        let step = f32::from(step);
        let small = |x: f32| ((x * unit / step).round() * step).clamp(-127.0, 127.0) as i8;
        let word = |x: f32, unit: f32| (x * unit).round().clamp(-32767.0, 32767.0) as i16;
        // Centidiscs in output units, a unit of input.
        let output = (100 * OUTPUT_UNIT / UNIT) as f32;
        let mut network = Network::zero(self.stages.len());
        for (number, (stage, model)) in network.stages.iter_mut().zip(&self.stages).enumerate() {
            for (embedding, &weight) in stage.embeddings.iter_mut().zip(&weight_indices) {
                *embedding = Embedding(model.embeddings[weight as usize].0.map(small));
            }
            for empties in model.range.0..=model.range.1.min(63) {
                let empties = usize::from(empties);
                network.stage_of[empties] = number as u8;
                network.biases[empties] = model.biases[empties].0.map(|x| word(x, unit));
                let from = &model.heads[(empties / 2).min(HEADS - 1)];
                // The engine divides products by twice their unit.
                let weight = |input: usize, neuron: usize| {
                    word(from.matrix[input].0[neuron], if input < WIDTH { unit } else { 2.0 * unit })
                };
                let pair = |pair, neuron| [weight(2 * pair, neuron), weight(2 * pair + 1, neuron)];
                let layer = Layer {
                    matrix: Matrix(array::from_fn(|n| array::from_fn(|neuron| pair(n, neuron)))),
                    // The engine cuts neurons off below their unit: half of it more, and it rounds.
                    bias: Longs(from.hidden_bias.0.map(|x| ((x * unit + 0.5) * unit).round() as i32)),
                    direct: Words(from.direct.0.map(|x| word(x, output))),
                    output: Words(from.output.0.map(|x| word(x, output))),
                };
                let bias = (from.output_bias * (100 * OUTPUT_UNIT) as f32).round() as i32;
                network.heads[(empties / 2).min(HEADS - 1)] = Head { layer, bias };
            }
        }
        network
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::random::Random;

    #[test]
    fn the_engine_computes_what_the_model_says() {
        let weight_indices = weight_indices();
        let weights = weight_count(&weight_indices);
        let mut stage = StageModel::zero((0, 63), weights);
        let mut random = Random::of_stream(3, 3);
        let mut uniform = |size: f32| size * (2.0 * random.unit() - 1.0);
        stage.embeddings.fill_with(|| Vector(array::from_fn(|_| uniform(0.3))));
        stage.biases.fill_with(|| Vector(array::from_fn(|_| uniform(2.0))));
        for head in &mut stage.heads {
            head.matrix.fill_with(|| Vector(array::from_fn(|_| uniform(0.6))));
            head.hidden_bias = Vector(array::from_fn(|_| uniform(1.0)));
            head.direct = Vector(array::from_fn(|_| uniform(1.0)));
            head.output = Vector(array::from_fn(|_| uniform(4.0)));
            head.output_bias = uniform(1.0);
        }
        let network = Model { stages: vec![stage.clone()] }.quantised(1);
        let (mut products, mut error) = (0, 0.0);
        for plies in 0..200 {
            // On nearly symmetric boards an embedding comes up to eight times, and its rounding error with it.
            let board = crate::selfplay::random_board(&mut random, 8 + plies % 42);
            let sample = Sample::of::<outflank::kernel::Portable>(board, &weight_indices);
            let expected = stage.value(&sample);
            let features = Features::of(board);
            let found =
                network.value::<outflank::kernel::Portable>(&features, board, board.moves()) as f32 / 100.0;
            assert!((found - expected).abs() < 2.5 || expected.abs() > 63.0, "{found} {expected}");
            error += (found - expected.clamp(-64.0, 64.0)).abs() / 200.0;
            products += inputs(&stage.sum(&sample))[WIDTH..].iter().filter(|&&product| product > 0.5).count();
        }
        assert!(products > 100 && error < 0.4, "{products} {error}");
    }
}
