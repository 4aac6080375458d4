//! Random boards and games, for tests.

use super::{Bitboard, Board, Square};
use crate::random::Random;

/// Returns boards with discs on about seven of eight squares, reachable or not.
pub(crate) fn random_boards(seed: u64) -> impl Iterator<Item = Board> {
    let mut random = Random::new(seed);
    std::iter::repeat_with(move || {
        let (empty, player) = (random.bits() & random.bits() & random.bits(), random.bits());
        Board { player: Bitboard(player & !empty), opponent: Bitboard(!player & !empty) }
    })
}

/// Returns the boards of games of random moves, each with the next move and its flips. `None` if no move is legal.
pub(crate) fn random_games(seed: u64, games: u32) -> Vec<(Board, Option<(Square, Bitboard)>)> {
    let mut random = Random::new(seed);
    let mut boards = Vec::new();
    for _ in 0..games {
        let mut board = Board::START;
        while !board.is_over() {
            let moves: Vec<Square> = board.moves().into_iter().collect();
            let square = moves.get(random.below(moves.len() as u32) as usize);
            let played = square.map(|&square| (square, board.flips(square)));
            boards.push((board, played));
            board = match played {
                Some((square, flips)) => board.after_move(square, flips),
                None => board.after_pass(),
            };
        }
        boards.push((board, None));
    }
    boards
}
