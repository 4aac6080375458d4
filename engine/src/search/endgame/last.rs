//! The last four empty squares.
//!
//! Each function takes the discs of the mover and of the opponent and the empty squares, and gives the final
//! disc difference for the mover against the null window `alpha` to `alpha + 1`: at most `alpha` when the
//! mover cannot do better, above it otherwise (fail-soft both ways). Squares come in the order in which they
//! are worth trying: alone in their quadrant first, since who plays the last square of a region gains by it
//! (parity).

use crate::board::{Bitboard, Board, Square};
use crate::kernel::Kernels;
use crate::search::value::{Discs, Value};
use crate::search::worker::Worker;

/// The neighbours of each square: without an opposing disc there a move flips nothing.
static NEIGHBOURS: [u64; 64] = neighbours();

const fn neighbours() -> [u64; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = Bitboard(1 << square).grown().0 & !(1 << square);
        square += 1;
    }
    all
}

/// Up to four squares in the order in which they are tried, eight bits each, the first lowest: in a register, where
/// an array would be written byte by byte and wait to be read back as a whole.
#[derive(Clone, Copy)]
pub(super) struct Squares(u32);

impl Squares {
    #[inline(always)]
    pub(super) fn of<const N: usize>(squares: [Square; N]) -> Squares {
        Squares(squares.iter().rev().fold(0, |all, square| all << 8 | square.index() as u32))
    }

    #[inline(always)]
    fn at(self, place: u32) -> Square {
        Square::masked(self.0 >> (8 * place))
    }

    /// The squares after the first.
    #[inline(always)]
    fn rest(self) -> Squares {
        Squares(self.0 >> 8)
    }
}

/// Number of the quadrant, 0 to 3.
#[inline(always)]
fn quadrant(square: Square) -> u8 {
    let index = square.index();
    ((index >> 4 & 2) | (index >> 2 & 1)) as u8
}

/// The flips of `square`, 0 where an opposing neighbour is missing; `discs` are those of both sides.
#[inline(always)]
fn flips<K: Kernels>(square: Square, opponent: u64, discs: K::Discs) -> u64 {
    if NEIGHBOURS[square.index()] & opponent == 0 { 0 } else { K::flips_among(square, discs) }
}

/// One empty square: nothing to choose.
#[inline(always)]
pub(super) fn solve_1<K: Kernels>(square: Square, player: u64) -> Discs {
    // player + opponent + 1 = 64, so the difference follows from the player's count alone.
    let count = 2 * player.count_ones() as i32;
    let flipped = K::last_flips(square, player) as i32;
    if flipped != 0 {
        return Discs(count - 62 + flipped);
    }
    let opponent = !player & !(1 << square.index());
    let flipped = K::last_flips(square, opponent) as i32;
    if flipped != 0 {
        return Discs(count - 64 - flipped);
    }
    // Nobody can: the empty square goes to the winner.
    Discs(if count >= 64 { count - 62 } else { count - 64 })
}

/// The value for the mover where the mover may move, else for the opponent after a pass, else at the end of the game.
/// `moves` gives the value for the first side of two, nothing where it has no move.
#[inline(always)]
fn with_pass(
    player: u64,
    opponent: u64,
    alpha: Discs,
    mut moves: impl FnMut(u64, u64, Discs) -> Option<Discs>,
) -> Discs {
    if let Some(value) = moves(player, opponent, alpha) {
        return value;
    }
    if let Some(value) = moves(opponent, player, alpha.for_opponent()) {
        return -value;
    }
    Discs(Board { player: Bitboard(player), opponent: Bitboard(opponent) }.final_score())
}

/// Two empty squares.
#[inline(always)]
pub(super) fn solve_2<K: Kernels>(
    worker: &mut Worker<'_>,
    player: u64,
    opponent: u64,
    squares: Squares,
    alpha: Discs,
) -> Discs {
    worker.nodes += 1;
    let [a, b] = [squares.at(0), squares.at(1)];
    with_pass(
        player,
        opponent,
        alpha,
        #[inline(always)]
        |player, opponent, alpha| {
            let discs = K::discs(player, opponent);
            let mut best = None;
            let flipped = flips::<K>(a, opponent, discs);
            if flipped != 0 {
                worker.nodes += 1;
                let value = -solve_1::<K>(b, opponent ^ flipped);
                if value > alpha {
                    return Some(value);
                }
                best = Some(value);
            }
            let flipped = flips::<K>(b, opponent, discs);
            if flipped != 0 {
                worker.nodes += 1;
                return best.max(Some(-solve_1::<K>(a, opponent ^ flipped)));
            }
            best
        },
    )
}

/// Three empty squares.
#[inline(always)]
pub(super) fn solve_3<K: Kernels>(
    worker: &mut Worker<'_>,
    player: u64,
    opponent: u64,
    squares: Squares,
    alpha: Discs,
) -> Discs {
    worker.nodes += 1;
    let [a, b, c] = by_parity([squares.at(0), squares.at(1), squares.at(2)]);
    let tries = [[a, b, c], [b, a, c], [c, a, b]].map(Squares::of);
    solve_tries::<K, 3>(
        worker,
        player,
        opponent,
        tries,
        alpha,
        #[inline(always)]
        |worker, player, opponent, rest, alpha| solve_2::<K>(worker, player, opponent, rest, alpha),
    )
}

/// Four empty squares.
#[inline(always)]
pub(super) fn solve_4<K: Kernels>(
    worker: &mut Worker<'_>,
    player: u64,
    opponent: u64,
    alpha: Discs,
) -> Discs {
    worker.nodes += 1;
    let all = four_by_parity(!(player | opponent));
    let [a, b, c, d] = [all.at(0), all.at(1), all.at(2), all.at(3)];
    let tries = [[a, b, c, d], [b, a, c, d], [c, a, b, d], [d, a, b, c]].map(Squares::of);
    solve_tries::<K, 4>(
        worker,
        player,
        opponent,
        tries,
        alpha,
        #[inline(always)]
        |worker, player, opponent, rest, alpha| solve_3::<K>(worker, player, opponent, rest, alpha),
    )
}

/// The value by trying the first square of each of `tries`; `solve` is asked with the rest of them.
#[inline(always)]
fn solve_tries<K: Kernels, const N: usize>(
    worker: &mut Worker<'_>,
    player: u64,
    opponent: u64,
    tries: [Squares; N],
    alpha: Discs,
    solve: impl Fn(&mut Worker<'_>, u64, u64, Squares, Discs) -> Discs,
) -> Discs {
    with_pass(
        player,
        opponent,
        alpha,
        #[inline(always)]
        |player, opponent, alpha| {
            let discs = K::discs(player, opponent);
            let mut best = None;
            for squares in tries {
                let square = squares.at(0);
                let flipped = flips::<K>(square, opponent, discs);
                if flipped != 0 {
                    let (next, other) = after(square, flipped, player, opponent);
                    let value = -solve(worker, next, other, squares.rest(), alpha.for_opponent());
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

/// The discs after a move, the next mover's first.
#[inline(always)]
fn after(square: Square, flipped: u64, player: u64, opponent: u64) -> (u64, u64) {
    (opponent ^ flipped, player ^ flipped ^ (1 << square.index()))
}

/// Of three squares the one alone in its quadrant first, when the other two share one.
#[inline(always)]
fn by_parity([a, b, c]: [Square; 3]) -> [Square; 3] {
    let (qa, qb, qc) = (quadrant(a), quadrant(b), quadrant(c));
    if qb == qc || (qa != qb && qa != qc) {
        [a, b, c]
    } else if qa == qc {
        [b, a, c]
    } else {
        [c, a, b]
    }
}

/// The four squares of `empty`, those with an odd number in their quadrant first.
#[inline(always)]
fn four_by_parity(empty: u64) -> Squares {
    let odd = empty & Bitboard(empty).odd_quadrants().0;
    let (mut squares, mut shift) = (0, 0);
    for set in [odd, empty & !odd] {
        for square in Bitboard(set) {
            squares |= (square.index() as u32) << (shift & 31);
            shift += 8;
        }
    }
    Squares(squares)
}
