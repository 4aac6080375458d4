//! A vector with a bitboard and the same bitboard reversed.
//!
//! In the reversed board, the rays to lower squares are rays to higher squares. A carry finds their end, and left shifts follow
//! them, as for the rays of the board itself.

use std::arch::aarch64::*;
use std::arch::asm;

use crate::kernel::rays::INNER;
use crate::square::Square;

/// The discs of both sides: the board in lane 0, and reversed in lane 1.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Sides {
    pub(super) players: uint64x2_t,
    pub(super) opponents: uint64x2_t,
}

impl Sides {
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn of(player: u64, opponent: u64) -> Sides {
        let both = |discs: u64| vcombine_u64(vcreate_u64(discs), vcreate_u64(discs.reverse_bits()));
        Sides { players: both(player), opponents: both(opponent) }
    }

    /// Returns the discs after a move with these flips, with the other side to move.
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn after(self, square: Square, flips: uint64x2_t) -> Sides {
        // SAFETY: sixteen bytes of an array.
        let place = unsafe { vld1q_u64(PLACES[square.index()].as_ptr()) };
        Sides {
            players: vbicq_u64(self.opponents, flips),
            opponents: vorrq_u64(vorrq_u64(self.players, place), flips),
        }
    }
}

/// Each square in both lanes.
static PLACES: [[u64; 2]; 64] = {
    let mut all = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = [1 << square, 1 << (63 - square)];
        square += 1;
    }
    all
};

/// Returns the board in lane 0.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn lower(lanes: uint64x2_t) -> u64 {
    vgetq_lane_u64::<0>(lanes)
}

/// Returns the discs on columns b to g: a run of flipped discs along a row or a diagonal has no disc on an edge column.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn inner(lanes: uint64x2_t) -> uint64x2_t {
    vandq_u64(lanes, vdupq_n_u64(INNER))
}

/// Returns the union of both lanes, one of them reversed, in both lanes.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn joined(lanes: uint64x2_t) -> uint64x2_t {
    /// The bytes of a vector from the last to the first.
    const REVERSED: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
    let turned: uint8x16_t;
    // SAFETY: an operation on registers. The compiler would replace the intrinsic by two operations.
    unsafe {
        asm!(
            "tbl {turned:v}.16b, {{ {lanes:v}.16b }}, {places:v}.16b",
            turned = lateout(vreg) turned,
            lanes = in(vreg) vreinterpretq_u8_u64(lanes),
            places = in(vreg) vld1q_u8(REVERSED.as_ptr()),
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    vorrq_u64(lanes, vreinterpretq_u64_u8(vrbitq_u8(turned)))
}
