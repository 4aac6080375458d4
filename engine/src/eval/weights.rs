//! The weights file.
//!
//! ```text
//!  0  8  OUTFLANK
//!  8  2  version, little-endian as all numbers
//! 10  4  length of what follows the head
//! 14  8  checksum of what follows the head: FNV-1a, 64 bits
//! 22  8  fingerprint of the patterns and features it was made for
//! 30     the numbers of the network, through the coder
//! ```
//!
//! The file contains a row for each weight. Features that are mirror images of each other share a weight
//! ([`super::indices`]). [`super::numbers`] describes the coding of the numbers. The fingerprint identifies the network.

use super::fingerprint::fingerprint;
use super::indices::{firsts, weight_indices};
use super::numbers::{CONTEXTS, RowCoder, differences, word};
use super::rows::MOVES_START;
use super::{Network, Rows, moves};
use crate::coder::{Coder, Decoder, Encoder, checksum};
use std::fmt;
use std::ops::Range;

const MARK: [u8; 8] = *b"OUTFLANK";
const VERSION: u16 = 9;
/// Positions of the fields of the header.
const VERSION_FIELD: Range<usize> = 8..10;
const LENGTH_FIELD: Range<usize> = 10..14;
pub(super) const CHECKSUM_FIELD: Range<usize> = 14..22;
const FINGERPRINT_FIELD: Range<usize> = 22..30;
const HEAD_LENGTH: usize = 30;
/// Error: the bytes are not a valid weights file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file does not start with the mark of a weights file.
    NotWeights,
    /// The file has a version that this program does not read.
    Version {
        /// The version of the file.
        found: u16,
    },
    /// The file was made for other patterns or features than those of this program.
    Fingerprint {
        /// The fingerprint of this program.
        expected: u64,
        /// The fingerprint of the file.
        found: u64,
    },
    /// The file is shorter or longer than its header states.
    Length {
        /// Expected number of bytes.
        expected: usize,
        /// Actual number of bytes.
        found: usize,
    },
    /// The checksum does not match: the file is damaged.
    Checksum,
    /// There is not enough memory for the network.
    Memory {
        /// Number of bytes requested.
        bytes: usize,
    },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::NotWeights => f.write_str("not a weights file of Outflank"),
            WeightsError::Version { found } => {
                write!(f, "weights file version {found}, this program reads version {VERSION}")
            }
            WeightsError::Fingerprint { expected, found } => {
                write!(
                    f,
                    "weights file made for other patterns: its fingerprint is {found:016x}, this program's \
                     {expected:016x}"
                )
            }
            WeightsError::Length { expected, found } => {
                write!(f, "the weights file has {found} bytes instead of {expected}")
            }
            WeightsError::Checksum => f.write_str("the weights file is damaged: its checksum is wrong"),
            WeightsError::Memory { bytes } => {
                write!(f, "there is no memory for the network: it takes {} MiB", bytes >> 20)
            }
        }
    }
}

impl std::error::Error for WeightsError {}

/// The rows that are equal by symmetry, and the fingerprint of the meaning of all rows.
pub(super) struct Form {
    /// The first mirror image of each row.
    pub(super) firsts: Vec<usize>,
    fingerprint: u64,
}

impl Form {
    pub(super) fn of<const WIDTH: usize>(weight_indices: &[u32]) -> Form {
        let mut firsts = firsts(weight_indices);
        let of_moves = if Network::<WIDTH>::MOVE_PATTERNS.is_empty() { Vec::new() } else { moves::firsts() };
        let fingerprint = fingerprint::<WIDTH>(weight_indices, &of_moves);
        firsts.resize(MOVES_START, 0);
        firsts.extend(of_moves.iter().map(|first| MOVES_START + first));
        Form { firsts, fingerprint }
    }
}

impl<const WIDTH: usize> Network<WIDTH> {
    /// Reads a weights file.
    ///
    /// # Errors
    ///
    /// If the file is invalid.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network<WIDTH>, WeightsError> {
        Network::read(bytes, &weight_indices())
    }

    pub(super) fn read(bytes: &[u8], weight_indices: &[u32]) -> Result<Network<WIDTH>, WeightsError> {
        let form = Form::of::<WIDTH>(weight_indices);
        let body = body(bytes, form.fingerprint)?;
        let rows = Rows::try_zero().ok_or(WeightsError::Memory { bytes: Rows::<WIDTH>::BYTES })?;
        let mut network = Network::of(rows);
        network.code(&mut Decoder::new(body, CONTEXTS), 1, &form.firsts);
        Ok(network)
    }

    /// Returns, for each row, the first of its mirror images. A weights file contains only these.
    pub fn first_rows() -> Vec<usize> {
        Form::of::<WIDTH>(&weight_indices()).firsts
    }

    /// Returns the weights file of the network, with the numbers of its rows rounded to multiples of `step` (1 to 7). Of rows that
    /// should be equal by symmetry, the first one is written.
    pub fn to_bytes(&self, step: u8) -> Vec<u8> {
        let form = Form::of::<WIDTH>(&weight_indices());
        let mut writer = Encoder::new(CONTEXTS);
        self.clone().code(&mut writer, step, &form.firsts);
        file(&writer.finish(), form.fingerprint)
    }

    /// Codes everything, in the order of the file.
    fn code(&mut self, coder: &mut impl Coder, step: u8, firsts: &[usize]) {
        let step = coder.raw(step.into(), 3).max(1) as i32;
        let Network { rows, biases, heads, .. } = self;
        differences(coder, 0, biases.iter_mut().map(|bias| &mut bias[..]), word);
        let weights = heads.iter_mut().map(|head| head.pairs_mut().as_flattened_mut().as_flattened_mut());
        differences(coder, 1, weights, word);
        differences(coder, 2, heads.iter_mut().map(|head| &mut head.bias[..]), |number| number);
        differences(coder, 3, heads.iter_mut().map(|head| &mut head.direct[..]), word);
        differences(coder, 4, heads.iter_mut().map(|head| &mut head.output[..]), word);
        differences(coder, 5, heads.iter_mut().map(|head| std::slice::from_mut(&mut head.base)), |number| {
            number
        });
        let mut numbers = RowCoder::new(coder, step);
        for (index, &first) in firsts.iter().enumerate() {
            let before = rows.get(index);
            let mut row = before;
            if first == index {
                numbers.row(&mut row);
            } else {
                row = rows.get(first);
            }
            // Unused memory is not written.
            if row != before {
                rows.set(index, row);
            }
        }
    }
}

/// Returns the content after the header of a file with this fingerprint.
pub(super) fn body(bytes: &[u8], fingerprint: u64) -> Result<&[u8], WeightsError> {
    let length = bytes.len();
    if !bytes.starts_with(&MARK) {
        return Err(WeightsError::NotWeights);
    }
    let Some((head, body)) = bytes.split_first_chunk::<HEAD_LENGTH>() else {
        return Err(WeightsError::Length { expected: HEAD_LENGTH, found: length });
    };
    let found = number(head, VERSION_FIELD) as u16;
    if found != VERSION {
        return Err(WeightsError::Version { found });
    }
    let found = number(head, FINGERPRINT_FIELD);
    if found != fingerprint {
        return Err(WeightsError::Fingerprint { expected: fingerprint, found });
    }
    let expected = (number(head, LENGTH_FIELD) as usize).saturating_add(HEAD_LENGTH);
    if length != expected {
        return Err(WeightsError::Length { expected, found: length });
    }
    if checksum(body) != number(head, CHECKSUM_FIELD) {
        return Err(WeightsError::Checksum);
    }
    Ok(body)
}

/// Returns a file with this content after its header.
pub(super) fn file(body: &[u8], fingerprint: u64) -> Vec<u8> {
    let mut bytes = MARK.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(checksum(body).to_le_bytes());
    bytes.extend(fingerprint.to_le_bytes());
    bytes.extend(body);
    bytes
}

pub(super) fn number(head: &[u8], field: Range<usize>) -> u64 {
    let bytes = head.get(field).unwrap_or_default();
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
