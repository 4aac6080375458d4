//! Where the games begin.

use std::collections::HashSet;
use std::io;

use outflank::board::{Move, Status};
use outflank::game::Game;
use outflank::kernel::Kernel;
use outflank::notation;
use outflank::random::Random;
use outflank::score::Confidence;
use outflank::search::{Goal, HashSize, KeepLastReport, Limits, Progress, Search, SearchId, SearchRequest};
use outflank_cli::native::read_whole;

use super::options::{MatchOptions, Openings};
use crate::engine::{EngineOptions, of_file};

/// A random opening is taken when a search holds it for no more off balance, in centidiscs.
const BALANCED: i32 = 300;
/// Depth of that search in plies.
const DEPTH: u32 = 8;

/// The openings of the match: those of a file, or as many random ones as are needed.
pub(super) fn openings(options: &MatchOptions) -> io::Result<Vec<Game>> {
    match &options.openings {
        Openings::File(path) => {
            let text = read_whole(path).map_err(|error| of_file(path, &error))?;
            let games = notation::read(&String::from_utf8_lossy(&text))
                .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
            if let Some(over) = games.iter().position(Game::is_over) {
                let number = over + 1;
                return Err(io::Error::other(format!(
                    "{}: opening {number}: the game is over",
                    path.display()
                )));
            }
            Ok(games)
        }
        Openings::Random { plies, seed, weights } => {
            let small = EngineOptions { hash: HashSize(16), weights: weights.clone() };
            let mut search = Search::new(small.config(Kernel::best())?);
            Ok(random(options.games.div_ceil(2) as usize, *plies, *seed, &mut search))
        }
    }
}

/// Up to `count` different openings of `plies` random moves that `search` holds for balanced; fewer where there are
/// hardly any more.
fn random(count: usize, plies: u32, seed: u64, search: &mut Search) -> Vec<Game> {
    /// So many failures in a row, and there are hardly any more.
    const MOST_FAILURES: u32 = 2000;
    let mut random = Random::new(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut failures = 0;
    while openings.len() < count && (failures < MOST_FAILURES || openings.is_empty()) {
        failures += 1;
        let game = random_game(&mut random, plies);
        let position = game.position();
        if position.status() == Status::ToMove
            && !seen.contains(&position.board().canonical().0)
            && (value(search, &game).abs() <= BALANCED || failures >= MOST_FAILURES)
        {
            seen.insert(position.board().canonical().0);
            openings.push(game);
            failures = 0;
        }
    }
    openings
}

/// What a search holds of the end of `game`, in centidiscs.
fn value(search: &mut Search, game: &Game) -> i32 {
    let limits = Limits::to_depth(DEPTH, Confidence::EXACT);
    search.start(SearchRequest { id: SearchId(1), root: game.position(), goal: Goal::BestMove, limits });
    let mut monitor = KeepLastReport::default();
    while search.run(&mut monitor) == Progress::Suspended {}
    monitor.last.as_ref().and_then(|report| report.best()).map_or(0, |best| best.score.centidiscs())
}

/// A game of up to `plies` random moves.
fn random_game(random: &mut Random, plies: u32) -> Game {
    let mut game = Game::default();
    for _ in 0..plies {
        let moves = game.position().moves();
        let mv = match game.position().status() {
            Status::ToMove => {
                let nth = random.below(moves.count()) as usize;
                moves.into_iter().nth(nth).map_or(Move::Pass, Move::Place)
            }
            Status::MustPass => Move::Pass,
            Status::Over => break,
        };
        if game.play(mv).is_err() {
            break;
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use outflank::search::SearchConfig;

    use super::*;

    #[test]
    fn random_openings_are_different_and_always_the_same() {
        let mut search = Search::new(SearchConfig { hash: HashSize(1), ..SearchConfig::default() });
        let few = random(4, 8, 1, &mut search);
        assert_eq!(few.len(), 4);
        assert!(few.iter().all(|game| game.plies() == 8));
        search.clear();
        assert_eq!(random(6, 8, 1, &mut search)[..4], few[..]);
        // There is one opening of one move.
        assert_eq!(random(5, 1, 1, &mut search).len(), 1);
    }
}
