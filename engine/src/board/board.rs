//! The two disc sets as the side to move sees them.

use super::{Bitboard, Square};
use crate::kernel::{Kernels, Portable};

/// The discs from the point of view of the side to move. The search works on boards.
///
/// The two sets never share a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub player: Bitboard,
    /// Discs of the other side.
    pub opponent: Bitboard,
}

impl Board {
    /// The standard start: black, which moves first, on e4 and d5; white on d4 and e5.
    pub const START: Board =
        Board { player: Bitboard(0x0000_0008_1000_0000), opponent: Bitboard(0x0000_0010_0800_0000) };

    /// An upper bound of the moves on any board, including boards that no game reaches.
    ///
    /// A move ends a line that begins with a disc of the mover and continues with discs of the opponent. Each disc begins at
    /// most eight lines, so `m` moves need `m / 8` discs of the mover. Next to the empty square is a disc of the opponent,
    /// behind which the line continues with a disc: of two opposite neighbors only one can be such a square, so each
    /// disc serves at most four moves, and `m` moves need `m / 4` discs of the opponent. 47 moves need 6 + 12 discs, and
    /// with their 47 empty squares more than the board has.
    pub const MAX_MOVES: usize = 46;

    /// Returns the squares without a disc.
    #[inline(always)]
    pub const fn empty(self) -> Bitboard {
        Bitboard(!(self.player.0 | self.opponent.0))
    }

    /// Returns the number of empty squares, 0 to 64.
    #[inline(always)]
    pub const fn empties(self) -> u32 {
        self.empty().count()
    }

    /// Returns the board from the point of view of the other side.
    #[inline(always)]
    pub const fn after_pass(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// Returns the squares where the side to move can place a disc.
    #[inline]
    pub fn moves(self) -> Bitboard {
        Bitboard(Portable::moves(self.player.0, self.opponent.0))
    }

    /// Returns the discs that a move to `square` flips. Empty if the move is illegal. The caller ensures that `square` is empty.
    #[inline]
    pub fn flips(self, square: Square) -> Bitboard {
        Bitboard(Portable::flips(square, self.player.0, self.opponent.0))
    }

    /// Returns the board after a move to `square` that flips `flips`, from the point of view of the other side.
    #[inline(always)]
    pub const fn after_move(self, square: Square, flips: Bitboard) -> Board {
        Board {
            player: Bitboard(self.opponent.0 ^ flips.0),
            opponent: Bitboard(self.player.0 ^ flips.0 ^ (1 << square.index())),
        }
    }

    /// Returns discs of both sides that no move can flip: on each of their four lines, the whole line is full, or the next square
    /// on one side is off the board or has such a disc of the same side. Repeated until no disc is added.
    pub fn stable(self) -> Bitboard {
        self.stable_of(self.player) | self.stable_of(self.opponent)
    }

    fn stable_of(self, own: Bitboard) -> Bitboard {
        const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let empty = self.empty();
        let mut stable = Bitboard::EMPTY;
        loop {
            let is_safe = |square: &Square| {
                LINES.into_iter().all(|(dx, dy)| {
                    let ways = [(dx, dy), (-dx, -dy)];
                    let line = |way| std::iter::successors(square.step(way), move |at| at.step(way));
                    let holds = |way| square.step(way).is_none_or(|next| stable.contains(next));
                    ways.into_iter().any(holds)
                        || !ways.into_iter().flat_map(line).any(|at| empty.contains(at))
                })
            };
            let grown: Bitboard = own.into_iter().filter(is_safe).collect();
            if grown == stable {
                return stable;
            }
            stable = grown;
        }
    }

    /// Returns `true` if neither side can place a disc.
    #[inline]
    pub fn is_over(self) -> bool {
        self.moves().is_empty() && self.after_pass().moves().is_empty()
    }

    /// Returns the final score in discs for the side to move if the game ends here. Empty squares count for the winner.
    #[inline]
    pub const fn final_score(self) -> i32 {
        let (player, opponent) = (self.player.count() as i32, self.opponent.count() as i32);
        let difference = player - opponent;
        let empties = 64 - player - opponent;
        match difference {
            0 => 0,
            1.. => difference + empties,
            _ => difference - empties,
        }
    }
}
