//! The network of `fit` with embeddings of any width, learnt in the same way.

use outflank::eval::network::{HEADS, HIDDEN};
use outflank::random::Random;

use crate::learner::Config;
use crate::model::CLIP;

/// Numbers and the sums of their squared gradients.
#[derive(Clone)]
struct Learnt<const N: usize>([f32; N], [f32; N]);

/// What is read off the sums.
#[derive(Clone)]
struct Head<const WIDTH: usize> {
    /// From the sums, then from the products of their halves, to the neurons.
    matrix: Vec<Learnt<HIDDEN>>,
    hidden_bias: Learnt<HIDDEN>,
    direct: Learnt<WIDTH>,
    output: Learnt<HIDDEN>,
    bias: Learnt<1>,
}

/// A network of one width.
pub(crate) struct Net<const WIDTH: usize> {
    /// Of all stages, one after the other.
    embeddings: Vec<Learnt<WIDTH>>,
    biases: Vec<Learnt<WIDTH>>,
    heads: Vec<Head<WIDTH>>,
    config: Config,
}

/// What a position gives to a network.
pub(crate) struct Sample<'a> {
    pub(crate) empties: usize,
    /// Of its embeddings.
    pub(crate) rows: &'a [usize],
}

impl<const N: usize> Learnt<N> {
    #[inline(always)]
    fn step(&mut self, gradient: &[f32; N], rate: f32) {
        for ((number, squares), g) in self.0.iter_mut().zip(&mut self.1).zip(gradient) {
            *squares += g * g;
            *number -= rate * g / squares.sqrt();
        }
    }
}

impl<const WIDTH: usize> Net<WIDTH> {
    const HALF: usize = WIDTH / 2;

    /// One that knows nothing: embeddings zero, heads random. Those used too rarely stay zero.
    pub(crate) fn fresh(rare: &[bool], config: Config) -> Net<WIDTH> {
        let mut random = Random::of_stream(config.seed, 77);
        let prior = config.prior;
        let inputs = WIDTH + Self::HALF;
        // As much comes into a neuron whatever the width.
        let size = 1.2 * (24.0 / inputs as f32).sqrt();
        let mut uniform =
            |size: f32| Learnt(std::array::from_fn(|_| (random.unit() - 0.5) * size), [prior; HIDDEN]);
        let matrix = (0..inputs).map(|_| uniform(size)).collect();
        let output = uniform(8.0);
        let mut direct = Learnt([0.0; WIDTH], [prior; WIDTH]);
        direct.0[0] = 8.0;
        let mut bias = Learnt([0.7; WIDTH], [prior; WIDTH]);
        bias.0[0] = 0.0;
        let head = Head {
            matrix,
            hidden_bias: Learnt([0.1; HIDDEN], [prior; HIDDEN]),
            direct,
            output,
            bias: Learnt([0.0], [prior]),
        };
        let embedding =
            |&rare: &bool| Learnt([0.0; WIDTH], [if rare { f32::INFINITY } else { prior }; WIDTH]);
        Net {
            embeddings: rare.iter().map(embedding).collect(),
            biases: vec![bias; 64],
            heads: vec![head; HEADS],
            config,
        }
    }

    /// All its numbers, in the order of [`super::saved::Saved`].
    pub(crate) fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.embeddings.iter_mut().chain(&mut self.biases).flat_map(|row| &mut row.0);
        let heads = self.heads.iter_mut().flat_map(|head| {
            let matrix = head.matrix.iter_mut().flat_map(|neurons| &mut neurons.0);
            let rest = head.hidden_bias.0.iter_mut().chain(&mut head.direct.0).chain(&mut head.output.0);
            matrix.chain(rest).chain(&mut head.bias.0)
        });
        rows.chain(heads)
    }

    #[inline(always)]
    fn sums(&self, sample: &Sample<'_>) -> [f32; WIDTH] {
        let mut sums = self.biases[sample.empties].0;
        for &row in sample.rows {
            for (sum, number) in sums.iter_mut().zip(&self.embeddings[row].0) {
                *sum += number;
            }
        }
        sums
    }

    /// The value in discs.
    #[inline(always)]
    pub(crate) fn value(&self, sample: &Sample<'_>) -> f32 {
        let sums = self.sums(sample);
        self.heads[(sample.empties / 2).min(HEADS - 1)].value(&sums).0
    }

    /// Learns from one position; its error before.
    #[inline(always)]
    pub(crate) fn step(&mut self, sample: &Sample<'_>, target: f32, rate: f32) -> f32 {
        let sums = self.sums(sample);
        let head = &mut self.heads[(sample.empties / 2).min(HEADS - 1)];
        let (value, hidden) = head.value(&sums);
        let found = value - target;
        let close = self.config.close;
        let error = if close > 0.0 { found / (1.0 + target.abs() / close) } else { found };
        let (rate, head_rate) = (self.config.rate * rate, self.config.head_rate * rate);

        let output: [f32; HIDDEN] = std::array::from_fn(|n| error * hidden[n].max(0.0));
        let back: [f32; HIDDEN] =
            std::array::from_fn(|n| if hidden[n] > 0.0 { error * head.output.0[n] } else { 0.0 });
        let cut: [f32; WIDTH] = sums.map(|sum| sum.clamp(0.0, CLIP));
        // Through the neurons to the sums, and through the products to both of their factors.
        let mut through = [0.0; WIDTH];
        for (n, neurons) in head.matrix.iter_mut().enumerate() {
            let to_input: f32 = neurons.0.iter().zip(&back).map(|(weight, back)| weight * back).sum();
            let input = if n < WIDTH { cut[n] } else { cut[n - WIDTH] * cut[n - Self::HALF] };
            neurons.step(&back.map(|neuron| neuron * input), head_rate);
            if n < WIDTH {
                through[n] += to_input;
            } else {
                let (one, other) = (n - WIDTH, n - Self::HALF);
                through[one] += to_input * cut[other];
                through[other] += to_input * cut[one];
            }
        }
        let gradient: [f32; WIDTH] = std::array::from_fn(|n| {
            let inside = sums[n] > 0.0 && sums[n] < CLIP;
            error * head.direct.0[n] + if inside { through[n] } else { 0.0 }
        });
        head.hidden_bias.step(&back, head_rate);
        head.output.step(&output, 8.0 * head_rate);
        head.direct.step(&sums.map(|sum| error * sum), 8.0 * head_rate);
        head.bias.step(&[error], 8.0 * head_rate);
        self.biases[sample.empties].step(&gradient, head_rate);
        for &row in sample.rows {
            self.embeddings[row].step(&gradient, rate);
        }
        found
    }
}

impl<const WIDTH: usize> Head<WIDTH> {
    /// The value of the sums, and the neurons before what is negative is cut off.
    #[inline(always)]
    fn value(&self, sums: &[f32; WIDTH]) -> (f32, [f32; HIDDEN]) {
        let cut = sums.map(|sum| sum.clamp(0.0, CLIP));
        let mut hidden = self.hidden_bias.0;
        for (n, neurons) in self.matrix.iter().enumerate() {
            let input = if n < WIDTH { cut[n] } else { cut[n - WIDTH] * cut[n - WIDTH / 2] };
            for (neuron, weight) in hidden.iter_mut().zip(&neurons.0) {
                *neuron += input * weight;
            }
        }
        let direct: f32 = self.direct.0.iter().zip(sums).map(|(weight, sum)| weight * sum).sum();
        let output: f32 =
            self.output.0.iter().zip(&hidden).map(|(weight, neuron)| weight * neuron.max(0.0)).sum();
        (self.bias.0[0] + direct + output, hidden)
    }
}

#[cfg(test)]
mod tests {
    use outflank::eval::indices::weight_indices;
    use outflank::kernel::Portable;

    use super::*;
    use crate::fit::fresh;
    use crate::learner::Learner;
    use crate::model::{self, weight_count};
    use crate::record::{Proof, Record};
    use crate::selfplay::random_board;

    #[test]
    fn sixteen_wide_it_learns_what_fit_learns() {
        let config = Config {
            passes: 1,
            rate: 0.04,
            head_rate: 0.01,
            linear: false,
            seed: 1,
            outcomes: 0.0,
            close: 12.0,
            prior: 10.0,
        };
        let indices = weight_indices();
        let model = fresh(&[(0, 63)], &config);
        let mut learner = Learner::new(&model.stages[0], config);
        let mut net = Net::<16>::fresh(&vec![false; weight_count(&indices)], config);
        let mut random = Random::of_stream(6, 6);
        let mut squares = [0.0, 0.0];
        for plies in 0..400 {
            let board = random_board(&mut random, 8 + plies % 42);
            // Something that can be learnt.
            let value = 100 * (board.moves().count() as i16 - board.after_pass().moves().count() as i16);
            let record =
                Record { board, game: 1, value, proof: Proof::Search(4), random: false, outcome: None };
            squares[0] += learner.learn::<Portable>(&[record], &indices, 1.0);
            let sample = model::Sample::of::<Portable>(board, &indices);
            let sample = Sample { empties: sample.empties, rows: &sample.weights };
            squares[1] += net.step(&sample, record.target(0.0), 1.0).powi(2);
        }
        assert!((squares[0] / squares[1] - 1.0).abs() < 1e-4, "{squares:?}");
    }

    #[test]
    fn any_width_learns() {
        fn last<const WIDTH: usize>() -> f32 {
            let config = Config {
                passes: 1,
                rate: 0.04,
                head_rate: 0.01,
                linear: false,
                seed: 1,
                outcomes: 0.0,
                close: 0.0,
                prior: 1.0,
            };
            let mut net = Net::<WIDTH>::fresh(&[false, false, true], config);
            let targets = [(20.0, [0, 2]), (-10.0, [1, 2])];
            for _ in 0..500 {
                for (target, rows) in &targets {
                    net.step(&Sample { empties: 30, rows }, *target, 1.0);
                }
            }
            // The rare one stays zero.
            assert_eq!(net.embeddings[2].0, [0.0; WIDTH]);
            targets
                .iter()
                .map(|(target, rows)| (net.value(&Sample { empties: 30, rows }) - target).abs())
                .sum()
        }
        for error in [last::<16>(), last::<32>(), last::<64>()] {
            assert!(error < 1.0, "{error}");
        }
    }
}
