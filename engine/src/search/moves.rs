//! The moves of a node and the order in which they are tried.

use arrayvec::ArrayVec;

use super::value::Centidiscs;
use crate::board::{Bitboard, Board, Square};
use crate::kernel::{Kernels, Reply};

#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) square: Square,
    pub(super) flips: Bitboard,
    /// The replies of the other side.
    pub(super) moves: Bitboard,
    /// The static evaluation of the position after the move, for the other side. `None` until it is computed.
    pub(super) static_eval: Option<Centidiscs>,
}

/// The moves of a node, taken in their order.
///
/// The ranks are stored apart from the children: to copy a child that was just written in pieces must wait for the memory.
#[derive(Debug)]
pub(super) struct Children {
    all: ArrayVec<Child, { Board::MAX_MOVES }>,
    order: ArrayVec<Ranked, { Board::MAX_MOVES }>,
}

/// The rank of a child and, in the lowest eight bits, its inverted index. Of children of equal rank, the first has the
/// largest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked(i64);

impl Ranked {
    /// Below all ranks: the child has been taken.
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

    /// Finds the moves of `board` in `moves`, with their flips and replies, in the order of the squares. Calls `met` with
    /// each resulting board. Fills an existing list, since a returned one would be copied.
    #[inline(always)]
    pub(super) fn find<K: Kernels>(&mut self, board: Board, moves: Bitboard, met: impl Fn(Board)) {
        let each = |square: Square, reply: Reply| {
            let (flips, moves) = (Bitboard(reply.flips), Bitboard(reply.moves));
            met(board.after_move(square, flips));
            // The list has room: no board has more moves.
            let _ = self.order.try_push(Ranked::new(0, self.all.len()));
            let _ = self.all.try_push(Child { square, flips, moves, static_eval: None });
        };
        K::replies(moves.0, board.player.0, board.opponent.0, each);
    }

    /// Returns all children, in the order of the squares.
    #[inline(always)]
    pub(super) fn all(&self) -> &[Child] {
        &self.all
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Gives each child its rank. Children of higher rank are tried earlier.
    #[inline(always)]
    pub(super) fn rank(&mut self, mut rank: impl FnMut(&mut Child) -> i32) {
        for (place, (child, ranked)) in self.all.iter_mut().zip(&mut self.order).enumerate() {
            *ranked = Ranked::new(rank(child), place);
        }
    }

    /// Adds the result of `more` to the ranks of the `count` best children. They stay ahead of the others.
    #[inline(always)]
    pub(super) fn refine(&mut self, count: usize, mut more: impl FnMut(&mut Child) -> i32) {
        /// Larger than any difference of ranks.
        const AHEAD: i32 = 1 << 20;
        let mut highest: ArrayVec<Ranked, { Board::MAX_MOVES }> = ArrayVec::new();
        highest.extend((0..count.min(self.all.len())).map_while(|_| self.take()));
        for ranked in highest {
            let child = ranked.child();
            self.order[child] = Ranked::new(ranked.rank() + AHEAD + more(&mut self.all[child]), child);
        }
    }

    /// Takes the child of the highest rank, of equals the first. Compares all children without branches, since a cutoff
    /// mostly comes early.
    #[inline(always)]
    fn take(&mut self) -> Option<Ranked> {
        let best = self.order.iter().copied().max().filter(|&best| best != Ranked::TAKEN)?;
        self.order[best.child()] = Ranked::TAKEN;
        Some(best)
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<&Child> {
        self.take().map(|ranked| &self.all[ranked.child()])
    }

    /// Returns the remaining children, best first.
    pub(super) fn rest(&mut self) -> Vec<Child> {
        std::iter::from_fn(|| self.next().copied()).collect()
    }
}

/// Returns the number of moves, with corners counted twice.
#[inline(always)]
pub(super) fn weighted_mobility<K: Kernels>(moves: Bitboard) -> i32 {
    K::count_with_corners(moves.0) as i32
}

/// Returns the ordering cost of a move near the end of the game, in quarters of a reply. A move with a lower cost is tried
/// earlier. The cost depends on the opponent's replies, the parity of the region (`odd` are the regions with an odd number
/// of empty squares) and the square.
#[inline(always)]
pub(super) fn ordering_cost<K: Kernels>(square: Square, replies: Bitboard, odd: Bitboard) -> i32 {
    4 * weighted_mobility::<K>(replies) + i32::from(!odd.contains(square)) + square_ordering_cost(square)
}

/// Returns the part of the ordering cost that depends on the square: 0 for corners, 2 for other squares of the border, 3 for
/// the rest.
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

/// Returns the number of empty squares next to a disc of `of`: possible future moves of the other side.
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
    fn all_moves_of_a_board_with_many_are_found() {
        let text = "-X-------OOXOOO---X--XX--OXO--OX--X--X---OOXXXO--XO-OOO-X------- X";
        let board = squares::read(text).unwrap().board();
        let mut children = Children::new();
        children.find::<Portable>(board, board.moves(), |_| {});
        assert_eq!((children.len(), children.rest().len()), (35, 35));
    }
}
