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

/// The feature indices of each pattern, then those of mobility.
pub(super) fn sections() -> impl Iterator<Item = Range<usize>> {
    let patterns = (0..PATTERN_COUNT).map(|pattern| pattern_start(pattern)..pattern_start(pattern + 1));
    patterns.chain(std::iter::once(pattern_start(PATTERN_COUNT)..mobility::END))
}
