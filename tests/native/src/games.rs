//! Random games.

use outflank::board::{Move, Status};
use outflank::game::Game;
use outflank::notation::transcript;
use outflank::random::Random;

/// Returns the transcripts of games as [`random_game`] makes them.
pub fn random_games(count: usize, seed: u64, plies: usize, choices: u32) -> Vec<String> {
    let mut random = Random::new(seed);
    (0..count).map(|_| transcript::write(&random_game(&mut random, plies, choices))).collect()
}

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
