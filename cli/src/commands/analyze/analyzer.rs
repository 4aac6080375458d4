//! Analysis of one game by one search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use outflank::analysis::ask_while;
use outflank::board::{Move, Position};
use outflank::book::{Book, Contempt};
use outflank::game::Game;
use outflank::search::Search;
use outflank::study::{GameReport, Plan, Study};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AnalysisLimits {
    pub(super) plan: Plan,
    /// Time for each position.
    pub(super) time: Option<Duration>,
    /// Positions of a book have its values.
    pub(super) has_book: bool,
}

pub(super) struct Analysis {
    pub(super) report: GameReport,
    pub(super) nodes: u64,
}

pub(super) struct GameAnalyzer {
    search: Search,
    limits: AnalysisLimits,
    book: Option<Arc<Book>>,
}

impl GameAnalyzer {
    pub(super) fn new(search: Search, limits: AnalysisLimits, book: Option<Arc<Book>>) -> GameAnalyzer {
        GameAnalyzer { search, limits, book }
    }

    /// Analyzes a game with an empty table, so that the order of games does not matter.
    pub(super) fn analyze(&mut self, game: &Game) -> Analysis {
        self.search.clear();
        let mut study = Study::from(game);
        study.set_network(self.search.network());
        if let Some(book) = &self.book {
            for position in game.positions() {
                study.hear_review(&position, &*book_line(book, &position));
            }
        }
        let mut nodes = 0;
        while let Some(task) = study.next_task(&self.limits.plan) {
            let deadline = self.limits.time.map(|time| Instant::now() + time);
            // Until the deadline, but until the first report at least.
            let searches = |_, last: Option<&_>| {
                last.is_none() || deadline.is_none_or(|deadline| Instant::now() < deadline)
            };
            let report = ask_while(&mut self.search, task.position, task.goal(), task.limits(), searches);
            nodes += report.nodes;
            study.take(task.id, &report);
        }
        Analysis { report: study.report(), nodes }
    }
}

/// Returns the best move of a book in the form of NBoard. Empty if the position is not in the book.
fn book_line(book: &Book, position: &Position) -> String {
    let Some(best) = book.moves(position, Contempt::default()).into_iter().next() else {
        return String::new();
    };
    let squares = best.line.iter().filter(|mv| **mv != Move::Pass).map(Move::to_string).collect::<String>();
    format!("book {squares} {:.2} 0 {}@book", best.score.discs(), best.line.len())
}

impl AnalysisLimits {
    /// Returns the text that an output has about its limits.
    pub(super) fn words(&self) -> String {
        let Plan { depth, exact } = self.plan;
        let book = if self.has_book { ", with a book" } else { "" };
        let exact = exact.map(|exact| format!(", exact from {exact} empty squares")).unwrap_or_default();
        let time = self.time.map(|time| format!(", at most {} s a position", time.as_secs_f64()));
        format!(
            "outflank {}, depth {depth}{exact}{}{book}",
            env!("CARGO_PKG_VERSION"),
            time.unwrap_or_default()
        )
    }
}
