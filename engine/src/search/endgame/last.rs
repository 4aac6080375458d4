//! The last four empty squares.
//!
//! Each function takes the discs of both sides and the empty squares. It returns the final disc difference for the mover
//! against the null window `alpha` to `alpha + 1`: at most `alpha` if the mover cannot do better, more otherwise
//! (fail-soft). Squares come in the order in which they are tried: a square alone in its quadrant first, since the side that
//! plays the last square of a region gains (parity).
//!
//! Most nodes of a search are here, and their time is mostly the latency of dependent operations. The discs therefore stay
//! in the form of the kernel for all four moves, and the order of the squares comes from a table.

use crate::board::{Bitboard, Board, Square};
use crate::kernel::Kernels;
use crate::search::value::{Discs, Value};
use crate::search::worker::Worker;

/// Up to four squares in the order in which they are tried, eight bits each, the first in the lowest bits. They stay in a
/// register: an array would be written byte by byte and read back as a whole.
#[derive(Clone, Copy)]
pub(super) struct Squares(u32);

impl Squares {
    /// Returns the lowest four squares of `set`. If it has fewer, the rest is arbitrary.
    #[inline(always)]
    pub(super) fn of(set: u64) -> Squares {
        let (mut squares, mut rest) = (0, set);
        for place in 0..4 {
            squares |= (rest.trailing_zeros() & 63) << (8 * place);
            rest &= rest.wrapping_sub(1);
        }
        Squares(squares)
    }

    #[inline(always)]
    pub(super) fn at(self, place: u32) -> Square {
        Square::masked(self.0 >> (8 * place))
    }

    /// Returns the quadrants of the four squares, two bits each, the first in the lowest bits.
    #[inline(always)]
    fn quadrants(self) -> usize {
        // Bits 2 and 5 of a square tell the right half and the lower half.
        let quadrants = (self.0 >> 2 & 0x0101_0101) | (self.0 >> 4 & 0x0202_0202);
        // Gathered in the highest byte. The parts of the products do not overlap.
        (quadrants.wrapping_mul(1 << 24 | 1 << 18 | 1 << 12 | 1 << 6) >> 24) as usize
    }
}

/// For the quadrants of four squares, the orders in which they are tried, as indices: one row for each first move, with the
/// order of the other three squares.
static ORDERS: [[[u8; 4]; 4]; 256] = {
    let mut all = [[[0; 4]; 4]; 256];
    let mut quadrants = 0;
    while quadrants < 256 {
        all[quadrants] = orders(quadrants);
        quadrants += 1;
    }
    all
};

/// Squares with an odd number in their quadrant come first, then the others in their order. Of the three that remain, a
/// square alone in its quadrant comes first.
const fn orders(quadrants: usize) -> [[u8; 4]; 4] {
    const fn share(quadrants: usize, a: u8, b: u8) -> bool {
        (quadrants >> (2 * a) ^ quadrants >> (2 * b)) & 3 == 0
    }
    let (mut order, mut filled) = ([0; 4], 0);
    let mut even = 0;
    while even < 2 {
        let mut place = 0;
        while place < 4 {
            let (mut count, mut other) = (0, 0);
            while other < 4 {
                count += share(quadrants, place, other) as u8;
                other += 1;
            }
            if count % 2 == 1 - even {
                order[filled] = place;
                filled += 1;
            }
            place += 1;
        }
        even += 1;
    }
    let [a, b, c, d] = order;
    let mut tries = [[a, b, c, d], [b, a, c, d], [c, a, b, d], [d, a, b, c]];
    let mut each = 0;
    while each < 4 {
        let [first, a, b, c] = tries[each];
        let [ab, ac, bc] = [share(quadrants, a, b), share(quadrants, a, c), share(quadrants, b, c)];
        if ac && !bc {
            tries[each] = [first, b, a, c];
        } else if ab && !bc {
            tries[each] = [first, c, a, b];
        }
        each += 1;
    }
    tries
}

/// Returns the value for the mover if the mover can move, else for the opponent after a pass, else at the end of the game.
/// `moves` returns the value for a side, or `None` if it has no move.
///
/// In WebAssembly both sides share one copy of the code of `moves`. It takes the same time there, and the module, which each
/// visitor of the page loads, is a sixth smaller. Natively it takes 1 to 2 % longer.
#[inline(always)]
fn with_pass<K: Kernels>(
    discs: K::Sides,
    alpha: Discs,
    mut moves: impl FnMut(K::Sides, Discs) -> Option<Discs>,
) -> Discs {
    if cfg!(target_family = "wasm") {
        let (mut side, mut bound, mut passed) = (discs, alpha, false);
        loop {
            if let Some(value) = moves(side, bound) {
                return if passed { -value } else { value };
            }
            if passed {
                break;
            }
            (side, bound, passed) = (K::passed(side), bound.for_opponent(), true);
        }
    } else {
        if let Some(value) = moves(discs, alpha) {
            return value;
        }
        if let Some(value) = moves(K::passed(discs), alpha.for_opponent()) {
            return -value;
        }
    }
    let (player, opponent) = K::sides(discs);
    Discs(Board { player: Bitboard(player), opponent: Bitboard(opponent) }.final_score())
}

#[inline(always)]
pub(super) fn solve_2<K: Kernels>(
    worker: &mut Worker<'_>,
    discs: K::Sides,
    [a, b]: [Square; 2],
    alpha: Discs,
) -> Discs {
    worker.nodes += 1;
    with_pass::<K>(
        discs,
        alpha,
        #[inline(always)]
        |discs, alpha| {
            let mut best = None;
            if let Some(next) = K::after(a, discs) {
                worker.nodes += 1;
                let value = Discs(-K::last_score(b, next));
                if value > alpha {
                    return Some(value);
                }
                best = Some(value);
            }
            if let Some(next) = K::after(b, discs) {
                worker.nodes += 1;
                return best.max(Some(Discs(-K::last_score(a, next))));
            }
            best
        },
    )
}

#[inline(always)]
pub(super) fn solve_3<K: Kernels>(
    worker: &mut Worker<'_>,
    discs: K::Sides,
    [a, b, c]: [Square; 3],
    alpha: Discs,
) -> Discs {
    worker.nodes += 1;
    with_pass::<K>(
        discs,
        alpha,
        #[inline(always)]
        |discs, alpha| {
            let mut best = None;
            // Not a loop over an array, which would be written to memory and read back.
            macro_rules! attempt {
                ($first:ident, $rest:expr) => {
                    if let Some(next) = K::after($first, discs) {
                        let value = -solve_2::<K>(worker, next, $rest, alpha.for_opponent());
                        if value > alpha {
                            return Some(value);
                        }
                        best = best.max(Some(value));
                    }
                };
            }
            attempt!(a, [b, c]);
            attempt!(b, [a, c]);
            attempt!(c, [a, b]);
            best
        },
    )
}

#[inline(always)]
pub(super) fn solve_4<K: Kernels>(
    worker: &mut Worker<'_>,
    discs: K::Sides,
    squares: Squares,
    alpha: Discs,
) -> Discs {
    worker.nodes += 1;
    let tries = K::shuffled(squares.0, &ORDERS[squares.quadrants()]).map(Squares);
    with_pass::<K>(
        discs,
        alpha,
        #[inline(always)]
        |discs, alpha| {
            let mut best = None;
            for squares in tries {
                if let Some(next) = K::after(squares.at(0), discs) {
                    let rest = [squares.at(1), squares.at(2), squares.at(3)];
                    let value = -solve_3::<K>(worker, next, rest, alpha.for_opponent());
                    if value > alpha {
                        return Some(value);
                    }
                    best = best.max(Some(value));
                }
            }
            best
        },
    )
}
