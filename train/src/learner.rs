//! Stochastic gradient descent with Adagrad (Duchi, Hazan and Singer, 2011), one position at a time.

use outflank::eval::network::{HEADS, HIDDEN, WIDTH};
use outflank::kernel::{INPUTS, Kernels};

use crate::model::{CLIP, HeadModel, Sample, StageModel, Vector, inputs};
use crate::record::Record;

/// A number vector and the sums of its squared gradients.
#[derive(Clone, Copy)]
pub(crate) struct Learnt(pub(crate) Vector, pub(crate) Vector);

struct LearntHead {
    matrix: [Learnt; INPUTS],
    hidden_bias: Learnt,
    direct: Learnt,
    output: Learnt,
    output_bias: Learnt,
}

/// How is learnt.
#[derive(Clone, Copy)]
pub(crate) struct Config {
    pub(crate) passes: u32,
    pub(crate) rate: f32,
    pub(crate) head_rate: f32,
    pub(crate) linear: bool,
    pub(crate) seed: u64,
    pub(crate) outcomes: f32,
    pub(crate) close: f32,
    pub(crate) prior: f32,
}

/// The parameters of a stage while they are learnt.
pub(crate) struct Learner {
    pub(crate) embeddings: Vec<Learnt>,
    biases: Vec<Learnt>,
    heads: Vec<LearntHead>,
    config: Config,
}

impl Learnt {
    fn new(vector: Vector, prior: f32) -> Learnt {
        Learnt(vector, Vector([prior; WIDTH]))
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
    pub(crate) fn new(stage: &StageModel, config: Config) -> Learner {
        let new = |vector: Vector| Learnt::new(vector, config.prior);
        let head = |head: &HeadModel| LearntHead {
            matrix: head.matrix.map(new),
            hidden_bias: new(head.hidden_bias),
            direct: new(head.direct),
            output: new(head.output),
            output_bias: new(Vector([head.output_bias; WIDTH])),
        };
        Learner {
            embeddings: stage.embeddings.iter().copied().map(new).collect(),
            biases: stage.biases.iter().copied().map(new).collect(),
            heads: stage.heads.iter().map(head).collect(),
            config,
        }
    }

    pub(crate) fn store(&self, stage: &mut StageModel) {
        for (to, from) in stage.embeddings.iter_mut().zip(&self.embeddings) {
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
    pub(crate) fn learn<K: Kernels>(&mut self, records: &[Record], weight_indices: &[u32], rate: f32) -> f32 {
        let mut squares = 0.0;
        for record in records {
            let sample = Sample::of::<K>(record.board, weight_indices);
            let target = record.target(self.config.outcomes);
            squares += self.step(&sample, target, rate).powi(2);
        }
        squares
    }

    /// Learns from one position; its error before.
    #[inline(always)]
    fn step(&mut self, sample: &Sample, target: f32, rate: f32) -> f32 {
        let Config { close, linear, .. } = self.config;
        let mut sum = self.biases[sample.empties].0;
        for &weight in &sample.weights {
            sum.add(&self.embeddings[weight].0);
        }
        let head = &mut self.heads[(sample.empties / 2).min(HEADS - 1)];
        let inputs = inputs(&sum);
        let mut hidden = head.hidden_bias.0;
        if !linear {
            for (input, weights) in inputs.into_iter().zip(&head.matrix) {
                for i in 0..HIDDEN {
                    hidden.0[i] += input * weights.0.0[i];
                }
            }
        }
        let mut value = head.output_bias.0.0[0];
        for n in 0..WIDTH {
            value += head.direct.0.0[n] * sum.0[n];
        }
        if !linear {
            for n in 0..HIDDEN {
                value += head.output.0.0[n] * hidden.0[n].max(0.0);
            }
        }
        let found = value - target;
        // Whether a lost game is lost by 40 or by 50 discs decides fewer moves than what happens near a draw.
        let error = if close > 0.0 { found / (1.0 + target.abs() / close) } else { found };

        let head_rate = self.config.head_rate * rate;
        let rate = self.config.rate * rate;
        let mut back = Vector::default();
        let mut hidden_back = Vector::default();
        if !linear {
            let mut output = Vector::default();
            for n in 0..HIDDEN {
                output.0[n] = error * hidden.0[n].max(0.0);
                hidden_back.0[n] = if hidden.0[n] > 0.0 { error * head.output.0.0[n] } else { 0.0 };
            }
            let mut through = [0.0; INPUTS];
            for n in 0..INPUTS {
                for i in 0..HIDDEN {
                    through[n] += head.matrix[n].0.0[i] * hidden_back.0[i];
                }
                let gradient = Vector(hidden_back.0.map(|neuron| neuron * inputs[n]));
                head.matrix[n].step(&gradient, head_rate);
            }
            for n in 0..WIDTH {
                let other = (n + WIDTH / 2) % WIDTH;
                let product = through[WIDTH + n % (WIDTH / 2)] * inputs[other];
                back.0[n] = if sum.0[n] > 0.0 && sum.0[n] < CLIP { through[n] + product } else { 0.0 };
            }
            head.hidden_bias.step(&hidden_back, head_rate);
            head.output.step(&output, 8.0 * head_rate);
        }
        let mut direct = Vector::default();
        for n in 0..WIDTH {
            back.0[n] += error * head.direct.0.0[n];
            direct.0[n] = error * sum.0[n];
        }
        if linear {
            direct = Vector::default();
        }
        head.direct.step(&direct, 8.0 * head_rate);
        head.output_bias.step(&Vector([error; WIDTH]), 8.0 * head_rate);
        self.biases[sample.empties].step(&back, head_rate);
        for &weight in &sample.weights {
            self.embeddings[weight].step(&back, rate);
        }
        found
    }
}
