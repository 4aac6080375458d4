//! Feature indices and weight indices.
//!
//! A *feature index* identifies a configuration of a pattern or a state of a mobility feature. The table of a stage has an
//! embedding for each: pattern by pattern, then the mobility features. Features that are mirror images of each other share a
//! weight, which has a *weight index*. The weights file and the training use weights, the engine looks up features.

use super::mobility;
use super::patterns::{PATTERN_COUNT, first_images, orders};

/// Number of feature indices, rounded up to a power of two so that an index is masked instead of checked.
pub(super) const TABLE_SIZE: usize = mobility::END.next_power_of_two();

/// The weight index of each feature index. They are numbered in the order of the features.
pub(super) fn weight_indices() -> Vec<u32> {
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
