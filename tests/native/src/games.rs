//! Random games, and games as lines of a client.

use outflank::notation::transcript;
use outflank::random::Random;

#[path = "../../../engine/tests/properties/random.rs"]
mod random;

/// Returns transcripts of games of at most `plies` moves, each one of the first `choices` legal moves of its position.
pub fn random_games(count: usize, seed: u64, plies: usize, choices: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    (0..count).map(|_| transcript::write(&random::random_game(&mut random, plies, choices))).collect()
}

/// Returns the line of NBoard that sets a game with these moves.
pub fn set_game(moves: &str) -> String {
    const START: &str = "---------------------------OX------XO---------------------------";
    format!("set game (;GM[Othello]TY[8]BO[8 {START} *]{moves};)")
}
