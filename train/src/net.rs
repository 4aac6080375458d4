//! A network while it is learned: stochastic gradient descent with Adagrad (Duchi, Hazan and Singer, 2011), one
//! position at a time.
//!
//! The arithmetic is that of `outflank::eval::network`, in discs instead of integers. A row is shared by all mirror images.

use outflank::board::Board;
use outflank::eval::Network;
use outflank::eval::network::{HEADS, UNIT};
use outflank::kernel::{Kernels, NEURONS};
use outflank::random::Random;

/// The upper bound of the first layer: 127 in integers.
const CLIP: f32 = 127.0 / UNIT as f32;

/// The input of a network.
pub(crate) struct Sample<'a> {
    pub(crate) empties: usize,
    pub(crate) rows: &'a [usize],
}

/// Finds the input of a board.
pub(crate) struct Lookup<const WIDTH: usize> {
    network: Network<WIDTH>,
    /// For each row, the one that its mirror images share.
    pub(crate) firsts: Vec<usize>,
}

impl<const WIDTH: usize> Lookup<WIDTH> {
    pub(crate) fn new() -> Lookup<WIDTH> {
        Lookup { network: Network::zero(), firsts: Network::<WIDTH>::first_rows() }
    }

    /// Returns the input of a board. `rows` is the buffer of its rows.
    #[inline(always)]
    pub(crate) fn sample<'a, K: Kernels>(&self, board: Board, rows: &'a mut Vec<usize>) -> Sample<'a> {
        rows.clear();
        rows.extend(self.network.row_indices::<K>(board).map(|row| self.firsts[row]));
        Sample { empties: board.empties() as usize & 63, rows }
    }
}

/// Settings of the descent.
#[derive(Clone, Copy)]
pub(crate) struct Config {
    /// Learning rates of the rows and of the heads.
    pub(crate) rate: f32,
    pub(crate) head_rate: f32,
    /// The sum of squared gradients at the start.
    pub(crate) prior: f32,
    pub(crate) seed: u64,
}

/// Numbers and the sums of their squared gradients.
#[derive(Clone)]
struct Parameter<const N: usize>([f32; N], [f32; N]);

/// The layers after the sums.
#[derive(Clone)]
struct Head<const WIDTH: usize> {
    /// From the sums, then from the products of their halves, to the neurons.
    matrix: Vec<Parameter<NEURONS>>,
    hidden_bias: Parameter<NEURONS>,
    direct: Parameter<WIDTH>,
    output: Parameter<NEURONS>,
    bias: Parameter<1>,
}

pub(crate) struct Net<const WIDTH: usize> {
    rows: Vec<Parameter<WIDTH>>,
    biases: Vec<Parameter<WIDTH>>,
    heads: Vec<Head<WIDTH>>,
    config: Config,
}

impl<const N: usize> Parameter<N> {
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

    /// An untrained network: rows are zero, heads random. `rare` rows stay as they are.
    pub(crate) fn fresh(rare: &[bool], config: Config) -> Net<WIDTH> {
        let mut random = Random::of_stream(config.seed, 77);
        let prior = config.prior;
        let inputs = WIDTH + Self::HALF;
        // The input of a neuron is as large for every width.
        let size = 1.2 * (24.0 / inputs as f32).sqrt();
        let mut uniform =
            |size: f32| Parameter(std::array::from_fn(|_| (random.unit() - 0.5) * size), [prior; NEURONS]);
        let matrix = (0..inputs).map(|_| uniform(size)).collect();
        let output = uniform(8.0);
        let mut direct = Parameter([0.0; WIDTH], [prior; WIDTH]);
        direct.0[0] = 8.0;
        let mut bias = Parameter([0.7; WIDTH], [prior; WIDTH]);
        bias.0[0] = 0.0;
        let head = Head {
            matrix,
            hidden_bias: Parameter([0.1; NEURONS], [prior; NEURONS]),
            direct,
            output,
            bias: Parameter([0.0], [prior]),
        };
        let row = |&rare: &bool| Parameter([0.0; WIDTH], [if rare { f32::INFINITY } else { prior }; WIDTH]);
        Net { rows: rare.iter().map(row).collect(), biases: vec![bias; 64], heads: vec![head; HEADS], config }
    }

    /// All numbers, in the order of [`Model`](crate::model::Model).
    pub(crate) fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.rows.iter_mut().chain(&mut self.biases).flat_map(|row| &mut row.0);
        let heads = self.heads.iter_mut().flat_map(|head| {
            let matrix = head.matrix.iter_mut().flat_map(|neurons| &mut neurons.0);
            let rest = head.hidden_bias.0.iter_mut().chain(&mut head.direct.0).chain(&mut head.output.0);
            matrix.chain(rest).chain(&mut head.bias.0)
        });
        rows.chain(heads)
    }

    /// Copies the bias and the head from one number of empty squares to another.
    pub(crate) fn copy_bias(&mut self, from: usize, to: usize) {
        self.biases[to] = self.biases[from].clone();
    }

    pub(crate) fn copy_head(&mut self, from: usize, to: usize) {
        self.heads[to] = self.heads[from].clone();
    }

    #[inline(always)]
    fn sums(&self, sample: &Sample<'_>) -> [f32; WIDTH] {
        let mut sums = self.biases[sample.empties].0;
        for &row in sample.rows {
            for (sum, number) in sums.iter_mut().zip(&self.rows[row].0) {
                *sum += number;
            }
        }
        sums
    }

    /// The value in discs.
    #[inline(always)]
    pub(crate) fn value(&self, sample: &Sample<'_>) -> f32 {
        self.heads[head_of(sample.empties)].value(&self.sums(sample)).0
    }

    /// Learns from one position and returns its error before.
    #[inline(always)]
    pub(crate) fn step(&mut self, sample: &Sample<'_>, target: f32, rate: f32) -> f32 {
        let sums = self.sums(sample);
        let head = &mut self.heads[head_of(sample.empties)];
        let (value, hidden) = head.value(&sums);
        let error = value - target;
        let (rate, head_rate) = (self.config.rate * rate, self.config.head_rate * rate);

        let output: [f32; NEURONS] = std::array::from_fn(|n| error * hidden[n].max(0.0));
        let back: [f32; NEURONS] =
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
            self.rows[row].step(&gradient, rate);
        }
        error
    }
}

fn head_of(empties: usize) -> usize {
    (empties / 2).min(HEADS - 1)
}

impl<const WIDTH: usize> Head<WIDTH> {
    /// The value of the sums, and the neurons before negative ones are cut off.
    #[inline(always)]
    fn value(&self, sums: &[f32; WIDTH]) -> (f32, [f32; NEURONS]) {
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
    use super::*;

    #[test]
    fn both_widths_learn() {
        fn last<const WIDTH: usize>() -> f32 {
            let config = Config { rate: 0.04, head_rate: 0.01, prior: 1.0, seed: 1 };
            let mut net = Net::<WIDTH>::fresh(&[false, false, true], config);
            let targets = [(20.0, [0, 2]), (-10.0, [1, 2])];
            for _ in 0..500 {
                for (target, rows) in &targets {
                    net.step(&Sample { empties: 30, rows }, *target, 1.0);
                }
            }
            // The rare row stays zero.
            assert_eq!(net.rows[2].0, [0.0; WIDTH]);
            let error = |(target, rows): &(f32, [usize; 2])| {
                (net.value(&Sample { empties: 30, rows }) - target).abs()
            };
            targets.iter().map(error).sum()
        }
        for error in [last::<16>(), last::<32>()] {
            assert!(error < 1.0, "{error}");
        }
    }
}
