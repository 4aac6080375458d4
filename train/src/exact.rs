//! A small exact solver for the ends of games: alpha-beta, fewest replies first, a small table.
//!
//! It serves self-play with about twelve empty squares, where the cost of a start matters. The engine's solver is faster with
//! more empty squares.

use outflank::board::{Bitboard, Board, Square};
use outflank::kernel::Kernels;
use outflank::random::scatter;

use crate::lookahead;

/// Fewest empty squares at which moves are ordered and positions stored.
const MIN_ORDERED: u32 = 7;
const TABLE_BITS: u32 = 15;

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    lower: i8,
    upper: i8,
}

pub(crate) struct Exact {
    table: Vec<Entry>,
    pub(crate) nodes: u64,
}

impl Exact {
    pub(crate) fn new() -> Exact {
        let none = Board { player: Bitboard::EMPTY, opponent: Bitboard::EMPTY };
        Exact { table: vec![Entry { board: none, lower: -64, upper: 64 }; 1 << TABLE_BITS], nodes: 0 }
    }

    /// Returns the final disc difference under best play, and a best move if there is a move.
    pub(crate) fn solve<K: Kernels>(&mut self, board: Board, guess: i32) -> (i32, Option<Square>) {
        // Null windows step by step from the guess (MTD): the table makes the repetitions cheap.
        let mut lower = -64;
        let mut upper = 64;
        let mut best = None;
        let mut value = (guess / 2 * 2).clamp(-64, 64);
        while lower < upper {
            let beta = if value == lower { value + 2 } else { value };
            let (found, square) = self.root::<K>(board, beta - 1);
            value = found;
            if found < beta {
                upper = found;
            } else {
                lower = found;
                best = square;
            }
        }
        if best.is_none() {
            // Every window failed low, so no move is known: search for one that keeps the value.
            best = self.root::<K>(board, lower - 1).1;
        }
        (lower, best)
    }

    fn root<K: Kernels>(&mut self, board: Board, alpha: i32) -> (i32, Option<Square>) {
        let moves = Bitboard(K::moves(board.player.0, board.opponent.0));
        if moves.is_empty() {
            return (self.node::<K>(board, alpha), None);
        }
        let mut best = (-65, None);
        for (square, next) in ordered::<K>(board, moves) {
            let value = -self.node::<K>(next, -alpha - 1);
            if value > best.0 {
                best = (value, Some(square));
                if value > alpha {
                    break;
                }
            }
        }
        best
    }

    /// Fail-soft value in the window `alpha`, `alpha + 1`.
    fn node<K: Kernels>(&mut self, board: Board, alpha: i32) -> i32 {
        K::run(|| self.node_body::<K>(board, alpha))
    }

    #[inline(always)]
    fn node_body<K: Kernels>(&mut self, board: Board, alpha: i32) -> i32 {
        self.nodes += 1;
        let empties = board.empties();
        if empties < MIN_ORDERED {
            return self.shallow::<K>(board, alpha, false);
        }
        let moves = Bitboard(K::moves(board.player.0, board.opponent.0));
        if moves.is_empty() {
            let passed = board.after_pass();
            return match K::moves(passed.player.0, passed.opponent.0) {
                0 => board.final_score(),
                _ => -self.node::<K>(passed, -alpha - 1),
            };
        }
        let slot = (scatter(board.player.0 ^ board.opponent.0.rotate_left(29)) >> (64 - TABLE_BITS)) as usize;
        let mut entry = self.table[slot];
        if entry.board == board {
            if i32::from(entry.lower) > alpha {
                return entry.lower.into();
            }
            if i32::from(entry.upper) <= alpha {
                return entry.upper.into();
            }
        } else {
            entry = Entry { board, lower: -64, upper: 64 };
        }
        let mut best = -65;
        for (_, next) in ordered::<K>(board, moves) {
            best = best.max(-self.node::<K>(next, -alpha - 1));
            if best > alpha {
                break;
            }
        }
        if best > alpha {
            entry.lower = best as i8;
        } else {
            entry.upper = best as i8;
        }
        self.table[slot] = entry;
        best
    }

    /// The last plies: odd regions first, no other order.
    #[inline(always)]
    fn shallow<K: Kernels>(&mut self, board: Board, alpha: i32, passed: bool) -> i32 {
        let empty = board.empty();
        if empty.count() == 1 {
            let Some(square) = empty.first() else { return board.final_score() };
            let own = board.player.count() as i32;
            let gained = K::last_flips(square, board.player.0) as i32;
            if gained > 0 {
                return 2 * own - 64 + gained + 2;
            }
            let lost = K::last_flips(square, board.opponent.0) as i32;
            return match lost {
                0 => board.final_score(),
                _ => 2 * own - 64 - lost,
            };
        }
        let odd = empty.odd_quadrants();
        let mut best = -65;
        for set in [empty & odd, empty & !odd] {
            for square in set {
                let flips = Bitboard(K::flips(square, board.player.0, board.opponent.0));
                if flips.is_empty() {
                    continue;
                }
                best = best.max(-self.node::<K>(board.after_move(square, flips), -alpha - 1));
                if best > alpha {
                    return best;
                }
            }
        }
        if best > -65 {
            best
        } else if passed {
            -board.final_score()
        } else if K::moves(board.opponent.0, board.player.0) == 0 {
            board.final_score()
        } else {
            -self.node::<K>(board.after_pass(), -alpha - 1)
        }
    }
}

/// The moves and the boards after them, fewest replies first.
#[inline(always)]
fn ordered<K: Kernels>(board: Board, moves: Bitboard) -> impl Iterator<Item = (Square, Board)> {
    let odd = board.empty().odd_quadrants();
    let weight = move |square, _, _, replies: Bitboard| {
        let replies = replies.count() + (replies & Bitboard::CORNERS).count();
        (4 * replies + 2 * u32::from(!odd.contains(square))) as i32
    };
    lookahead::ordered::<K>(board, moves, weight).map(|(_, square, _, next)| (square, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::kernel::Portable;
    use outflank::random::Random;

    fn naive(board: Board) -> i32 {
        let after = |square| -naive(board.after_move(square, board.flips(square)));
        match board.moves().into_iter().map(after).max() {
            Some(value) => value,
            None if board.is_over() => board.final_score(),
            None => -naive(board.after_pass()),
        }
    }

    #[test]
    fn equal_to_plain_minimax() {
        let mut random = Random::of_stream(1, 0);
        for _ in 0..300 {
            let board = crate::selfplay::random_board(&mut random, 52);
            let (value, square) = Exact::new().solve::<Portable>(board, 0);
            assert_eq!(value, naive(board), "{board:?}");
            if let Some(square) = square {
                assert_eq!(value, -naive(board.after_move(square, board.flips(square))));
            }
        }
    }
}
