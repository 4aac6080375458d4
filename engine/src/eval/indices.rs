//! Feature indices and weight indices.
//!
//! A *feature index* identifies a configuration of a pattern or a state of a mobility feature. The table of a stage has an
//! embedding for each: pattern by pattern, then the mobility features. Features that are mirror images of each other share a
//! weight, which has a *weight index*. The weights file and the training use weights, the engine looks up features.

use std::ops::Range;

use super::mobility;
use super::patterns::{PATTERN_COUNT, configurations, orders, pattern_start, reordered};

/// Number of feature indices, rounded up to a power of two so that an index is masked instead of checked.
pub(super) const TABLE_SIZE: usize = mobility::END.next_power_of_two();

/// The weight index of each feature index. They are numbered in the order of the features.
pub fn weight_indices() -> Vec<u32> {
    let mut indices = Vec::new();
    let mut next = 0;
    for pattern in 0..PATTERN_COUNT {
        let start = indices.len();
        let orders = orders(pattern);
        for configuration in 0..configurations(pattern) {
            let images = orders.iter().map(|order| reordered(configuration, order));
            let first = images.min().unwrap_or(configuration);
            if first == configuration {
                indices.push(next);
                next += 1;
            } else {
                indices.push(indices[start + first]);
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

impl Section {
    /// Calls `take` with the relation and the index of each earlier feature that is similar to a feature: those with 0 in the
    /// place of one digit, and the one with all digits mirrored, the view of the other side.
    pub(super) fn neighbors(&self, index: usize, mut take: impl FnMut(usize, usize)) {
        let number = index - self.range.start;
        let other = self.range.len() - 1 - number;
        if other < number {
            take(0, self.range.start + other);
        }
        let (mut left, mut power, mut relation) = (number as u32, 1, 0);
        while left > 0 {
            let digit = left % self.base;
            if digit > 0 {
                take(relation + digit as usize, index - (digit * power) as usize);
            }
            left /= self.base;
            power *= self.base;
            relation += 2;
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
