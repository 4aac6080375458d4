//! Patterns of moves: which squares of a pattern the mover can take, and which the opponent could.
//!
//! A square has four states: either side, both sides or no side can place a disc there. This depends on lines that leave the
//! pattern, so patterns of discs do not contain it. As with discs ([`super::patterns`]), the instances of a pattern
//! share their weights. A state of an instance of `n` squares is a number of `2n` bits: the mover's moves with the first
//! square as the lowest bit, then the opponent's.

use super::patterns::{Instance, first_images, instances, length, orders_of};
use crate::kernel::{GATHERED, Gather, Gathered};

/// The squares of the patterns of moves. Each line is one instance.
pub(super) const MOVE_PATTERNS: [&str; 4] = [
    "a1 b1 c1 a2 b2 c2 a3 b3 c3", // corner block of nine
    "a1 b1 c1 d1 e1 f1 g1 h1",    // edge
    "c2 d2 c3 d3 c4 d4",
    "a4 b4 c4 a5 b5 c5",
];

/// All instances, in the order of the patterns.
const INSTANCES: ([Instance; 8 * MOVE_PATTERNS.len()], usize) = instances(&MOVE_PATTERNS);

/// Returns, for each instance, the number of its state among the states of all patterns.
pub(super) fn states() -> Gather {
    const GATHERED_STATES: [Gathered; GATHERED] = gathered();
    Gather::new(&GATHERED_STATES)
}

/// Returns the number of states of a pattern.
pub(super) const fn move_states(pattern: usize) -> usize {
    1 << (2 * length(MOVE_PATTERNS[pattern]))
}

/// Returns the number of a pattern's first state among the states of all patterns. With the number of patterns, returns the
/// number of states.
pub(super) const fn move_start(pattern: usize) -> usize {
    let (mut start, mut before) = (0, 0);
    while before < pattern {
        start += move_states(before);
        before += 1;
    }
    start
}

/// Returns the first mirror image of each state.
pub(super) fn firsts() -> Vec<usize> {
    let mut firsts = Vec::with_capacity(move_start(MOVE_PATTERNS.len()));
    for (pattern, text) in MOVE_PATTERNS.iter().enumerate() {
        let length = length(text);
        // The bits of both sides are reordered alike.
        let orders = orders_of(text).into_iter().map(|mut order| {
            order.extend_from_within(..);
            order[length..].iter_mut().for_each(|place| *place += length);
            order
        });
        firsts.extend(first_images(2, orders).into_iter().map(|first| move_start(pattern) + first as usize));
    }
    firsts
}

const fn gathered() -> [Gathered; GATHERED] {
    let (all, count) = INSTANCES;
    assert!(count == GATHERED, "the kernels gather another number of instances");
    let mut gathered = [Gathered { squares: [0; 9], length: 0, base: 0 }; GATHERED];
    let mut n = 0;
    while n < GATHERED {
        let mut place = 0;
        while place < all[n].length {
            gathered[n].squares[place] = all[n].squares[place];
            place += 1;
        }
        gathered[n].length = all[n].length;
        gathered[n].base = move_start(all[n].pattern) as u32;
        n += 1;
    }
    gathered
}
