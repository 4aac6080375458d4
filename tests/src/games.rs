//! Random games.

use outflank::board::{Move, Status};
use outflank::game::Game;
use outflank::random::Random;

/// Returns a game of at most `plies` moves. Each is one of the first `choices` legal moves of its position.
pub fn random_game(random: &mut Random, plies: usize, choices: u32) -> Game {
    let mut game = Game::default();
    while game.plies() < plies && !game.is_over() {
        let moves = game.position().moves();
        let mv = match game.position().status() {
            Status::ToMove => {
                moves.into_iter().nth(random.below(moves.count().min(choices)) as usize).map(Move::Place)
            }
            Status::MustPass | Status::Over => None,
        };
        if game.play(mv.unwrap_or(Move::Pass)).is_err() {
            break;
        }
    }
    game
}
