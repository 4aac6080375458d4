//! The rules on bitboards, by the portable kernels, against the naive ones.

use std::collections::HashSet;

use outflank::board::{Bitboard, Board, Color, Move, Position, Square, Status, Symmetry};
use outflank::game::Game;

use crate::naive::Naive;
use crate::random::Random;

/// Random games to play.
const GAMES: usize = if cfg!(target_arch = "wasm32") { 60 } else { 600 };

/// Compares everything that the rules state about one position.
fn check(position: &Position, naive: &Naive) {
    let board = position.board();
    let moves: Bitboard = naive.moves().into_iter().collect();
    for square in board.empty() {
        let flips: Bitboard = naive.flips(square).into_iter().collect();
        assert_eq!(board.flips(square), flips, "{square} in {board:?}");
    }
    assert_eq!(position.moves(), moves);
    assert_eq!(position.status(), naive.status());
    assert_eq!(board.is_over(), naive.status() == Status::Over);
    assert_eq!(board.final_score(), naive.final_score());
    for square in Square::all() {
        let played = position.play(Move::Place(square));
        assert_eq!(played.is_ok(), naive.is_legal(square), "{square} in {board:?}");
        if let Ok(next) = played {
            assert_eq!(next, naive.after_move(square).position(), "{square} in {board:?}");
        }
    }
    let passed = position.play(Move::Pass);
    assert_eq!(passed.is_ok(), naive.status() == Status::MustPass);
    if let Ok(next) = passed {
        assert_eq!(next, naive.after_pass().position());
    }
}

/// Random games, every position of them, the naive rules alongside.
#[test]
pub(crate) fn games_follow_the_naive_rules() {
    let mut random = Random::new(1);
    let mut passes = 0;
    for _ in 0..GAMES {
        let game = random.game(usize::MAX);
        let mut naive = Naive::of(&Position::START);
        for (ply, position) in game.positions().enumerate() {
            assert_eq!(position, naive.position());
            check(&position, &naive);
            naive = match game.moves().get(ply).map(|played| played.mv) {
                Some(Move::Place(square)) => naive.after_move(square),
                Some(Move::Pass) => {
                    passes += 1;
                    naive.after_pass()
                }
                None => break,
            };
        }
        assert_eq!(naive.status(), Status::Over);
    }
    assert!(passes > GAMES / 12, "too few passes to have been tested: {passes}");
}

/// Boards that no game leads to, with runs of any shape.
#[test]
fn impossible_boards_follow_the_naive_rules() {
    let mut random = Random::new(2);
    for _ in 0..20_000 {
        let board = random.board();
        for side in [Color::Black, Color::White] {
            let position = Position::new(board, side);
            let naive = Naive::of(&position);
            assert_eq!(naive.position(), position);
            check(&position, &naive);
        }
    }
}

#[test]
fn undo_restores_the_game() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let game = random.game(120);
        let positions: Vec<_> = game.positions().collect();
        let mut undone = game.clone();
        for ply in (0..game.plies()).rev() {
            assert_eq!(undone.undo(), Some(game.moves()[ply]));
            assert_eq!(undone.position(), positions[ply]);
            assert_eq!(game.position_at(ply), Some(positions[ply]));
            assert_eq!(game.prefix(ply), undone);
        }
        assert_eq!((undone.undo(), game.position_at(game.plies() + 1)), (None, None));
        assert_eq!(undone, Game::default());
    }
}

/// A symmetry of the board transforms moves, flips, and the positions after them. A board and its images have one canonical
/// form.
#[test]
fn rules_are_symmetric() {
    let mut random = Random::new(4);
    for _ in 0..5_000 {
        let board = random.board();
        let images: HashSet<Board> = Symmetry::all().map(|symmetry| symmetry.board(board)).collect();
        assert_eq!(images.len(), 8, "{board:?}");
        let (canonical, to_canonical) = board.canonical();
        assert_eq!(images.iter().min(), Some(&canonical));
        assert_eq!(to_canonical.board(board), canonical);
        assert_eq!(to_canonical.inverse().board(canonical), board);
        for symmetry in Symmetry::all() {
            let image = symmetry.board(board);
            assert_eq!(image.moves(), symmetry.bitboard(board.moves()));
            assert_eq!(image.final_score(), board.final_score());
            for square in board.moves() {
                let (there, flips) = (symmetry.square(square), board.flips(square));
                assert_eq!(image.flips(there), symmetry.bitboard(flips));
                let next = image.after_move(there, image.flips(there));
                assert_eq!(next, symmetry.board(board.after_move(square, flips)));
            }
        }
    }
}
