//! A small fixed-depth alpha-beta for self-play and labels.

use outflank::board::{Bitboard, Board, Square};
use outflank::eval::{Evaluator, Features};
use outflank::kernel::Kernels;

use crate::handmade;

/// More than any value.
const INFINITE: i32 = 7000;

#[derive(Clone)]
pub(crate) enum StaticEval {
    Learned(Evaluator),
    /// The handwritten evaluation of the first generation.
    Handmade,
}

impl StaticEval {
    #[inline(always)]
    fn value<K: Kernels>(&self, features: &Features, board: Board, moves: Bitboard) -> i32 {
        match self {
            StaticEval::Learned(evaluator) => evaluator.value::<K>(features, board, moves),
            StaticEval::Handmade => handmade::value::<K>(board),
        }
    }
}

pub(crate) struct Lookahead {
    evaluator: StaticEval,
    pub(crate) nodes: u64,
}

impl Lookahead {
    pub(crate) fn new(evaluator: StaticEval) -> Lookahead {
        Lookahead { evaluator, nodes: 0 }
    }

    /// Returns the value for the mover in centidiscs after `depth` plies, and the best move. `None` for a pass.
    pub(crate) fn best<K: Kernels>(&mut self, board: Board, depth: u32) -> (i32, Option<Square>) {
        let features = Features::of(board);
        let mut line = None;
        let value = self.node::<K>(board, &features, depth, -INFINITE, INFINITE, &mut line);
        (value, line)
    }

    /// The static value for the mover in centidiscs.
    pub(crate) fn value<K: Kernels>(&self, board: Board) -> i32 {
        K::run(|| self.evaluator.value::<K>(&Features::of(board), board, board.moves()))
    }

    fn node<K: Kernels>(
        &mut self,
        board: Board,
        features: &Features,
        depth: u32,
        alpha: i32,
        beta: i32,
        best_square: &mut Option<Square>,
    ) -> i32 {
        K::run(|| self.node_body::<K>(board, features, depth, alpha, beta, best_square))
    }

    #[inline(always)]
    fn node_body<K: Kernels>(
        &mut self,
        board: Board,
        features: &Features,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        best_square: &mut Option<Square>,
    ) -> i32 {
        self.nodes += 1;
        let moves = Bitboard(K::moves(board.player.0, board.opponent.0));
        if moves.is_empty() {
            let passed = board.after_pass();
            if K::moves(passed.player.0, passed.opponent.0) == 0 {
                return 100 * board.final_score();
            }
            let features = features.after_pass();
            return -self.node::<K>(passed, &features, depth, -beta, -alpha, &mut None);
        }
        if depth == 0 {
            return self.evaluator.value::<K>(features, board, moves);
        }
        let mut list = [(i32::MAX, None, Bitboard::EMPTY); Board::MAX_MOVES];
        let mut count = 0;
        for square in moves {
            let flips = Bitboard(K::flips(square, board.player.0, board.opponent.0));
            let next = board.after_move(square, flips);
            let replies = K::moves(next.player.0, next.opponent.0);
            let weight = if depth >= 3 {
                self.evaluator.value::<K>(&features.after_move(square, flips), next, Bitboard(replies))
            } else {
                (replies.count_ones() + (replies & Bitboard::CORNERS.0).count_ones()) as i32
            };
            if let Some(place) = list.get_mut(count) {
                *place = (weight, Some(square), flips);
                count += 1;
            }
        }
        list[..count].sort_unstable_by_key(|entry| entry.0);
        let mut best = -INFINITE;
        for &(_, square, flips) in &list[..count] {
            let Some(square) = square else { continue };
            let next = board.after_move(square, flips);
            let features = features.after_move(square, flips);
            let mut value = best;
            if best > -INFINITE {
                value = -self.node::<K>(next, &features, depth - 1, -alpha - 1, -alpha, &mut None);
            }
            if best == -INFINITE || (value > alpha && value < beta) {
                value = -self.node::<K>(next, &features, depth - 1, -beta, -alpha, &mut None);
            }
            if value > best {
                best = value;
                *best_square = Some(square);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}
