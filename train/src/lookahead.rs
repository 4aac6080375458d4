//! A small fixed-depth alpha-beta for self-play and labels.

use outflank::board::{Bitboard, Board, Square};
use outflank::eval::{Evaluator, Features};
use outflank::kernel::Kernels;

/// More than any value.
const INFINITE: i32 = 7000;

/// The values below and above which a value need not be exact.
type Window = (i32, i32);
/// A value in centidiscs and the best move, `None` for a pass.
type Found = (i32, Option<Square>);

/// The search with the static values of an evaluator.
pub(crate) struct Lookahead(pub(crate) Evaluator);

impl Lookahead {
    /// Returns the value for the mover in centidiscs after `depth` plies, and the best move. `None` for a pass.
    pub(crate) fn best<K: Kernels>(&self, board: Board, depth: u32) -> Found {
        self.node::<K>(board, &Features::of(board), depth, (-INFINITE, INFINITE))
    }

    fn node<K: Kernels>(&self, board: Board, features: &Features, depth: u32, window: Window) -> Found {
        K::run(|| self.node_body::<K>(board, features, depth, window))
    }

    #[inline(always)]
    fn node_body<K: Kernels>(
        &self,
        board: Board,
        features: &Features,
        depth: u32,
        (mut alpha, beta): Window,
    ) -> Found {
        let moves = Bitboard(K::moves(board.player.0, board.opponent.0));
        if moves.is_empty() {
            let passed = board.after_pass();
            if K::moves(passed.player.0, passed.opponent.0) == 0 {
                return (100 * board.final_score(), None);
            }
            let (value, _) = self.node::<K>(passed, &features.after_pass(), depth, (-beta, -alpha));
            return (-value, None);
        }
        if depth == 0 {
            return (self.0.value::<K>(features, board, moves), None);
        }
        let mut list = [None; Board::MAX_MOVES];
        for (square, place) in moves.into_iter().zip(&mut list) {
            let flips = Bitboard(K::flips(square, board.player.0, board.opponent.0));
            let next = board.after_move(square, flips);
            let replies = Bitboard(K::moves(next.player.0, next.opponent.0));
            let weight = match depth {
                3.. => self.0.value::<K>(&features.after_move(square, flips), next, replies),
                _ => K::count_with_corners(replies.0) as i32,
            };
            *place = Some((weight, square, flips, next));
        }
        let list = &mut list[..moves.count() as usize];
        list.sort_unstable_by_key(|entry| entry.map(|(weight, ..)| weight));
        let mut best = (-INFINITE, None);
        for &(_, square, flips, next) in list.iter().flatten() {
            let features = features.after_move(square, flips);
            let mut value = best.0;
            if best.1.is_some() {
                value = -self.node::<K>(next, &features, depth - 1, (-alpha - 1, -alpha)).0;
            }
            if best.1.is_none() || (value > alpha && value < beta) {
                value = -self.node::<K>(next, &features, depth - 1, (-beta, -alpha)).0;
            }
            if value > best.0 {
                best = (value, Some(square));
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}
