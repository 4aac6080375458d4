//! The weights file.
//!
//! ```text
//!  0  8  OUTFLANK
//!  8  2  version, little-endian as all numbers
//! 10  4  length of what follows the head
//! 14  8  checksum of what follows the head: FNV-1a, 64 bits
//! 22  8  fingerprint of the patterns and features it was made for
//! 30     the network, through the range coder
//! ```
//!
//! It holds an embedding for each weight, which is shared by features that are mirror images of one another
//! ([`super::indices`]). One never learnt is one bit; other numbers are multiples of a step, coded by their size class
//! in the context of their place in the embedding and of the numbers before.

use std::fmt;
use std::ops::Range;

use super::coder::{Chance, Coder, Reader, Writer};
use super::fingerprint::{fingerprint, fnv1a};
use super::indices::{TABLE_SIZE, sections, weight_indices};
use super::network::{Embedding, HEADS, Head, Network, Stage, WIDTH};

const MARK: [u8; 8] = *b"OUTFLANK";
const VERSION: u16 = 6;
/// Where the fields of the head are.
const VERSION_FIELD: Range<usize> = 8..10;
const LENGTH_FIELD: Range<usize> = 10..14;
pub(super) const CHECKSUM_FIELD: Range<usize> = 14..22;
const FINGERPRINT_FIELD: Range<usize> = 22..30;
const HEAD_LENGTH: usize = 30;
/// More stages than anybody needs.
const MAX_STAGES: usize = 8;

/// Why bytes are not a weights file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// The file does not begin with the mark of a weights file.
    NotWeights,
    /// The file has another version than this program reads.
    Version {
        /// The file's.
        found: u16,
    },
    /// The file was made for other patterns or features than this program has.
    Fingerprint {
        /// This program's.
        expected: u64,
        /// The file's.
        found: u64,
    },
    /// The file is shorter or longer than it says.
    Length {
        /// Bytes it should have.
        expected: usize,
        /// Bytes it has.
        found: usize,
    },
    /// The checksum is not that of the content: the file is damaged.
    Checksum,
    /// A number of empty squares is given a stage that the file does not have.
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
            WeightsError::Stage { empties } => {
                write!(f, "the weights file has no stage for {empties} empty squares")
            }
        }
    }
}

impl std::error::Error for WeightsError {}

impl Network {
    /// A network of zeros.
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
    /// What is wrong with the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, WeightsError> {
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
        let weight_indices = weight_indices();
        let (expected, found) = (fingerprint(&weight_indices), number(head, FINGERPRINT_FIELD));
        if found != expected {
            return Err(WeightsError::Fingerprint { expected, found });
        }
        let expected = (number(head, LENGTH_FIELD) as usize).saturating_add(HEAD_LENGTH);
        if length != expected {
            return Err(WeightsError::Length { expected, found: length });
        }
        if checksum(body) != number(head, CHECKSUM_FIELD) {
            return Err(WeightsError::Checksum);
        }
        let mut reader = Reader::new(body);
        let stages = reader.raw(0, 4) as usize;
        let mut network = Network::zero(stages.min(MAX_STAGES));
        code(&mut reader, &mut network, 1, &weight_indices);
        match (0..64).find(|&empties| usize::from(network.stage_of[empties]) >= network.stages.len()) {
            Some(empties) => Err(WeightsError::Stage { empties: empties as u8 }),
            None => Ok(network),
        }
    }

    /// The weights file of the network, the numbers of its embeddings rounded to multiples of `step` (1 to 7). Of
    /// embeddings that should be equal by symmetry the first one counts.
    pub fn to_bytes(&self, step: u8) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.raw(self.stages.len() as u32, 4);
        let weight_indices = weight_indices();
        code(&mut writer, &mut self.clone(), step, &weight_indices);
        let body = writer.finish();
        let mut bytes = MARK.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(fingerprint(&weight_indices).to_le_bytes());
        bytes.extend(body);
        bytes
    }
}

impl Stage {
    fn zero() -> Stage {
        let embeddings = vec![Embedding::default(); TABLE_SIZE].into_boxed_slice();
        let embeddings = embeddings.try_into().unwrap_or_else(|_| unreachable!("it has that size"));
        Stage { embeddings }
    }
}

fn checksum(body: &[u8]) -> u64 {
    fnv1a(body.iter().map(|&byte| u64::from(byte)))
}

/// A number of the head, or of the first bytes of a file.
pub(super) fn number(head: &[u8], field: Range<usize>) -> u64 {
    let bytes = head.get(field).unwrap_or_default();
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Everything but the number of stages, in the order of the file.
fn code(coder: &mut impl Coder, network: &mut Network, step: u8, weight_indices: &[u32]) {
    let step = coder.raw(step.into(), 3).max(1) as i32;
    for stage in &mut network.stage_of {
        *stage = coder.raw((*stage).into(), 3) as u8;
    }
    let mut numbers = Numbers::new(step);
    for bias in &mut network.biases {
        words(coder, bias);
    }
    for head in &mut network.heads {
        let layer = &mut head.layer;
        for neurons in &mut layer.matrix.0 {
            words(coder, neurons.as_flattened_mut());
        }
        for bias in &mut layer.bias.0 {
            *bias = coder.raw(*bias as u32, 32) as i32;
        }
        words(coder, &mut layer.direct.0);
        words(coder, &mut layer.output.0);
        head.bias = coder.raw(head.bias as u32, 32) as i32;
    }
    // The first feature of each weight, from which the mirror images are copied.
    let mut firsts: Vec<usize> = Vec::new();
    for stage in &mut network.stages {
        firsts.clear();
        for range in sections() {
            numbers.forget();
            let mut learnt_before = false;
            for (feature, &weight) in range.clone().zip(&weight_indices[range]) {
                if let Some(&first) = firsts.get(weight as usize) {
                    stage.embeddings[feature] = stage.embeddings[first];
                    continue;
                }
                firsts.push(feature);
                let values = &mut stage.embeddings[feature].0;
                learnt_before = numbers.embedding(coder, values, learnt_before);
            }
        }
    }
}

fn words(coder: &mut impl Coder, words: &mut [i16]) {
    for word in words {
        // -32768 is kept out: its products could overflow in one kernel and not in another.
        *word = (coder.raw(u32::from(*word as u16), 16) as u16 as i16).max(-i16::MAX);
    }
}

/// Contexts of the numbers in embeddings.
struct Numbers {
    /// All numbers are multiples of it.
    step: i32,
    learnt: [Chance; 2],
    places: Vec<Place>,
}

/// Contexts of one place in an embedding after a number of one size class.
#[derive(Clone)]
struct Place {
    class: [Chance; 8],
    sign: Chance,
    high: [Chance; 8],
}

impl Numbers {
    fn new(step: i32) -> Numbers {
        let mut numbers = Numbers { step, learnt: [Chance::EVEN; 2], places: Vec::new() };
        numbers.forget();
        numbers
    }

    fn forget(&mut self) {
        let place = Place { class: [Chance::EVEN; 8], sign: Chance::EVEN, high: [Chance::EVEN; 8] };
        self.learnt = [Chance::EVEN; 2];
        self.places = vec![place; WIDTH * 8];
    }

    /// An embedding; whether it is not all zeros. A function of its own: browsers make the best code of one only from
    /// the next call on, and the loop around it is called once.
    #[inline(never)]
    fn embedding(&mut self, coder: &mut impl Coder, numbers: &mut [i8; WIDTH], learnt_before: bool) -> bool {
        let step = self.step;
        let mut steps = [0_i32; WIDTH];
        // A reader has nothing to divide, and two hundred thousand embeddings.
        if *numbers != [0; WIDTH] {
            // Rounded to the nearest, halves away from zero.
            steps = numbers.map(|n| (i32::from(n) + i32::from(n).signum() * (step / 2)) / step);
        }
        let learnt = coder.bit(&mut self.learnt[usize::from(learnt_before)], steps.iter().any(|&n| n != 0));
        if learnt {
            // The mean size of the last two numbers.
            let mut sizes = [0_u32; 2];
            for (n, number) in steps.iter_mut().enumerate() {
                let class = class_of((sizes[0] + sizes[1]).div_ceil(2));
                let place = &mut self.places[n * 8 + class as usize];
                *number = place.number(coder, *number);
                sizes = [sizes[1], number.unsigned_abs()];
            }
        }
        *numbers = steps.map(|n| (n * step).clamp(-127, 127) as i8);
        learnt
    }
}

impl Place {
    /// A number: its size class in unary, its sign, then its bits below the highest.
    fn number(&mut self, coder: &mut impl Coder, number: i32) -> i32 {
        let size = number.unsigned_abs();
        let mut class = 0;
        while class < 7 && coder.bit(&mut self.class[class as usize], class_of(size) > class) {
            class += 1;
        }
        if class == 0 {
            return 0;
        }
        let negative = coder.bit(&mut self.sign, number < 0);
        let below = class - 1;
        let mut found = 1;
        if below > 0 {
            let high = coder.bit(&mut self.high[class as usize], size >> (below - 1) & 1 != 0);
            found = found << 1 | u32::from(high);
            found = found << (below - 1) | coder.raw(size & ((1 << (below - 1)) - 1), below - 1);
        }
        if negative { -(found as i32) } else { found as i32 }
    }
}

/// Bits of a size from 0 to 127.
fn class_of(size: u32) -> u32 {
    (32 - size.leading_zeros()).min(7)
}
