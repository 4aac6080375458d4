//! The fingerprint of patterns and features.

use super::Network;
use super::mobility::mobility_indices;
use super::network::{HEADS, SMALL};
use super::patterns::{CENTRES, DELTAS};
use crate::coder::fnv1a;
use crate::kernel::{Layer, NEURONS};
use crate::random::Random;

/// Boards whose mobility features are part of the fingerprint.
const SAMPLES: usize = 256;

/// Returns the fingerprint of the patterns and features of a network: a hash of its size, of the digit of each square in each
/// instance, of the weights that features share (`weight_indices` is [`super::indices::weight_indices`]), of the mobility features
/// of some boards, and of the patterns of moves and the rows that their states share (`first_states`). Weights made for other
/// features would decode to meaningless numbers.
pub(super) fn fingerprint<const WIDTH: usize>(weight_indices: &[u32], first_states: &[usize]) -> u64 {
    let deltas = DELTAS.0.as_flattened().iter().map(|&delta| delta as u64);
    let centres = CENTRES.iter().map(|&centre| centre as u64);
    let shared = weight_indices.iter().map(|&index| u64::from(index));
    let mut random = Random::new(0);
    let mobility = (0..SAMPLES).flat_map(|_| {
        let empty = random.bits();
        let indices = mobility_indices(random.bits() & empty, random.bits() & empty, empty);
        indices.map(|index| index as u64)
    });
    let features = fnv1a(size::<SMALL>().chain(deltas).chain(centres).chain(shared).chain(mobility));
    if Network::<WIDTH>::MOVE_PATTERNS.is_empty() {
        return features;
    }
    let squares =
        Network::<WIDTH>::MOVE_PATTERNS.iter().flat_map(|text| text.bytes().chain([b';'])).map(u64::from);
    let shared = first_states.iter().map(|&first| first as u64);
    fnv1a(size::<WIDTH>().chain([features]).chain(squares).chain(shared))
}

fn size<const WIDTH: usize>() -> impl Iterator<Item = u64> {
    [WIDTH, Layer::<WIDTH>::INPUTS, NEURONS, HEADS].into_iter().map(|number| number as u64)
}
