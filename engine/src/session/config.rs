//! The configuration of a session.

use std::sync::Arc;

use super::Level;
use crate::board::Position;
use crate::book::{Book, BookMove, Contempt};
use crate::random::Random;
use crate::score::Score;
use crate::search::{HashSize, Report};

/// The properties of the engine that a session reports to its GUI and may change.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionConfig {
    /// Name of the engine, one word.
    pub name: &'static str,
    /// Version of the engine.
    pub version: &'static str,
    /// Size of the transposition table at the start.
    pub hash: HashSize,
    /// Number of search threads at the start.
    pub threads: usize,
    /// Most search threads that the host can provide.
    pub max_threads: usize,
    /// The opening book.
    pub book: Option<OpenBook>,
    /// Moves of the book that are at most this much worse than the best one are chosen at random.
    pub variety: Score,
    /// The level of the moves to play. Below [`Level::ENGINE`], they are not those of the book.
    pub level: Level,
    /// The seed of the choices of moves. The host gives another one to each session.
    pub seed: u64,
}

/// A book and its file.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenBook {
    /// The file, in the terms of the host.
    pub path: String,
    /// The content.
    pub book: Arc<Book>,
}

/// A book that cannot be opened or written. The message names the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookError(pub String);

impl std::fmt::Display for BookError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BookError {}

impl SessionConfig {
    /// Returns the file of the opening book. Empty for none.
    pub(super) fn book_path(&self) -> &str {
        self.book.as_ref().map_or("", |open| &open.path)
    }

    pub(super) fn book_choice(&mut self, position: &Position, contempt: Contempt) -> Option<BookMove> {
        let mut choices = self.book.as_ref()?.book.choices(position, contempt, self.variety);
        if choices.is_empty() || self.level != Level::ENGINE {
            return None;
        }
        let mut random = Random::new(self.seed);
        let chosen = if self.variety > Score::ZERO { random.below(choices.len() as u32) as usize } else { 0 };
        self.seed = random.bits();
        Some(choices.swap_remove(chosen))
    }

    /// Returns the index of the line to play at the level.
    pub(super) fn choice(&mut self, position: &Position, report: &Report) -> usize {
        let mut random = Random::new(self.seed);
        let chosen = self.level.choose(position, report, random.unit().into());
        self.seed = random.bits();
        chosen
    }
}

impl Default for SessionConfig {
    fn default() -> SessionConfig {
        SessionConfig {
            name: "Outflank",
            version: env!("CARGO_PKG_VERSION"),
            hash: HashSize(64),
            threads: 1,
            max_threads: 1,
            book: None,
            variety: Score::ZERO,
            level: Level::ENGINE,
            seed: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variety_plays_all_moves_near_the_best_one_and_none_without_it() {
        let book = Book::read("f5d6 +1.00\nf5f6 +1.90\nf5f4 +4.00\n").unwrap();
        let book = Some(OpenBook { path: String::new(), book: Arc::new(book) });
        let after = crate::notation::transcript::read("f5").unwrap().position();
        let played = |variety| {
            let mut config =
                SessionConfig { book: book.clone(), variety, seed: 1, ..SessionConfig::default() };
            let moves =
                (0..40).map(|_| config.book_choice(&after, Contempt::default()).unwrap().line[0].to_string());
            moves.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<String>()
        };
        assert_eq!(played(Score::ZERO), "d6");
        assert_eq!(played(Score::from_centidiscs(100)), "d6f6");
    }
}
