//! The moves of a node and the order in which they are tried.

use arrayvec::ArrayVec;

use super::value::Centidiscs;
use crate::board::{Bitboard, Board, Square};
use crate::kernel::{Kernels, Reply};

/// A move of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) square: Square,
    pub(super) flips: Bitboard,
    /// The moves of the other side afterwards.
    pub(super) moves: Bitboard,
    /// The static evaluation of the position after it, for the other side, where somebody asked for it.
    pub(super) static_eval: Option<Centidiscs>,
}

/// The moves of a node, taken out in the order in which they are tried.
///
/// The order is apart, a number for each child: to copy what has just been put together in pieces is to wait until the
/// pieces have reached the memory.
#[derive(Debug)]
pub(super) struct Children {
    all: ArrayVec<Child, { Board::MAX_MOVES }>,
    order: ArrayVec<Ranked, { Board::MAX_MOVES }>,
}

/// The rank of a child, and in the lowest eight bits which one it is, the first highest: of equals the first is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked(i64);

impl Ranked {
    /// Below all ranks: the child has been taken out.
    const TAKEN: Ranked = Ranked(i64::MIN);

    #[inline(always)]
    fn new(rank: i32, child: usize) -> Ranked {
        Ranked(i64::from(rank) << 8 | (255 - child as i64))
    }

    #[inline(always)]
    fn rank(self) -> i32 {
        (self.0 >> 8) as i32
    }

    #[inline(always)]
    fn child(self) -> usize {
        255 - (self.0 & 255) as usize
    }
}

impl Children {
    #[inline(always)]
    pub(super) fn new() -> Children {
        Children { all: ArrayVec::new(), order: ArrayVec::new() }
    }

    /// Finds the moves of `board` on `moves`, with their flips and replies, in the order of the squares; `met` is told
    /// each board that they lead to. Fills a list that is already in its place: one returned would be copied there,
    /// room for more moves than there are and all.
    #[inline(always)]
    pub(super) fn find<K: Kernels>(&mut self, board: Board, moves: Bitboard, met: impl Fn(Board)) {
        let each = |square: Square, reply: Reply| {
            let (flips, moves) = (Bitboard(reply.flips), Bitboard(reply.moves));
            met(board.after_move(square, flips));
            // Never full: no board has more moves.
            let _ = self.order.try_push(Ranked::new(0, self.all.len()));
            let _ = self.all.try_push(Child { square, flips, moves, static_eval: None });
        };
        K::replies(moves.0, board.player.0, board.opponent.0, each);
    }

    /// All of them, in the order of the squares.
    #[inline(always)]
    pub(super) fn all(&self) -> &[Child] {
        &self.all
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Gives each child its rank: the higher the earlier it is tried.
    #[inline(always)]
    pub(super) fn rank(&mut self, mut rank: impl FnMut(&mut Child) -> i32) {
        for (place, (child, ranked)) in self.all.iter_mut().zip(&mut self.order).enumerate() {
            *ranked = Ranked::new(rank(child), place);
        }
    }

    /// Looks closer at the `count` children of highest rank: what `more` says is added to it, and they stay ahead of the
    /// others.
    #[inline(always)]
    pub(super) fn refine(&mut self, count: usize, mut more: impl FnMut(&mut Child) -> i32) {
        /// Beyond all that ranks differ by.
        const AHEAD: i32 = 1 << 20;
        let mut highest: ArrayVec<Ranked, { Board::MAX_MOVES }> = ArrayVec::new();
        highest.extend((0..count.min(self.all.len())).map_while(|_| self.take()));
        for ranked in highest {
            let child = ranked.child();
            self.order[child] = Ranked::new(ranked.rank() + AHEAD + more(&mut self.all[child]), child);
        }
    }

    /// Takes out the child of the highest rank, of equals the first. Looks through all of them, since a cut-off mostly comes
    /// early, and without a branch that could be foretold wrong.
    #[inline(always)]
    fn take(&mut self) -> Option<Ranked> {
        let best = self.order.iter().copied().max().filter(|&best| best != Ranked::TAKEN)?;
        self.order[best.child()] = Ranked::TAKEN;
        Some(best)
    }

    /// The child to be tried next.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<&Child> {
        self.take().map(|ranked| &self.all[ranked.child()])
    }

    /// The children that are left, those to be tried first first.
    pub(super) fn rest(&mut self) -> Vec<Child> {
        std::iter::from_fn(|| self.next().copied()).collect()
    }
}

/// The number of moves, corners counted twice.
#[inline(always)]
pub(super) fn weighted_mobility(moves: Bitboard) -> i32 {
    (moves.count() + (moves & Bitboard::CORNERS).count()) as i32
}

/// How late a move is tried near the end of the game, in quarters of a reply: by the opponent's replies, the parity of the
/// region (`odd` are the regions with an odd number of empty squares), and the square.
#[inline(always)]
pub(super) fn ordering_cost(square: Square, replies: Bitboard, odd: Bitboard) -> i32 {
    4 * weighted_mobility(replies) + i32::from(!odd.contains(square)) + square_ordering_cost(square)
}

/// The square's part of it: none for corners, two for other squares of the border, which are seldom lost again, three for the
/// rest.
#[inline(always)]
pub(super) fn square_ordering_cost(square: Square) -> i32 {
    static OF: [u8; 64] = {
        let mut all = [3; 64];
        let mut square = 0;
        while square < 64 {
            let of = 1 << square;
            if Bitboard::CORNERS.0 & of != 0 {
                all[square] = 0;
            } else if Bitboard::BORDER.0 & of != 0 {
                all[square] = 2;
            }
            square += 1;
        }
        all
    };
    OF[square.index()].into()
}

/// The number of empty squares next to a disc of `of`: moves the other side may get.
#[inline(always)]
pub(super) fn potential_mobility(of: Bitboard, empty: Bitboard) -> i32 {
    (of.dilated() & empty).count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Portable;
    use crate::notation::squares;

    #[test]
    fn every_move_is_found_where_there_are_many() {
        let text = "-X-------OOXOOO---X--XX--OXO--OX--X--X---OOXXXO--XO-OOO-X------- X";
        let board = squares::read(text).unwrap().board();
        let mut children = Children::new();
        children.find::<Portable>(board, board.moves(), |_| {});
        assert_eq!((children.len(), children.rest().len()), (35, 35));
    }

    #[test]
    fn a_reply_weighs_as_much_as_parity_and_the_square() {
        let replies = |count: u32| Bitboard(0x0000_003c_3c00_0000 & !(!0 << (26 + count)));
        let [corner, edge, inner] = [0, 1, 9].map(Square::masked);
        let (odd, even) = (Bitboard::ALL, Bitboard::EMPTY);
        let late = |square, count, region| ordering_cost(square, replies(count), region);
        assert_eq!(late(corner, 0, odd), 0);
        assert_eq!([late(edge, 0, odd), late(inner, 0, odd)], [2, 3]);
        assert_eq!(late(inner, 2, even), late(corner, 3, odd));
        assert!(late(inner, 1, odd) < late(corner, 2, odd));
        // A corner is two replies.
        assert_eq!(ordering_cost(inner, Bitboard::CORNERS, odd), 4 * 8 + 3);
    }
}
