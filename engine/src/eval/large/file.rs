//! The file of the large network: a weights file ([`crate::eval::weights`]) with another fingerprint.
//!
//! Mirror images share a row. The file contains the first of them.

use super::moves::{self, MOVE_PATTERNS, move_start};
use super::rows::Rows;
use super::{LARGE_WIDTH, LargeNetwork, MOVES_START};
use crate::eval::coder::{Coder, Decoder, Encoder};
use crate::eval::fingerprint::{fingerprint, fnv1a};
use crate::eval::indices::{Section, firsts, sections, weight_indices};
use crate::eval::network::{HEADS, HIDDEN};
use crate::eval::numbers::{Numbers, biases_and_heads};
use crate::eval::weights::{self, WeightsError};
use crate::kernel::WIDE_INPUTS;

/// The rows that are equal by symmetry, and the fingerprint of the meaning of all rows.
struct Form {
    /// The first mirror image of each row.
    firsts: Vec<usize>,
    fingerprint: u64,
}

impl Form {
    fn new(weight_indices: &[u32]) -> Form {
        let mut firsts = firsts(weight_indices);
        firsts.resize(MOVES_START, 0);
        let of_moves = moves::firsts();
        firsts.extend(of_moves.iter().map(|first| MOVES_START + first));
        let size = [LARGE_WIDTH, WIDE_INPUTS, HIDDEN, HEADS].map(|number| number as u64);
        let squares = MOVE_PATTERNS.iter().flat_map(|text| text.bytes().chain([b';'])).map(u64::from);
        let shared = of_moves.iter().map(|&first| first as u64);
        let features = fingerprint(weight_indices);
        let fingerprint = fnv1a(size.into_iter().chain([features]).chain(squares).chain(shared));
        Form { firsts, fingerprint }
    }
}

impl LargeNetwork {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If the file is invalid.
    pub fn from_bytes(bytes: &[u8]) -> Result<LargeNetwork, WeightsError> {
        LargeNetwork::read(bytes, &weight_indices())
    }

    pub(in crate::eval) fn read(bytes: &[u8], weight_indices: &[u32]) -> Result<LargeNetwork, WeightsError> {
        let form = Form::new(weight_indices);
        let body = weights::body(bytes, form.fingerprint)?;
        let rows = Rows::try_zero().ok_or(WeightsError::Memory { bytes: Rows::BYTES })?;
        let mut network = LargeNetwork::of(rows);
        code(&mut Decoder::new(body), &mut network, 1, &form.firsts);
        Ok(network)
    }

    /// Returns the file of the network, with the numbers of its rows rounded to multiples of `step` (1 to 7). Of rows that
    /// should be equal by symmetry, the first one is written.
    pub fn to_bytes(&self, step: u8) -> Vec<u8> {
        let form = Form::new(&weight_indices());
        let mut writer = Encoder::new();
        code(&mut writer, &mut self.clone(), step, &form.firsts);
        weights::file(&writer.finish(), form.fingerprint)
    }
}

/// Codes everything, in the order of the file.
fn code(coder: &mut impl Coder, network: &mut LargeNetwork, step: u8, firsts: &[usize]) {
    let step = coder.raw(step.into(), 3).max(1) as i32;
    biases_and_heads!(coder, network);
    let mut numbers = Numbers::<LARGE_WIDTH>::new(step);
    let start = |pattern| MOVES_START + move_start(pattern);
    let of_moves = (0..MOVE_PATTERNS.len())
        .map(|pattern| Section { range: start(pattern)..start(pattern + 1), base: 2 });
    for section in sections().chain(of_moves) {
        numbers.section(coder, &mut network.rows, &section, firsts, Rows::get, Rows::set);
    }
}
