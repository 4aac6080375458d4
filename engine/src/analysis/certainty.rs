//! How certain values of positions are.

use super::errors::standard_error;
use crate::book::BookMove;
use crate::eval::NetworkSize;
use crate::score::Score;
use crate::search::{Line, Proof};

/// How a value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A search to a depth without forward pruning.
    Heuristic,
    /// A search with forward pruning, to a depth or to the end of the game.
    Selective,
    /// An opening book.
    Book,
    /// The winner, or a draw, is proven.
    Outcome,
    /// The score is proven.
    Exact,
}

impl Kind {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Heuristic => "heuristic",
            Kind::Selective => "selective",
            Kind::Book => "book",
            Kind::Outcome => "outcome",
            Kind::Exact => "exact",
        }
    }
}

/// How certain a value is. Replaces a value only if its level is at least the old level.
///
/// A search to a depth has the level of this depth. Above all depths are books, then solves with forward pruning, then proven
/// outcomes, then proven scores, then results of finished games. A proof comes only from a [`Line`] that claims it or from
/// the text of one, so the value of a running search is never exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certainty {
    kind: Kind,
    level: i32,
}

impl Certainty {
    /// The levels are thousandths; this is the lowest above all depths.
    const BOOK: i32 = 100_000;
    const SOLVE: i32 = 200_000;
    pub(crate) const OUTCOME: Certainty = Certainty { kind: Kind::Outcome, level: 900_000 };
    /// A proven score.
    pub const EXACT: Certainty = Certainty { kind: Kind::Exact, level: 1_000_000 };
    /// The result of a finished game.
    pub(super) const OVER: Certainty = Certainty { kind: Kind::Exact, level: 2_000_000 };

    /// Returns the certainty that `line` claims.
    pub fn of(line: &Line) -> Certainty {
        match line.proof {
            Proof::Exact if line.is_exact() => Certainty::EXACT,
            Proof::Outcome if line.proves_outcome() => Certainty::OUTCOME,
            proof => Certainty::at_depth(line.depth.plies(), proof.confidence().percent().into()),
        }
    }

    /// Returns the certainty of a move of a book.
    pub(crate) fn of_book(known: &BookMove) -> Certainty {
        if known.proven { Certainty::EXACT } else { Certainty::book(known.line.len() as u32) }
    }

    /// Returns the certainty of a search to `plies` at a confidence of `percent`.
    pub(crate) fn at_depth(plies: u32, percent: u32) -> Certainty {
        let kind = if percent < 100 { Kind::Selective } else { Kind::Heuristic };
        Certainty { kind, level: (1000 * plies.min(99) + percent.min(100)).cast_signed() }
    }

    /// Returns the certainty of a search to the end of the game at a confidence of `percent`.
    pub(crate) fn solve(percent: u32) -> Certainty {
        let level = Certainty::SOLVE + 1000 * percent.min(100).cast_signed();
        Certainty { kind: Kind::Selective, level }
    }

    /// Returns the certainty of a book with `plies` moves from the position on.
    pub fn book(plies: u32) -> Certainty {
        Certainty { kind: Kind::Book, level: Certainty::BOOK + 1000 * plies.min(100).cast_signed() }
    }

    /// Returns how the value is known.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// Returns the level in thousandths: 1000 a ply for depths, more for other kinds.
    pub fn level(self) -> i32 {
        self.level
    }

    /// Returns the depth in plies, 100 for a proof. `None` for a solve with forward pruning.
    pub fn depth(self) -> Option<u32> {
        match self.kind {
            Kind::Outcome | Kind::Exact => Some(100),
            Kind::Book => Some((self.level - Certainty::BOOK).cast_unsigned() / 1000),
            Kind::Selective if self.level >= Certainty::SOLVE => None,
            Kind::Heuristic | Kind::Selective => Some(self.level.cast_unsigned() / 1000),
        }
    }

    /// Returns the confidence in percent of a search with forward pruning, `None` of all others.
    pub fn confidence(self) -> Option<u32> {
        let is_solve = self.level >= Certainty::SOLVE;
        let percent = if is_solve { (self.level - Certainty::SOLVE) / 1000 } else { self.level % 1000 };
        (self.kind == Kind::Selective).then_some(percent.cast_unsigned())
    }

    /// Returns `true` if the score is proven.
    pub fn is_exact(self) -> bool {
        self.kind == Kind::Exact
    }

    /// Returns `true` if at least the outcome is proven.
    pub fn is_proven(self) -> bool {
        self.level >= Certainty::OUTCOME.level
    }

    /// Returns the certainty `plies` further from the leaves. A solve counts the same everywhere.
    pub(super) fn shifted(self, plies: i32) -> Certainty {
        let least = match self.kind {
            Kind::Book => Certainty::BOOK,
            Kind::Heuristic | Kind::Selective if self.level < Certainty::BOOK => 0,
            _ => return self,
        };
        Certainty { level: (self.level + 1000 * plies).max(least), ..self }
    }

    /// Returns the standard error in centidiscs of the value of a position with `empties` empty squares: 68 of 100 exact scores
    /// are within it. Proven values have none.
    pub fn error(self, network: NetworkSize, empties: u32) -> f64 {
        /// Values in books come from deep searches.
        const BOOK_PLIES: u32 = 20;
        let depth = match self.kind {
            Kind::Outcome | Kind::Exact => return 0.0,
            Kind::Book => BOOK_PLIES.min(empties.saturating_sub(1)),
            _ => self.depth().unwrap_or(empties),
        };
        standard_error(network, empties, depth, self.confidence().unwrap_or(100))
    }

    /// Returns the lowest and the highest value in centidiscs that `score` stands for: `error` apart from it if it is not proven.
    pub(super) fn bounds(self, score: Score, error: f64) -> (f64, f64) {
        let value = f64::from(score.centidiscs());
        match self.kind {
            Kind::Outcome if value > 0.0 => (200.0, 6400.0),
            Kind::Outcome if value < 0.0 => (-6400.0, -200.0),
            Kind::Outcome => (0.0, 0.0),
            _ => (value - error, value + error),
        }
    }
}
