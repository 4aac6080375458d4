//! The weights file.
//!
//! ```text
//!  0  8  OUTFLANK
//!  8  2  version, little-endian as all numbers
//! 10  4  length of what follows the head
//! 14  8  checksum of what follows the head: FNV-1a, 64 bits
//! 22  8  fingerprint of the patterns and features it was made for
//! 30  1  number of stages
//! 31 64  the stage of each number of empty squares
//! 95     the numbers of the network, through the coder
//! ```
//!
//! The file contains an embedding for each weight. Features that are mirror images of each other share a weight
//! ([`super::indices`]). [`super::numbers`] describes the coding of the numbers. Files of the large network have another
//! fingerprint, and no stages ([`super::large`]).

use super::coder::{Coder, Decoder, Encoder};
use super::fingerprint::{fingerprint, fnv1a};
use super::indices::{TABLE_SIZE, firsts, sections, weight_indices};
use super::network::{Embedding, HEADS, Head, Network, Stage, WIDTH};
use super::numbers::{Numbers, biases_and_heads};
use std::fmt;
use std::ops::Range;

const MARK: [u8; 8] = *b"OUTFLANK";
const VERSION: u16 = 8;
/// Positions of the fields of the header.
const VERSION_FIELD: Range<usize> = 8..10;
const LENGTH_FIELD: Range<usize> = 10..14;
pub(super) const CHECKSUM_FIELD: Range<usize> = 14..22;
const FINGERPRINT_FIELD: Range<usize> = 22..30;
const HEAD_LENGTH: usize = 30;
/// Bytes for the number of stages and the stage of each number of empty squares.
const STAGES_LENGTH: usize = 65;
/// Most stages of a file.
const MAX_STAGES: usize = 8;

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
    /// A number of empty squares has a stage that the file does not contain.
    Stage {
        /// The number of empty squares.
        empties: u8,
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
            WeightsError::Stage { empties } => {
                write!(f, "the weights file has no stage for {empties} empty squares")
            }
        }
    }
}

impl std::error::Error for WeightsError {}

impl Network {
    /// Returns a network of zeros.
    pub fn zero(stages: usize) -> Network {
        Network {
            stage_of: [0; 64],
            stages: (0..stages).map(|_| Stage::zero()).collect(),
            biases: [[0; WIDTH]; 64],
            heads: [Head::default(); HEADS],
        }
    }

    /// Reads a weights file.
    ///
    /// # Errors
    ///
    /// If the file is invalid.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, WeightsError> {
        Network::read(bytes, &weight_indices())
    }

    pub(super) fn read(bytes: &[u8], weight_indices: &[u32]) -> Result<Network, WeightsError> {
        let body = body(bytes, fingerprint(weight_indices))?;
        let Some(([stages, stage_of @ ..], numbers)) = body.split_first_chunk::<STAGES_LENGTH>() else {
            return Err(WeightsError::Length { expected: HEAD_LENGTH + STAGES_LENGTH, found: bytes.len() });
        };
        let stages = usize::from(*stages).min(MAX_STAGES);
        if let Some(empties) = stage_of.iter().position(|&stage| usize::from(stage) >= stages) {
            return Err(WeightsError::Stage { empties: empties as u8 });
        }
        let mut network = Network { stage_of: *stage_of, ..Network::zero(stages) };
        let mut reader = Decoder::new(numbers);
        code(&mut reader, &mut network, 1, weight_indices);
        Ok(network)
    }

    /// Returns the weights file of the network, with the numbers of its embeddings rounded to multiples of `step` (1 to 7).
    /// Of embeddings that should be equal by symmetry, the first one is written.
    pub fn to_bytes(&self, step: u8) -> Vec<u8> {
        let mut writer = Encoder::new();
        let weight_indices = weight_indices();
        code(&mut writer, &mut self.clone(), step, &weight_indices);
        let stages = [&[self.stages.len() as u8], &self.stage_of[..]].concat();
        file(&[stages, writer.finish()].concat(), fingerprint(&weight_indices))
    }
}

impl Stage {
    fn zero() -> Stage {
        let embeddings = vec![Embedding::default(); TABLE_SIZE].into_boxed_slice();
        let embeddings = embeddings.try_into().unwrap_or_else(|_| unreachable!("it has that size"));
        Stage { embeddings }
    }

    fn get(&self, index: usize) -> [i8; WIDTH] {
        self.embeddings[index].0
    }

    fn set(&mut self, index: usize, numbers: [i8; WIDTH]) {
        self.embeddings[index].0 = numbers;
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

fn checksum(body: &[u8]) -> u64 {
    fnv1a(body.iter().map(|&byte| u64::from(byte)))
}

pub(super) fn number(head: &[u8], field: Range<usize>) -> u64 {
    let bytes = head.get(field).unwrap_or_default();
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Codes everything except the stages, in the order of the file.
fn code(coder: &mut impl Coder, network: &mut Network, step: u8, weight_indices: &[u32]) {
    let step = coder.raw(step.into(), 3).max(1) as i32;
    biases_and_heads!(coder, network);
    let mut numbers = Numbers::<WIDTH>::new(step);
    let firsts = firsts(weight_indices);
    for stage in &mut network.stages {
        for section in sections() {
            numbers.section(coder, stage, &section, &firsts, Stage::get, Stage::set);
        }
    }
}
