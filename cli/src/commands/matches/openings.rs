//! Openings of a match.

use std::collections::HashSet;
use std::io;

use outflank::analysis::ask;
use outflank::board::{Move, Square, Status};
use outflank::game::Game;
use outflank::kernel::Kernel;
use outflank::notation;
use outflank::random::Random;
use outflank::score::Confidence;
use outflank::search::{Goal, HashSize, Limits, Search};

use super::options::Options;
use crate::engine::EngineOptions;
use crate::native::{in_file, read_whole};

/// Largest value of a balanced opening for either side, in centidiscs.
const MAX_IMBALANCE: i32 = 300;
/// Depth of the search for that value, in plies.
const DEPTH: u32 = 8;

/// Returns the openings of a file, or as many random ones as the match needs.
pub(super) fn openings(options: &Options) -> io::Result<Vec<Game>> {
    match &options.openings {
        Some(path) => {
            let text = read_whole(path)?;
            let wrong = |error: String| in_file(path)(io::Error::other(error));
            let games = notation::read(&String::from_utf8_lossy(&text));
            let games = games.map_err(|error| wrong(error.to_string()))?;
            if let Some(over) = games.iter().position(Game::is_over) {
                return Err(wrong(format!("opening {}: the game is over", over + 1)));
            }
            Ok(games)
        }
        None => {
            let small = EngineOptions { hash: HashSize(16), weights: options.weights.clone() };
            let mut search = Search::new(small.config(Kernel::best())?);
            Ok(random(options.games.div_ceil(2) as usize, options.plies, options.seed, &mut search))
        }
    }
}

/// Returns up to `count` different openings of `plies` random moves whose value is balanced, or fewer if few more exist.
fn random(count: usize, plies: u32, seed: u64, search: &mut Search) -> Vec<Game> {
    /// Consecutive failures after which the search for openings ends.
    const MAX_FAILURES: u32 = 2000;
    let mut random = Random::new(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut failures = 0;
    while openings.len() < count && (failures < MAX_FAILURES || openings.is_empty()) {
        failures += 1;
        let game = random_game(&mut random, plies);
        let position = game.position();
        if position.status() == Status::ToMove
            && !seen.contains(&position.board().canonical().0)
            && (is_balanced(search, &game) || failures >= MAX_FAILURES)
        {
            seen.insert(position.board().canonical().0);
            openings.push(game);
            failures = 0;
        }
    }
    openings
}

fn is_balanced(search: &mut Search, game: &Game) -> bool {
    let report = ask(search, game.position(), Goal::BestMove, Limits::to_depth(DEPTH, Confidence::EXACT));
    report.best().is_none_or(|best| best.score.centidiscs().abs() <= MAX_IMBALANCE)
}

/// Plays up to `plies` random moves.
fn random_game(random: &mut Random, plies: u32) -> Game {
    let mut game = Game::default();
    for _ in 0..plies {
        let squares: Vec<Square> = game.position().moves().into_iter().collect();
        let mv = match squares.len() {
            0 => Move::Pass,
            count => Move::Place(squares[random.below(count as u32) as usize]),
        };
        // The game is over.
        if game.play(mv).is_err() {
            break;
        }
    }
    game
}
