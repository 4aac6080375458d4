//! The part of the evaluation that is updated from move to move.

use super::patterns::{CENTRES, DELTAS, INSTANCE_COUNT, LANES};
use crate::board::{Bitboard, Board, Square};

/// The configurations of all pattern instances from the mover's point of view, in balanced ternary (see `patterns`).
///
/// They change sign with the side to move, so a move is a few vector additions and a negation:
///
/// ```text
/// after = −(before + delta[square] + 2 Σ delta[flipped])
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Features([i16; LANES]);

impl Features {
    /// Returns the features of `board`.
    pub fn of(board: Board) -> Features {
        let mut configurations = [0_i16; LANES];
        for square in board.player {
            add(&mut configurations, square, 1);
        }
        for square in board.opponent {
            add(&mut configurations, square, -1);
        }
        Features(configurations)
    }

    /// Returns the features after the mover has placed a disc on `square` and flipped `flips`, from the other side's view.
    #[inline(always)]
    pub fn after_move(&self, square: Square, flips: Bitboard) -> Features {
        let mut turned = [0_i16; LANES];
        for flipped in flips {
            add(&mut turned, flipped, 1);
        }
        let placed = &DELTAS.0[square.index()];
        let mut configurations = [0; LANES];
        for lane in 0..LANES {
            let twice = turned[lane].wrapping_add(turned[lane]);
            configurations[lane] = self.0[lane].wrapping_add(placed[lane]).wrapping_add(twice).wrapping_neg();
        }
        Features(configurations)
    }

    /// Returns the features from the other side's view.
    #[inline(always)]
    pub fn after_pass(&self) -> Features {
        Features(self.0.map(i16::wrapping_neg))
    }

    /// Returns the feature index of each instance.
    #[inline(always)]
    pub(super) fn indices(&self) -> [u32; INSTANCE_COUNT] {
        std::array::from_fn(|n| self.index(n) as u32)
    }

    /// Returns the feature index of one instance, below [`INSTANCE_COUNT`].
    #[inline(always)]
    pub(super) fn index(&self, instance: usize) -> usize {
        (CENTRES[instance] + i32::from(self.0[instance])) as usize
    }
}

#[inline(always)]
fn add(configurations: &mut [i16; LANES], square: Square, times: i16) {
    for (configuration, delta) in configurations.iter_mut().zip(&DELTAS.0[square.index()]) {
        *configuration = configuration.wrapping_add(times.wrapping_mul(*delta));
    }
}
