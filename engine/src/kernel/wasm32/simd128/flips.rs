//! Flips with WebAssembly SIMD: two rays in a vector, with rows swapped so that upward rays become downward rays and a carry
//! finds their end as well.
//!
//! ```text
//!   lane 0 of a vector: the board, rays downward      d  dr dl
//!   lane 1: the board with its bytes swapped, rays up u  ur ul
//! ```
//!
//! Tables of the bytes of a row handle the two rays along the row.
//!
//! All lanes are shifted right by one place. The square that falls out, a1 (or a8 with rows swapped), is on none of the six
//! rays. The highest bit stays clear, so a signed comparison shows if a lane is empty. It is one instruction, while "not
//! equal" is four.

use std::arch::wasm32::*;

use super::swapped::{Kept, merged, with_swapped};
use crate::kernel::rays::UP;
use crate::square::Square;

/// Zeros that the compiler cannot see: it would turn the comparison back into "not equal".
static ZERO: Kept = Kept([0; 2]);

/// For each square its rays `d dr dl`, each next to the upward ray that is its mirror image, with rows swapped, shifted.
#[repr(align(16))]
struct Pairs([[[u64; 2]; 3]; 64]);

static PAIRS: Pairs = pairs();

const fn pairs() -> Pairs {
    let mut all = [[[0; 2]; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 3 {
            let (down, up) = (UP.0[square][direction + 1], UP.0[square ^ 56][direction + 1]);
            all[square][direction] = [down >> 1, up >> 1];
            direction += 1;
        }
        square += 1;
    }
    Pairs(all)
}

/// The discs of both sides, each also with rows swapped, shifted.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Sides {
    player: u64,
    opponent: u64,
    zero: v128,
    players: v128,
    opponents: v128,
}

impl Sides {
    #[inline(always)]
    pub(super) fn of(player: u64, opponent: u64) -> Sides {
        let [players, opponents] = [player, opponent].map(|discs| u64x2_shr(with_swapped(discs), 1));
        Sides { player, opponent, zero: ZERO.get(), players, opponents }
    }

    #[inline(always)]
    pub(super) fn sides(self) -> (u64, u64) {
        (self.player, self.opponent)
    }

    /// Returns the discs of the opponent that a disc of the player on `square` flips.
    #[inline(always)]
    pub(super) fn flips(self, square: Square) -> u64 {
        let Sides { player, opponent, zero, players: p, opponents: o } = self;
        let index = square.index();
        let mut both = i64x2_splat(0);
        for pair in &PAIRS.0[index] {
            // SAFETY: sixteen bytes of an array.
            let ray = unsafe { v128_load(pair.as_ptr().cast()) };
            // The first square of the ray without an opposing disc, if it is the player's: the lowest bit of `stops`.
            let stops = v128_andnot(ray, o);
            let end = v128_and(v128_and(stops, p), i64x2_sub(zero, stops));
            // end - 1, or 0 if there is no end.
            let before = i64x2_add(end, i64x2_gt(end, zero));
            both = v128_or(both, v128_and(before, ray));
        }
        merged(i64x2_shl(both, 1)) | row(index, player, opponent)
    }
}

/// Bits of a row at which the runs of opposing discs next to a place end: by place, and by opposing discs on b to g.
static ENDS: [[u8; 64]; 8] = ends();
/// Bits of a row between a place and those of `ends` that are own discs.
static SQUARES_BETWEEN: [[u8; 256]; 8] = between();

const fn ends() -> [[u8; 64]; 8] {
    let mut all = [[0; 64]; 8];
    let mut place = 0;
    while place < 8 {
        let mut inner = 0;
        while inner < 64 {
            let discs = inner << 1;
            let mut up = place + 1;
            while up < 8 && discs >> up & 1 != 0 {
                up += 1;
            }
            if up < 8 {
                all[place][inner] |= 1 << up;
            }
            let mut down = place as i32 - 1;
            while down >= 0 && discs >> down & 1 != 0 {
                down -= 1;
            }
            if down >= 0 {
                all[place][inner] |= 1 << down;
            }
            inner += 1;
        }
        place += 1;
    }
    all
}

const fn between() -> [[u8; 256]; 8] {
    let mut all = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut ends = 0_u32;
        while ends < 256 {
            let above = ends >> (place + 1);
            if above != 0 {
                let end = place + 1 + above.trailing_zeros() as usize;
                all[place][ends as usize] |= ((1 << end) - (2 << place)) as u8;
            }
            let below = ends & ((1 << place) - 1);
            if below != 0 {
                let end = below.ilog2() as usize;
                all[place][ends as usize] |= ((1 << place) - (2 << end)) as u8;
            }
            ends += 1;
        }
        place += 1;
    }
    all
}

/// Returns the flips along the row, both ways: two lookups.
#[inline(always)]
fn row(index: usize, player: u64, opponent: u64) -> u64 {
    let (place, shift) = (index & 7, index & 56);
    let ends = ENDS[place][(opponent >> shift) as usize >> 1 & 63] & (player >> shift) as u8;
    u64::from(SQUARES_BETWEEN[place][usize::from(ends)]) << shift
}
