//! Scores, bounds, windows and confidence.
//!
//! All scores are from the point of view of the side to move unless a name says otherwise.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score in centidiscs: hundredths of the final disc difference, −6400 to 6400.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i16);

/// A final disc difference, −64 to 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Discs(i8);

/// The relation of a reported value to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The true value is this value.
    Exact,
    /// The true value is at least this value.
    Lower,
    /// The true value is at most this value.
    Upper,
}

/// An open search window: values strictly inside are found exactly, others as bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    alpha: Score,
    beta: Score,
}

/// The error for an empty window: alpha is not below beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyWindow;

impl fmt::Display for EmptyWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the window is empty: alpha is not below beta")
    }
}

impl std::error::Error for EmptyWindow {}

/// The confidence of forward pruning.
///
/// The levels are those of GUIs: 73, 87, 95, 98, 99 and 100 percent. At 100 a search does not prune forward.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Confidence {
    /// The index in [`Confidence::LEVELS`].
    level: u8,
}

impl Score {
    /// The score if all 64 discs are of the opponent.
    pub const MIN: Score = Score(-6400);
    /// The score if all 64 discs are of the side to move.
    pub const MAX: Score = Score(6400);
    /// A draw.
    pub const ZERO: Score = Score(0);

    /// Makes a score from centidiscs, clamped to −6400 to 6400.
    pub const fn from_centidiscs(centidiscs: i32) -> Score {
        Score(if centidiscs < -6400 {
            -6400
        } else if centidiscs > 6400 {
            6400
        } else {
            centidiscs as i16
        })
    }

    /// Makes a score from discs. `None` if the number is NaN.
    pub fn from_discs(discs: f64) -> Option<Score> {
        if discs.is_nan() { None } else { Some(Score::from_centidiscs((discs * 100.0).round() as i32)) }
    }

    /// Returns the score in centidiscs.
    pub const fn centidiscs(self) -> i32 {
        self.0 as i32
    }

    /// Returns the score in discs.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl Discs {
    /// Makes a disc difference, clamped to −64 to 64.
    pub const fn new(discs: i32) -> Discs {
        Discs(if discs < -64 {
            -64
        } else if discs > 64 {
            64
        } else {
            discs as i8
        })
    }

    /// Returns the number, −64 to 64.
    pub const fn get(self) -> i32 {
        self.0 as i32
    }
}

impl Window {
    /// The window of all scores.
    pub const FULL: Window = Window { alpha: Score::MIN, beta: Score::MAX };

    /// Makes the window of the scores between `alpha` and `beta`.
    ///
    /// # Errors
    /// If `alpha` is not below `beta`.
    pub fn new(alpha: Score, beta: Score) -> Result<Window, EmptyWindow> {
        if alpha < beta { Ok(Window { alpha, beta }) } else { Err(EmptyWindow) }
    }

    /// Returns the lower end.
    pub const fn alpha(self) -> Score {
        self.alpha
    }

    /// Returns the upper end.
    pub const fn beta(self) -> Score {
        self.beta
    }
}

impl Confidence {
    /// The lowest level, 73 %.
    pub const LOWEST: Confidence = Confidence { level: 0 };
    /// The level without forward pruning, 100 %.
    pub const EXACT: Confidence = Confidence { level: 5 };

    /// All levels in ascending order.
    pub const LEVELS: [Confidence; 6] = {
        let mut levels = [Confidence::LOWEST; 6];
        let mut level = 0;
        while level < 6 {
            levels[level] = Confidence { level: level as u8 };
            level += 1;
        }
        levels
    };

    const PERCENT: [u8; 6] = [73, 87, 95, 98, 99, 100];

    /// Returns the lowest level of at least `percent`. Above 100 it is [`Confidence::EXACT`].
    pub fn at_least(percent: u8) -> Confidence {
        Confidence::LEVELS.into_iter().find(|level| level.percent() >= percent).unwrap_or(Confidence::EXACT)
    }

    /// Returns the level in percent.
    pub const fn percent(self) -> u8 {
        Confidence::PERCENT[self.level as usize]
    }

    /// Returns `true` for the level without forward pruning.
    #[inline(always)]
    pub const fn is_exact(self) -> bool {
        self.level == Confidence::EXACT.level
    }

    /// Returns the index in [`Confidence::LEVELS`], 0 to 5.
    #[inline(always)]
    pub const fn level(self) -> u8 {
        self.level
    }

    /// Returns the level with an index in [`Confidence::LEVELS`]. Above 5 it is [`Confidence::EXACT`].
    #[inline(always)]
    pub const fn from_level(level: u8) -> Confidence {
        if level < Confidence::EXACT.level { Confidence { level } } else { Confidence::EXACT }
    }
}

impl From<Discs> for Score {
    fn from(discs: Discs) -> Score {
        Score(i16::from(discs.0) * 100)
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Neg for Discs {
    type Output = Discs;
    fn neg(self) -> Discs {
        Discs(-self.0)
    }
}

impl Add for Score {
    type Output = Score;
    /// Saturates at the largest and the smallest score.
    fn add(self, other: Score) -> Score {
        Score::from_centidiscs(self.centidiscs() + other.centidiscs())
    }
}

impl Sub for Score {
    type Output = Score;
    /// Saturates at the largest and the smallest score.
    fn sub(self, other: Score) -> Score {
        Score::from_centidiscs(self.centidiscs() - other.centidiscs())
    }
}

impl fmt::Display for Score {
    /// Writes discs with two decimals and a sign: `+2.57`, `-0.40`, `+0.00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        let magnitude = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", magnitude / 100, magnitude % 100)
    }
}

impl fmt::Display for Discs {
    /// Writes a sign and the number: `+4`, `-12`, `+0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

impl fmt::Display for Confidence {
    /// `73%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}

debug_as_display!(Score, Discs, Confidence);
