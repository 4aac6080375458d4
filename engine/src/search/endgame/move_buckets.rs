//! The moves of a node near the end of the game, ordered by the opponent's replies.

use crate::board::{Bitboard, Square};
use crate::kernel::Reply;
use crate::search::moves::ordering_cost;

/// Room for the moves: more than ten empty squares allow, and a power of two, so that a masked index needs no bounds check.
const ROOM: usize = 16;
/// Number of classes, a power of two, one for each [`ordering_cost`]: nine empty squares, four of them corners, allow at
/// most thirteen replies of four quarters each, and parity and the square add four.
const CLASSES: usize = 64;

/// The moves of a node, sorted into classes by their ordering cost when they are added, so that the next one is found
/// directly.
pub(super) struct MoveBuckets {
    squares: [Square; ROOM],
    replies: [Reply; ROOM],
    /// The moves of each class, as indices into the lists above.
    classes: [u16; CLASSES],
    /// The classes that have moves.
    filled: u64,
    len: usize,
    /// The class and the index of the first move. Stored separately, since mostly no other move is needed and the lists are
    /// slower.
    first: u32,
}

impl MoveBuckets {
    #[inline(always)]
    pub(super) fn new() -> MoveBuckets {
        MoveBuckets {
            squares: [Square::masked(0); ROOM],
            replies: [Reply { flips: 0, moves: 0 }; ROOM],
            classes: [0; CLASSES],
            filled: 0,
            len: 0,
            first: u32::MAX,
        }
    }

    /// Adds a move. `odd` are the regions with an odd number of empty squares.
    #[inline(always)]
    pub(super) fn add(&mut self, square: Square, reply: Reply, odd: Bitboard) {
        let class = ordering_cost(square, Bitboard(reply.moves), odd) as usize % CLASSES;
        let place = self.len % ROOM;
        self.squares[place] = square;
        self.replies[place] = reply;
        self.classes[class] |= 1 << place;
        self.filled |= 1 << class;
        self.len += 1;
        self.first = self.first.min((class * ROOM + place) as u32);
    }

    /// Returns the first move. There must be at least one.
    #[inline(always)]
    pub(super) fn first(&self) -> (Square, Reply) {
        let place = self.first as usize % ROOM;
        (self.squares[place], self.replies[place])
    }

    /// Takes the next move: of the lowest class, the move added first.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(Square, Reply)> {
        if self.filled == 0 {
            return None;
        }
        let class = self.filled.trailing_zeros() as usize % CLASSES;
        let moves = self.classes[class];
        let place = moves.trailing_zeros() as usize % ROOM;
        let rest = moves & moves.wrapping_sub(1);
        self.classes[class] = rest;
        // Not a branch, which would be mispredicted.
        self.filled ^= u64::from(rest == 0) << class;
        Some((self.squares[place], self.replies[place]))
    }
}
