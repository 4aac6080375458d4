//! The moves of a node near the end of the game, ordered by the opponent's replies.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Square};
use crate::kernel::{Kernels, ORDERED, Reply};
use crate::search::moves::ordering_cost;

/// Room for the moves: more than ten empty squares allow, and a power of two, so that a masked index needs no bounds check.
const ROOM: usize = ORDERED;
/// Above all keys. An [`ordering_cost`] has six bits and is not the largest number: nine empty squares, four of them corners,
/// allow at most thirteen replies of four quarters each, and parity and the square add four.
const TAKEN: u16 = u16::MAX;

/// The moves of a node, each with a key: its ordering cost in the highest six bits, its place in the list, its square. The move
/// with the lowest key is next.
pub(super) struct MoveList {
    keys: [u16; ROOM],
    /// Not an array, which would have to be cleared.
    replies: ArrayVec<Reply, ROOM>,
    /// The lowest key. Stored separately, since mostly no other move is needed and the list is slower.
    first: u32,
}

impl MoveList {
    #[inline(always)]
    pub(super) fn new() -> MoveList {
        MoveList { keys: [TAKEN; ROOM], replies: ArrayVec::new(), first: TAKEN.into() }
    }

    /// Adds a move. `odd` are the regions with an odd number of empty squares.
    #[inline(always)]
    pub(super) fn add<K: Kernels>(&mut self, square: Square, reply: Reply, odd: Bitboard) {
        let cost = ordering_cost::<K>(square, Bitboard(reply.moves), odd) as u32;
        let place = self.replies.len();
        let key = cost << 10 | (place as u32) << 6 | square.index() as u32;
        self.keys[place % ROOM] = key as u16;
        // The list has room.
        let _ = self.replies.try_push(reply);
        self.first = self.first.min(key);
    }

    /// Returns the first move. There must be at least one.
    #[inline(always)]
    pub(super) fn first(&self) -> (Square, Reply) {
        (Square::masked(self.first), self.replies[place(self.first)])
    }

    /// Takes the next move: of those with the lowest cost, the move added first.
    #[inline(always)]
    pub(super) fn next<K: Kernels>(&mut self) -> Option<(Square, Reply)> {
        let key = K::take_lowest(&mut self.keys);
        if key == TAKEN {
            return None;
        }
        Some((Square::masked(key.into()), self.replies[place(key.into())]))
    }
}

/// Returns the place of a move in the list.
#[inline(always)]
fn place(key: u32) -> usize {
    (key >> 6) as usize % ROOM
}
