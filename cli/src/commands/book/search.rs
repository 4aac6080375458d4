//! Searches positions of a book for the best of the moves that are not in the book.

use std::io;

use outflank::analysis::ask;
use outflank::board::{Color, Move, Position};
use outflank::book::{Key, OwnValue};
use outflank::search::{Goal, Search};
use outflank::session::limits_at_depth;

use super::Searching;
use crate::parallel::parallel_in_order;

/// Runs `search` for each item, on as many threads as `options` has jobs, and passes the results to `take` in the order of the
/// items.
pub(super) fn search_all<T: Send, R: Send>(
    options: &Searching,
    items: Vec<T>,
    search: impl Fn(&mut BookSearcher, T) -> io::Result<R> + Sync,
    mut take: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    parallel_in_order(
        items.into_iter(),
        options.jobs.number as usize,
        || {
            let searcher = options.jobs.search().map_err(|error| error.to_string());
            let mut searcher = searcher.map(|search| BookSearcher { search, depth: options.depth });
            let search = &search;
            move |item| {
                let searcher = searcher.as_mut().map_err(|error| io::Error::other(error.clone()))?;
                search(searcher, item)
            }
        },
        |result| take(result?),
    )
}

/// A search with its threads.
pub(super) struct BookSearcher {
    search: Search,
    depth: u32,
}

impl BookSearcher {
    /// Searches the position of `key`. Returns the value of the best move that is not one of `known`, or the proven value of the
    /// position. `None` if all moves are known.
    pub(super) fn search(&mut self, key: &Key, known: &[Move]) -> Option<OwnValue> {
        let position = Position::new(key.board(), Color::Black);
        if position.board().is_over() {
            return Some(OwnValue::of_end(position.board()));
        }
        let moves = position.moves().count() as usize;
        if known.len() >= moves {
            return None;
        }
        // The result must not depend on the order of positions.
        self.search.clear();
        let goal = if known.is_empty() { Goal::BestMove } else { Goal::Hints(known.len() + 1) };
        let limits = limits_at_depth(&position, self.depth);
        let report = ask(&mut self.search, position, goal, limits);
        let lines = &report.lines;
        // If the best of all moves is proven, so is the position.
        let best = lines.first().filter(|line| line.is_exact());
        let other = lines.iter().find(|line| line.first().is_some_and(|mv| !known.contains(&mv)));
        best.or(other).map(|line| OwnValue {
            score: line.score,
            exact: best.is_some(),
            best: line.first().and_then(Move::square),
            depth: report.depth.plies().min(60) as u8,
        })
    }
}
