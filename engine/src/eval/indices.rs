//! Feature indices and weight indices.
//!
//! A *feature index* identifies a configuration of a pattern or a state of a mobility feature. The table of a stage has an
//! embedding for each: pattern by pattern, then the mobility features. Features that are mirror images of each other share a
//! weight, which has a *weight index*. The weights file and the training use weights, the engine looks up features.

use std::ops::Range;

use super::mobility;
use super::patterns::{PATTERN_COUNT, first_images, orders, pattern_start};

/// Number of feature indices, rounded up to a power of two so that an index is masked instead of checked.
pub(super) const TABLE_SIZE: usize = mobility::END.next_power_of_two();

/// The weight index of each feature index. They are numbered in the order of the features.
pub fn weight_indices() -> Vec<u32> {
    let mut indices = Vec::new();
    let mut next = 0;
    for pattern in 0..PATTERN_COUNT {
        let start = indices.len();
        // The digits 0, 1, 2 are opponent, empty, mover: balanced ternary plus half of the largest number.
        for (configuration, first) in first_images(3, orders(pattern).into_iter()).into_iter().enumerate() {
            if first as usize == configuration {
                indices.push(next);
                next += 1;
            } else {
                indices.push(indices[start + first as usize]);
            }
        }
    }
    let classes = mobility::classes();
    let mut index_of = vec![None; classes.len()];
    for class in classes {
        indices.push(*index_of[class].get_or_insert_with(|| {
            next += 1;
            next - 1
        }));
    }
    indices
}

/// A range of features, numbered by digits: the contents of the squares of a pattern.
pub(super) struct Section {
    pub(super) range: Range<usize>,
    pub(super) base: u32,
}

/// Most digits of a feature.
const MAX_DIGITS: usize = 18;
/// Most relations of neighbors: two for each digit, and the view of the other side.
pub(super) const RELATIONS: usize = 2 * MAX_DIGITS + 1;

/// The features of a section in their order, and the digits of the current one.
pub(super) struct Counter<'s> {
    section: &'s Section,
    number: usize,
    digits: Vec<Digit>,
}

#[derive(Clone, Copy)]
struct Digit {
    value: u32,
    /// The value of 1 in this place.
    power: usize,
}

impl Section {
    /// Returns a counter at the first feature.
    pub(super) fn counter(&self) -> Counter<'_> {
        Counter { section: self, number: 0, digits: Vec::new() }
    }
}

impl Counter<'_> {
    /// Goes on to the next feature.
    pub(super) fn advance(&mut self) {
        self.number += 1;
        for digit in &mut self.digits {
            digit.value += 1;
            if digit.value < self.section.base {
                return;
            }
            digit.value = 0;
        }
        self.digits.push(Digit { value: 1, power: self.number });
    }

    /// Calls `take` with the relation and the index of each earlier feature that is similar to the current one: those with 0
    /// in the place of one digit, and the one with all digits mirrored, the view of the other side.
    pub(super) fn neighbors(&self, mut take: impl FnMut(usize, usize)) {
        let Range { start, end } = self.section.range;
        let other = end - start - 1 - self.number;
        if other < self.number {
            take(0, start + other);
        }
        for (place, digit) in self.digits.iter().enumerate() {
            if digit.value > 0 {
                let value = digit.value as usize;
                take(2 * place + value, start + self.number - value * digit.power);
            }
        }
    }
}

/// Returns the first feature of the weight of each feature.
pub(super) fn firsts(weight_indices: &[u32]) -> Vec<usize> {
    let mut first_of_weight = Vec::new();
    let first = |(feature, &weight): (usize, &u32)| {
        if weight as usize == first_of_weight.len() {
            first_of_weight.push(feature);
        }
        first_of_weight[weight as usize]
    };
    weight_indices.iter().enumerate().map(first).collect()
}

/// The feature indices of each pattern, then those of mobility.
pub(super) fn sections() -> impl Iterator<Item = Section> {
    let patterns = (0..PATTERN_COUNT)
        .map(|pattern| Section { range: pattern_start(pattern)..pattern_start(pattern + 1), base: 3 });
    patterns.chain(std::iter::once(Section { range: pattern_start(PATTERN_COUNT)..mobility::END, base: 2 }))
}
