//! From a trial of the engine's large form to its integers.

use std::path::Path;

use outflank::eval::indices::weight_indices;
use outflank::eval::large::{
    LARGE_WIDTH, LargeHead, LargeNetwork, MATRIX_UNIT, MOVE_PATTERNS, MOVES_START, move_start, move_states,
};
use outflank::eval::network::{HEADS, HIDDEN, OUTPUT_UNIT, UNIT};
use outflank::kernel::{Longs, WIDE_INPUTS, WideLayer, WideMatrix, WideWords, Words};

use super::pattern::Pattern;
use super::saved::Saved;
use crate::error::Error;
use crate::model::weight_count;

/// Numbers of a head.
const HEAD: usize = WIDE_INPUTS * HIDDEN + HIDDEN + LARGE_WIDTH + HIDDEN + 1;

/// A trial of the form that the engine has.
pub(crate) struct LargeModel {
    saved: Saved,
    /// Rows of the engine, and the row of the trial for each.
    rows: Vec<(usize, usize)>,
    /// Numbers of all rows.
    behind_rows: usize,
}

impl LargeModel {
    /// Reads the model of a trial.
    pub(crate) fn read(path: &Path) -> Result<LargeModel, Error> {
        LargeModel::of(Saved::read(path)?).map_err(|error| Error::at(path, error))
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        self.saved.write(path)
    }

    fn of(saved: Saved) -> Result<LargeModel, Error> {
        let [width, stages, more] = &saved.form;
        let patterns: Vec<&str> = more.split(';').map(str::trim).filter(|text| !text.is_empty()).collect();
        let same = |(text, squares): (&&str, &&str)| {
            let words = text.strip_prefix("moves:").unwrap_or_default().split_whitespace();
            words.eq(squares.split(' '))
        };
        let moves_agree =
            patterns.len() == MOVE_PATTERNS.len() && patterns.iter().zip(&MOVE_PATTERNS).all(same);
        if *width != LARGE_WIDTH.to_string() || stages != "0" || !moves_agree {
            return Err(Error::new(format!(
                "a network of another form than the engine's large one, which is --width {LARGE_WIDTH} --stages 0 \
                 --more \"{}\"",
                MOVE_PATTERNS.map(|squares| format!("moves:{squares}")).join(";")
            )));
        }
        let weight_indices = weight_indices();
        let mut rows: Vec<(usize, usize)> =
            weight_indices.iter().enumerate().map(|(index, &weight)| (index, weight as usize)).collect();
        let mut first = weight_count(&weight_indices);
        for (number, text) in patterns.iter().enumerate() {
            let pattern = Pattern::parse(text)?;
            let squares = MOVE_PATTERNS[number].split(' ').count();
            for state in 0..move_states(number) {
                let bit = |place: usize| (state >> place & 1) as u64;
                let row = pattern.row(|place| bit(place) + 2 * bit(squares + place));
                rows.push((MOVES_START + move_start(number) + state, first + row));
            }
            first += pattern.rows;
        }
        let behind_rows = first * LARGE_WIDTH;
        let expected = behind_rows + 64 * LARGE_WIDTH + HEADS * HEAD;
        if saved.numbers.len() != expected {
            let found = saved.numbers.len();
            return Err(Error::new(format!("{found} numbers instead of {expected}")));
        }
        Ok(LargeModel { saved, rows, behind_rows })
    }

    /// Where the heads begin.
    fn heads(&self) -> usize {
        self.behind_rows + 64 * LARGE_WIDTH
    }

    /// Adds so many discs to the value of each head.
    pub(crate) fn add(&mut self, discs: impl Iterator<Item = f32>) {
        let first = self.heads();
        for (head, discs) in self.saved.numbers[first..].chunks_exact_mut(HEAD).zip(discs) {
            head[HEAD - 1] += discs;
        }
    }

    /// The integers the engine computes with, those of the rows being multiples of `step`.
    pub(crate) fn quantised(&self, step: u8) -> LargeNetwork {
        let (unit, step) = (UNIT as f32, f32::from(step));
        let small = |x: f32| ((x * unit / step).round() * step).clamp(-127.0, 127.0) as i8;
        let word = |x: f32, unit: f32| (x * unit).round().clamp(-32767.0, 32767.0) as i16;
        // Centidiscs in output units, a unit of input.
        let output = (100 * OUTPUT_UNIT / UNIT) as f32;
        let numbers = &self.saved.numbers;
        let mut network = LargeNetwork::zero();
        for &(row, from) in &self.rows {
            network.rows.set(row, std::array::from_fn(|n| small(numbers[from * LARGE_WIDTH + n])));
        }
        let biases = numbers[self.behind_rows..].chunks_exact(LARGE_WIDTH);
        for (bias, from) in network.biases.iter_mut().zip(biases) {
            *bias = std::array::from_fn(|n| word(from[n], unit));
        }
        for (head, from) in network.heads.iter_mut().zip(numbers[self.heads()..].chunks_exact(HEAD)) {
            let (matrix, from) = from.split_at(WIDE_INPUTS * HIDDEN);
            let (bias, from) = from.split_at(HIDDEN);
            let (direct, from) = from.split_at(LARGE_WIDTH);
            // The engine divides products by twice their unit.
            let weight = |input: usize, neuron: usize| {
                let unit = if input < LARGE_WIDTH { MATRIX_UNIT } else { 2 * MATRIX_UNIT };
                word(matrix[input * HIDDEN + neuron], unit as f32)
            };
            let pair = |pair, neuron| [weight(2 * pair, neuron), weight(2 * pair + 1, neuron)];
            // The engine cuts neurons off below their unit: half of it more, and it rounds.
            let rounded = |x: f32| ((x * unit + 0.5) * MATRIX_UNIT as f32).round() as i32;
            let layer = WideLayer {
                matrix: WideMatrix(std::array::from_fn(|n| std::array::from_fn(|neuron| pair(n, neuron)))),
                bias: Longs(std::array::from_fn(|n| rounded(bias[n]))),
                direct: WideWords(std::array::from_fn(|n| word(direct[n], output))),
                output: Words(std::array::from_fn(|n| word(from[n], output))),
            };
            let bias = (from[HIDDEN] * (100 * OUTPUT_UNIT) as f32).round() as i32;
            *head = LargeHead { layer, bias };
        }
        network
    }
}

#[cfg(test)]
mod tests {
    use outflank::eval::Features;
    use outflank::kernel::Portable;
    use outflank::random::Random;

    use super::super::net::Net;
    use super::super::{Form, Saved};
    use super::*;
    use crate::fit::ranges;
    use crate::learner::Config;
    use crate::selfplay::random_board;

    fn form_of(width: &str) -> [String; 3] {
        let more = MOVE_PATTERNS.map(|squares| format!("moves:{squares}")).join("; ");
        [width.to_owned(), "0".to_owned(), more]
    }

    #[test]
    fn the_engine_computes_what_the_trial_says() {
        let text = form_of("32");
        let form = Form::new(&text[2], &ranges("0").unwrap_or_default()).unwrap_or_else(|e| panic!("{e}"));
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
        let mut net = Net::<32>::fresh(&vec![false; form.rows()], config);
        let mut random = Random::of_stream(3, 3);
        let rows = form.rows() * LARGE_WIDTH;
        for (n, number) in net.numbers().enumerate() {
            let size = if n < rows { 0.2 } else { 0.6 };
            *number = size * (2.0 * random.unit() - 1.0);
        }
        let saved = Saved { form: text, numbers: net.numbers().map(|number| *number).collect() };
        let model = LargeModel::of(saved).unwrap_or_else(|error| panic!("{error}"));
        let network = model.quantised(1);
        let (mut buffer, mut error, mut inside) = (Vec::new(), 0.0, 0);
        for plies in 0..200 {
            let board = random_board(&mut random, 8 + plies % 42);
            let expected = net.value(&form.look::<Portable>(board, &mut buffer));
            let found = network.value::<Portable>(&Features::of(board), board, board.moves()) as f32 / 100.0;
            assert!((found - expected).abs() < 1.0 || expected.abs() > 63.0, "{found} {expected}");
            error += (found - expected.clamp(-64.0, 64.0)).abs() / 200.0;
            inside += u32::from(expected.abs() > 1.0 && expected.abs() < 60.0);
        }
        assert!(inside > 50 && error < 0.2, "{inside} {error}");
    }

    #[test]
    fn another_form_is_refused_with_the_right_one() {
        for form in [form_of("64"), ["32".to_owned(), "0".to_owned(), String::new()]] {
            let error = LargeModel::of(Saved { form, numbers: Vec::new() }).map(|_| "none").unwrap_err();
            assert!(error.to_string().contains("moves:a1 b1 c1 a2"), "{error}");
        }
        let error = LargeModel::of(Saved { form: form_of("32"), numbers: vec![0.0; 7] }).map(|_| "none");
        assert!(error.unwrap_err().to_string().contains("7 numbers instead of"));
    }

    #[test]
    fn written_and_read_again() {
        let path = std::env::temp_dir().join(format!("outflank-trial-{}.model", std::process::id()));
        let saved = Saved { form: form_of("32"), numbers: vec![1.5, -2.0] };
        let again = saved.write(&path).and_then(|()| Saved::read(&path));
        let is = Saved::is(&path).unwrap_or_else(|error| panic!("{error}"));
        let _ = std::fs::remove_file(&path);
        let again = again.unwrap_or_else(|error| panic!("{error}"));
        assert!(is && again.form == saved.form && again.numbers == saved.numbers);
    }
}
