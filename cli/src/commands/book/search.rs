//! What a search finds of a position of a book: the value of the best of the moves that the book does not know.

use outflank::analysis::ask;
use outflank::board::{Color, Move, Position};
use outflank::search::{Goal, Search};
use outflank::session::limits_at_depth;
use outflank_cli::store::{Given, Key};

use super::Searching;

/// A search with its threads.
pub(super) struct Seeker {
    search: Search,
    depth: u32,
}

/// What was found of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Nothing where the book knows all moves.
    pub(super) given: Option<Given>,
}

impl Seeker {
    pub(super) fn new(options: &Searching) -> Result<Seeker, String> {
        let search = options.jobs.search().map_err(|error| error.to_string())?;
        Ok(Seeker { search, depth: options.depth })
    }

    /// Searches a position with the side to move on `key`'s board; `known` are the moves that the book knows.
    pub(super) fn seek(&mut self, key: &Key, known: &[Move]) -> Found {
        let position = Position::new(key.board(), Color::Black);
        if position.board().is_over() {
            return Found { given: Some(Given::of_end(position.board())) };
        }
        let moves = position.moves().count() as usize;
        if known.len() >= moves {
            return Found { given: None };
        }
        // What was known of other positions does not count, so that their order changes nothing.
        self.search.clear();
        let goal = if known.is_empty() { Goal::BestMove } else { Goal::Hints(known.len() + 1) };
        let limits = limits_at_depth(&position, self.depth);
        let report = ask(&mut self.search, position, goal, limits);
        let lines = &report.lines;
        // Where the best of all moves is proven, so is the position.
        let best = lines.first().filter(|line| line.is_exact());
        let other = lines.iter().find(|line| line.first().is_some_and(|mv| !known.contains(&mv)));
        let given = best.or(other).map(|line| Given {
            score: line.score,
            exact: best.is_some(),
            best: line.first().and_then(Move::square),
            depth: report.depth.plies().min(60) as u8,
        });
        Found { given }
    }
}
