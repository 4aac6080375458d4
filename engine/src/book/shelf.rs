//! A store of positions that a host lends to a book: the engine knows no files.

use std::fmt;

use super::Contempt;
use crate::board::{Board, Color};
use crate::score::Score;

/// Positions by their canonical boards. Forced passes are no positions of their own.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// What a position is worth; `None` if that is not known. Its board is the canonical one.
    fn look(&self, board: &Board) -> Option<Shelved>;

    /// Returns `true` if the store has a position, with a value or without one; its board is the canonical one.
    fn contains(&self, board: &Board) -> bool;

    /// Number of positions.
    fn len(&self) -> usize;

    /// Whether nothing is known.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a position of a store is worth to its mover.
///
/// Its value depends on what a draw is held for: as a minimax of constants and of that one number it is the number itself
/// within two bounds, and the nearer bound outside them. Two scores therefore say it for every contempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shelved {
    /// The value if a draw were the worst of all.
    pub low: Score,
    /// The value if a draw were the best of all; the same where no draw is in reach.
    pub high: Score,
    /// Whether the line of the value ends in a final score.
    pub exact: bool,
    /// Whether the value is proven, and not only the best that is known.
    pub proven: bool,
    /// Number of games or lines that contain it.
    pub games: u32,
}

impl Shelved {
    /// The value where draws are held for this, and whether it is that of a draw.
    pub fn score(&self, contempt: Contempt, side: Color) -> (i32, bool) {
        let draw = contempt.for_side(side);
        let (low, high) = (self.low.centidiscs(), self.high.centidiscs());
        (draw.clamp(low, high.max(low)), low < high && (low..=high).contains(&draw))
    }
}
