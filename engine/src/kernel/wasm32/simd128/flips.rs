//! Flips with WebAssembly SIMD: two rays in a vector, with rows swapped so that upward rays become downward rays and a carry
//! finds their end as well.
//!
//! ```text
//!   lane 0 of a vector: the board, rays downward      d  dr dl
//!   lane 1: the board with its bytes swapped, rays up u  ur ul
//! ```
//!
//! Tables of the bytes of a row handle the two rays along the row.

use std::arch::wasm32::*;

use super::swapped::{Kept, with_swapped, with_turned};
use crate::kernel::rays::UP;
use crate::square::Square;

/// Zeros that the compiler cannot see: it would turn the comparison into "not equal", which is four instructions.
static ZERO: Kept = Kept([0; 2]);

/// The vectors of a square, on the board and with rows swapped.
#[repr(align(64))]
struct Lines {
    /// The rays `d dr dl`, each next to the upward ray that is its mirror image.
    rays: [[u64; 2]; 3],
    row: [u64; 2],
}

static LINES: [Lines; 64] = {
    let mut all = [const { Lines { rays: [[0; 2]; 3], row: [0; 2] } }; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 3 {
            all[square].rays[direction] = [UP.0[square][direction + 1], UP.0[square ^ 56][direction + 1]];
            direction += 1;
        }
        all[square].row = [0xff << (square & 56), 0xff << (square & 56 ^ 56)];
        square += 1;
    }
    all
};

/// Each square, on the board and with rows swapped.
#[repr(align(16))]
struct Places([[u64; 2]; 64]);

static PLACES: Places = {
    let mut all = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = [1 << square, 1 << (square ^ 56)];
        square += 1;
    }
    Places(all)
};

/// The discs of both sides, each also with rows swapped.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Sides {
    pub(super) player: u64,
    pub(super) opponent: u64,
    pub(super) players: v128,
    pub(super) opponents: v128,
    zero: v128,
}

impl Sides {
    #[inline(always)]
    pub(super) fn of(player: u64, opponent: u64) -> Sides {
        let [players, opponents] = [player, opponent].map(with_swapped);
        Sides { player, opponent, players, opponents, zero: ZERO.get() }
    }

    #[inline(always)]
    pub(super) fn passed(self) -> Sides {
        let Sides { player, opponent, players, opponents, zero } = self;
        Sides { player: opponent, opponent: player, players: opponents, opponents: players, zero }
    }

    /// Returns the discs of the opponent that a disc of the player on `square` flips.
    #[inline(always)]
    pub(super) fn flips(self, square: Square) -> u64 {
        let along = u64::from(flips_along_row(square, self.player, self.opponent));
        u64x2_extract_lane::<0>(self.flips_across_rows(square)) | along << (square.index() & 56)
    }

    /// Returns them also with rows swapped.
    #[inline(always)]
    pub(super) fn both_flips(self, square: Square) -> v128 {
        let along = i8x16_splat(flips_along_row(square, self.player, self.opponent) as i8);
        v128_or(self.flips_across_rows(square), v128_and(along, lanes(&LINES[square.index()].row)))
    }

    /// Returns those that are not on the row of the square, also with rows swapped.
    #[inline(always)]
    fn flips_across_rows(self, square: Square) -> v128 {
        let Sides { players: p, opponents: o, zero, .. } = self;
        let mut both = zero;
        for ray in &LINES[square.index()].rays {
            let ray = lanes(ray);
            let stops = v128_andnot(ray, o);
            // The first square of the ray without an opposing disc, if it is the player's: the lowest bit of `stops`.
            let end = v128_and(v128_and(ray, p), i64x2_sub(zero, stops));
            // end - 1, or 0 if there is no end.
            let before = i64x2_sub(i64x2_add(end, i64x2_splat(-1)), i64x2_eq(end, zero));
            both = v128_or(both, v128_and(before, ray));
        }
        with_turned(both)
    }

    /// Returns the discs after a move with these flips, with the other side to move.
    #[inline(always)]
    pub(super) fn after(self, square: Square, flips: v128) -> Sides {
        let Sides { player, opponent, players, opponents, zero } = self;
        let place = &PLACES.0[square.index()];
        let flipped = u64x2_extract_lane::<0>(flips);
        Sides {
            player: opponent ^ flipped,
            opponent: player ^ flipped ^ place[0],
            players: v128_xor(opponents, flips),
            opponents: v128_xor(v128_xor(players, lanes(place)), flips),
            zero,
        }
    }
}

#[inline(always)]
fn lanes(pair: &[u64; 2]) -> v128 {
    // SAFETY: sixteen bytes of an array.
    unsafe { v128_load(pair.as_ptr().cast()) }
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

/// Returns the flips along the row, both ways, as a row: two lookups.
#[inline(always)]
fn flips_along_row(square: Square, player: u64, opponent: u64) -> u8 {
    let (place, shift) = (square.index() & 7, square.index() & 56);
    let ends = ENDS[place][(opponent >> shift) as usize >> 1 & 63] & (player >> shift) as u8;
    SQUARES_BETWEEN[place][usize::from(ends)]
}
