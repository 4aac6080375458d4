//! Searches positions of a book for the best of the moves that are not in the book.

use std::io;

use outflank::analysis::{ask, even_leaves};
use outflank::board::{Bitboard, Color, Move, Position};
use outflank::book::{Key, OwnValue};
use outflank::score::Score;
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
            let searcher = options.jobs.each.search().map_err(|error| error.to_string());
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

/// Searches positions for the best of their moves without values, and passes each key with the value to `take`. `is_valued` selects
/// the positions that have values, or are searched too.
pub(super) fn search_keys(
    options: &Searching,
    keys: Vec<Key>,
    is_valued: impl Fn(&Key) -> bool + Sync,
    take: impl FnMut((Key, Option<OwnValue>)) -> io::Result<()>,
) -> io::Result<()> {
    let search = |searcher: &mut BookSearcher, key: Key| {
        let known = key.children().filter(|child| is_valued(&child.key));
        let known: Vec<_> = known.map(|child| Move::Place(child.mv)).collect();
        Ok((key, searcher.search(&key, &known)))
    };
    search_all(options, keys, search, take)
}

/// How much too high searches value the side that makes the last move if no side passes, in centidiscs. On the 100 positions of
/// `train/exact-30.obf`, searches to 24 plies at 73 % with the large network are 0.45 discs too low; after the best moves, with 29
/// empty squares, searches to 25 plies are 0.47 discs too high. Both networks have it: at 14 plies, values of the small one are 0.46
/// discs too low, those of the large one 0.48 (standard errors 0.2).
const LAST_MOVE: i32 = 45;

/// Corrects the value of a search by [`LAST_MOVE`].
fn unbiased(score: Score, empties: u32) -> Score {
    let correction = Score::from_centidiscs(LAST_MOVE);
    if empties.is_multiple_of(2) { score + correction } else { score - correction }
}

/// A search with its threads.
pub(super) struct BookSearcher {
    search: Search,
    depth: u32,
}

impl BookSearcher {
    /// Searches the position of `key` to the depth of the book, as [`search_to`](Self::search_to) does.
    pub(super) fn search(&mut self, key: &Key, known: &[Move]) -> Option<OwnValue> {
        self.search_to(self.depth, key, known)
    }

    /// Searches the position of `key` to `depth` plies, and one more if the leaves would have an odd number of empty squares.
    /// Returns the value of the best move that is not one of `known`. `None` if all moves are known.
    pub(super) fn search_to(&mut self, depth: u32, key: &Key, known: &[Move]) -> Option<OwnValue> {
        let position = Position::new(key.board(), Color::Black);
        if position.board().is_over() {
            return Some(OwnValue::of_end(position.board()));
        }
        let known: Bitboard = known.iter().filter_map(|mv| mv.square()).collect();
        let others = position.board().moves() & !known;
        if others.is_empty() {
            return None;
        }
        let empties = position.board().empties();
        // The result must not depend on the order of positions.
        self.search.clear();
        let limits = limits_at_depth(&position, even_leaves(&position, depth)).with_only(others);
        let report = ask(&mut self.search, position, Goal::BestMove, limits);
        let depth = report.depth.plies();
        report.best().map(|line| OwnValue {
            score: if line.is_exact() || depth >= empties {
                line.score
            } else {
                unbiased(line.score, empties)
            },
            // The value of some of the moves proves no value of the position.
            exact: known.is_empty() && line.is_exact(),
            best: line.first().and_then(Move::square),
            depth: depth.min(60) as u8,
        })
    }
}

#[cfg(test)]
mod tests {
    use outflank::search::SearchConfig;

    use super::*;

    #[test]
    fn estimates_are_corrected_by_the_side_with_the_last_move_and_proven_scores_are_not() {
        let mut searcher = BookSearcher { search: Search::new(SearchConfig::default()), depth: 4 };
        for (moves, correction) in [("", 45), ("f5", -45), ("f5d6", 45)] {
            let position = super::super::expand::root(moves).unwrap();
            let key = Key::of(position.board()).0;
            let board = Position::new(key.board(), Color::Black);
            searcher.search.clear();
            let limits = limits_at_depth(&board, even_leaves(&board, 4));
            let raw = ask(&mut searcher.search, board, Goal::BestMove, limits).best().unwrap().score;
            let own = searcher.search(&key, &[]).unwrap().score;
            assert_eq!(own.centidiscs() - raw.centidiscs(), correction, "{moves}");
        }
        let end = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOXXXXXOOOXXXXX-OO X";
        let board = super::super::expand::root(end).unwrap().board();
        let own = searcher.search(&Key::of(board).0, &[]).unwrap();
        assert!(own.exact && own.score.centidiscs() % 200 == 0, "{own:?}");
    }
}
