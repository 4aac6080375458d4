//! An entry of the table: the result of a search of one position.

use crate::board::Square;
use crate::score::{Confidence, Score};
use crate::search::value::Centidiscs;

/// Bounds and moves of a position. Scores are the mover's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Entry {
    pub(in crate::search) lower: i16,
    pub(in crate::search) upper: i16,
    /// Depth in plies. All empty squares for the end of the game.
    pub(in crate::search) depth: u8,
    pub(in crate::search) confidence: Confidence,
    /// The best move and the one before it.
    pub(in crate::search) moves: [Option<Square>; 2],
}

/// Depth and confidence of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Draft {
    /// Depth in plies. All empty squares for the end of the game.
    pub(in crate::search) depth: u8,
    pub(in crate::search) confidence: Confidence,
    /// Results of deeper searches serve as well.
    pub(in crate::search) or_deeper: bool,
}

impl Draft {
    /// Returns a draft that only results of the same depth serve.
    pub(in crate::search) fn exactly(depth: u8, confidence: Confidence) -> Draft {
        Draft { depth, confidence, or_deeper: false }
    }
}

impl Entry {
    /// An entry without bounds.
    pub(in crate::search) const UNKNOWN: Entry = Entry {
        lower: Score::MIN.centidiscs() as i16,
        upper: Score::MAX.centidiscs() as i16,
        depth: 0,
        confidence: Confidence::LOWEST,
        moves: [None, None],
    };

    /// Returns `true` if the bounds are those of a search at `draft`.
    ///
    /// If the draft does not allow it, a deeper result does not serve: the value of a position would then depend on what was
    /// searched before, and values whose leaves have odd and even numbers of empty squares differ. Within one iteration, a
    /// position always has the same depth.
    #[inline(always)]
    pub(in crate::search) fn serves(&self, draft: Draft) -> bool {
        (self.depth == draft.depth || draft.or_deeper && self.depth > draft.depth)
            && self.confidence >= draft.confidence
    }

    /// Returns the value for a null window above `alpha` if the bounds decide on which side of it the value is.
    #[inline(always)]
    pub(in crate::search) fn outside(&self, alpha: Centidiscs) -> Option<Centidiscs> {
        let (lower, upper) = (Centidiscs(self.lower.into()), Centidiscs(self.upper.into()));
        if lower > alpha {
            Some(lower)
        } else if upper <= alpha {
            Some(upper)
        } else {
            None
        }
    }

    pub(super) fn pack(&self, generation: u8) -> u64 {
        let square = |square: Option<Square>| square.map_or(64, |s| s.index() as u64);
        u64::from(self.lower as u16)
            | u64::from(self.upper as u16) << 16
            | u64::from(self.depth) << 32
            | u64::from(self.confidence.level()) << 39
            | square(self.moves[0]) << 42
            | square(self.moves[1]) << 49
            | u64::from(generation) << 56
    }

    #[inline(always)]
    pub(super) fn unpack(data: u64) -> Entry {
        let square = |shift: u32| Square::new((data >> shift & 127) as u8);
        Entry {
            lower: data as u16 as i16,
            upper: (data >> 16) as u16 as i16,
            depth: (data >> 32 & 127) as u8,
            confidence: Confidence::from_level((data >> 39 & 7) as u8),
            moves: [square(42), square(49)],
        }
    }
}
