//! The keys of the tables.

use crate::board::Board;

/// Most empty squares in the late partition of the table.
const LATE_EMPTIES: u32 = 12;

/// A hash of a board and the opponent's discs, the same on every machine. No two boards have the same key: the hash and the
/// opponent's discs determine the player's discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Key {
    pub(super) hash: u64,
    pub(super) opponent: u64,
    pub(super) partition: Partition,
    /// For the [`super::board_check::BoardCheck`].
    #[cfg(whole_boards)]
    board: Option<Board>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Partition {
    /// At most [`LATE_EMPTIES`] empty squares.
    Late,
    /// More than [`LATE_EMPTIES`] empty squares.
    Early,
}

impl Key {
    /// Returns the key of `board`.
    ///
    /// Each word is multiplied and folded before both are combined, so that a few squares of one cannot cancel a few squares
    /// of the other. The result is folded twice more. For given discs of the opponent, every step is a bijection of the
    /// player's discs: products with odd numbers, foldings, an exclusive or with a constant.
    #[inline(always)]
    pub(in crate::search) fn of(board: Board) -> Key {
        let player = folded(board.player.0.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let opponent = folded(board.opponent.0.rotate_left(32).wrapping_mul(0xc2b2_ae3d_27d4_eb4f));
        let both = folded((player ^ opponent.rotate_left(24)).wrapping_mul(0xd6e8_feb8_6659_fd93));
        let hash = folded(both.wrapping_mul(0xff51_afd7_ed55_8ccd));
        let partition = if board.empties() <= LATE_EMPTIES { Partition::Late } else { Partition::Early };
        Key {
            hash,
            opponent: board.opponent.0,
            partition,
            #[cfg(whole_boards)]
            board: Some(board),
        }
    }

    pub(super) fn from_parts(hash: u64, opponent: u64, partition: Partition) -> Key {
        Key {
            hash,
            opponent,
            partition,
            #[cfg(whole_boards)]
            board: None,
        }
    }

    /// Returns the board, in builds that store it.
    #[inline(always)]
    pub(super) fn board(self) -> Option<Board> {
        #[cfg(whole_boards)]
        return self.board;
        #[cfg(not(whole_boards))]
        None
    }
}

/// Mixes the upper half of a word into the lower half. A bijection.
#[inline(always)]
fn folded(word: u64) -> u64 {
    word ^ word >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::samples::random_boards;

    /// Returns `board` with bit `bit` toggled: the player's squares first, then the opponent's.
    fn toggled(board: Board, bit: usize) -> Board {
        let square = Bitboard(1 << (bit % 64));
        if bit < 64 {
            Board { player: board.player ^ square, ..board }
        } else {
            Board { opponent: board.opponent ^ square, ..board }
        }
    }

    /// One or two input bits flip every bit of the hash, and half of the bits on average.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes and touches no memory")]
    fn no_two_input_bits_cancel_each_other() {
        let boards: Vec<Board> = random_boards(3).take(200).collect();
        for first in 0..128 {
            for second in 0..=first {
                let (mut flips, mut some) = (0, 0);
                for &board in &boards {
                    let one = toggled(board, first);
                    let other = if second < first { toggled(one, second) } else { one };
                    let difference = Key::of(board).hash ^ Key::of(other).hash;
                    flips += difference.count_ones() as usize;
                    some |= difference;
                }
                let mean = flips as f64 / boards.len() as f64;
                assert!(some == !0 && (28.0..36.0).contains(&mean), "bits {first} and {second}: {mean}");
            }
        }
    }

    /// Returns the player's discs from the hash and the opponent's discs.
    fn inverted(key: Key) -> u64 {
        // Newton's iteration doubles the number of correct bits. An odd number is its own inverse modulo 8.
        let inverse =
            |odd: u64| (0..5).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))));
        let opponent = folded(key.opponent.rotate_left(32).wrapping_mul(0xc2b2_ae3d_27d4_eb4f));
        let both = folded(key.hash).wrapping_mul(inverse(0xff51_afd7_ed55_8ccd));
        let player = folded(both).wrapping_mul(inverse(0xd6e8_feb8_6659_fd93)) ^ opponent.rotate_left(24);
        folded(player).wrapping_mul(inverse(0x9e37_79b9_7f4a_7c15))
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes and touches no memory")]
    fn key_identifies_the_whole_board() {
        for board in random_boards(3).take(10_000).chain([Board::START]) {
            assert_eq!(inverted(Key::of(board)), board.player.0);
        }
    }
}
