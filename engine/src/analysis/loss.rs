//! Losses of moves, and what a line of moves has lost.

use super::values::Point;
use crate::board::{Color, Position};

/// The loss of a move: the value before it minus the value after it, for its side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// The side that moved.
    pub side: Color,
    /// In centidiscs, at least 0.
    pub loss: f64,
    /// Both values are proven scores.
    pub exact: bool,
    /// The sum of the errors of both values, in centidiscs.
    pub error: f64,
    /// A loss that is almost certain: the loss less three standard errors of the difference of both values, equal to the
    /// loss if it is exact. `None` if it is less than a disc. At most 1 in 100 is above the exact loss, at every depth from 4
    /// plies (`train/RESULTS.md`).
    pub at_least: Option<f64>,
    /// The part of the loss that is proven, if the loss is not exact.
    pub proven: Option<f64>,
    /// The outcome became worse.
    pub changed: Option<Change>,
    /// The best move by the values that were compared.
    pub best: Option<crate::board::Square>,
    /// The loss is clear enough to be called a mistake.
    pub mistake: bool,
    /// The loss is more than 6 discs, or the outcome changed.
    pub grave: bool,
}

/// A worse outcome: win, draw or loss before and after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A win became a draw.
    WinToDraw,
    /// A win became a loss.
    WinToLoss,
    /// A draw became a loss.
    DrawToLoss,
}

/// Standard errors of a difference beyond which an estimated loss is almost certain.
const CERTAIN: f64 = 3.0;

impl Loss {
    /// Returns the loss of a move in `position` by the values before and after it.
    pub fn between(position: &Position, before: &Point, after: &Point) -> Loss {
        let side = position.side();
        let (was, is) = (before.bounds(side, 1.0), after.bounds(side, 1.0));
        let [had, has] = [before, after].map(|point| point.score_for(side).centidiscs());
        // A move without a choice loses nothing, even if the two searches differ.
        let loss = if before.forced { 0.0 } else { f64::from((had - has).max(0)) };
        let exact = before.certainty.is_exact() && after.certainty.is_exact();
        let remains = |least: f64| least >= 100.0 && loss > 0.0;
        let proven = before.bounds(side, 0.0).0 - after.bounds(side, 0.0).1;
        let least = proven - CERTAIN * (before.error.powi(2) + after.error.powi(2)).sqrt();
        let at_least = if exact { Some(loss) } else { Some(least).filter(|least| remains(*least)) };
        let changed = match (outcome(was), outcome(is)) {
            _ if before.forced => None,
            (Some(1), Some(0)) => Some(Change::WinToDraw),
            (Some(1), Some(-1)) => Some(Change::WinToLoss),
            (Some(0), Some(-1)) => Some(Change::DrawToLoss),
            _ => None,
        };
        let is_clear = match (exact, is_comparable(before, after)) {
            (true, _) => loss >= 200.0,
            (false, true) => loss > 200.0,
            (false, false) => remains(was.0 - is.1),
        };
        let is_proven = before.certainty.is_proven() && after.certainty.is_proven();
        Loss {
            side,
            loss,
            exact,
            error: before.error + after.error,
            at_least,
            proven: at_least.filter(|_| is_proven && !exact),
            changed,
            best: before.best,
            mistake: is_clear || changed.is_some(),
            grave: loss > 600.0 || changed.is_some(),
        }
    }
}

/// Returns the loss of a move in `position` by the points before and after it. `None` if a point is unknown.
///
/// `reviewed` has the points of an analysis of the whole game, whose searches are comparable. They count until deeper,
/// comparable searches know both sides of the move.
pub fn loss(position: &Position, now: [Option<Point>; 2], reviewed: [Option<Point>; 2]) -> Option<Loss> {
    let [Some(before), Some(after)] = now else { return None };
    if let [Some(was), Some(is)] = reviewed {
        let is_deeper = |now: &Point, then: &Point| {
            now.certainty.is_proven() || now.certainty.level() > then.certainty.level()
        };
        if !(is_deeper(&before, &was) && is_deeper(&after, &is) && is_comparable(&before, &after)) {
            return Some(Loss::between(position, &was, &is));
        }
    }
    Some(Loss::between(position, &before, &after))
}

/// Returns `true` if a difference of the values means more than a difference of the search depths.
fn is_comparable(one: &Point, other: &Point) -> bool {
    /// Largest difference in depth, in thousandths of a ply, exclusive.
    const ALIKE: i32 = 3_000;
    let (one, other) = (one.certainty, other.certainty);
    one.is_proven() || other.is_proven() || (one.level() - other.level()).abs() < ALIKE
}

/// Returns 1 for a win, 0 for a draw, -1 for a loss. `None` if the bounds leave it open.
fn outcome((low, high): (f64, f64)) -> Option<i32> {
    match () {
        () if low > 0.0 => Some(1),
        () if high < 0.0 => Some(-1),
        () if low == 0.0 && high == 0.0 => Some(0),
        () => None,
    }
}

/// The sums of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// The sum of the losses in centidiscs.
    pub total: f64,
    /// The sum by thirds of the game: moves 1 to 20, 21 to 40, 41 to 60.
    pub phases: [f64; 3],
    /// Number of moves.
    pub moves: u32,
    /// Number of moves with a known loss.
    pub known: u32,
    /// A loss is unknown or not exact.
    pub inexact: bool,
    /// Changes of the outcome, in the order of [`Change`].
    pub changed: [u32; 3],
    /// Mistakes that did not change the outcome.
    pub discs: u32,
    /// Mistakes that are not grave.
    pub slight: u32,
    /// Grave mistakes.
    pub grave: u32,
}

impl Sums {
    fn add(&mut self, position: &Position, loss: Option<&Loss>) {
        self.moves += 1;
        self.inexact |= loss.is_none_or(|loss| !loss.exact);
        let Some(loss) = loss else { return };
        self.known += 1;
        self.total += loss.loss;
        let number = 61 - position.empties().cast_signed();
        self.phases[usize::from(number > 20) + usize::from(number > 40)] += loss.loss;
        if let Some(change) = loss.changed {
            self.changed[change as usize] += 1;
        }
        if loss.mistake {
            self.discs += u32::from(loss.changed.is_none());
            *(if loss.grave { &mut self.grave } else { &mut self.slight }) += 1;
        }
    }

    /// Returns how well the side played, from 0 to 100. `None` if the loss of fewer than nine tenths of its moves is known.
    pub fn accuracy(&self) -> Option<u32> {
        /// A loss of this many discs per move halves the figure: without loss 100, 1 disc 84, 2 discs 71, 4 discs 50.
        const HALVING: f64 = 4.0;
        /// A smaller total, in centidiscs, is shown as 0.
        const NOTHING: f64 = 5.0;
        if self.known == 0 || 10 * self.known < 9 * self.moves {
            return None;
        }
        if self.total < NOTHING {
            return Some(100);
        }
        let lost = self.total / 100.0 / f64::from(self.known);
        Some((100.0 * halved(lost / HALVING)).round().min(99.0) as u32)
    }
}

/// Returns 1 halved `times` times. `exp2` needs a table of 4 KiB in the module of the page.
fn halved(times: f64) -> f64 {
    let x = -std::f64::consts::LN_2 * times.fract();
    let series = (1..20).rev().fold(1.0, |sum, n| 1.0 + x / f64::from(n) * sum);
    (0..times as u32).fold(series, |value, _| value / 2.0)
}

/// A line of moves from the start of a game to one of its positions.
///
/// ```
/// use outflank::analysis::{Course, Known, Loss, Values, ask};
/// use outflank::board::{Move, Position};
/// use outflank::score::Confidence;
/// use outflank::search::{Goal, Limits, Search, SearchConfig};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut search = Search::new(SearchConfig::default());
/// let mut values = Values::of(search.network());
/// let mut point = |position: Position| {
///     let report = ask(&mut search, position, Goal::BestMove, Limits::to_depth(6, Confidence::LOWEST));
///     values.add_root(&position, report.best().and_then(Known::of)?);
///     values.point(&position)
/// };
/// let mut position = Position::START;
/// let mut was = point(position);
/// let mut course = Course::start(was, None);
/// for text in ["f5", "f6", "e6", "f4"] {
///     let before = position;
///     position = before.play(text.parse::<Move>()?)?;
///     let is = point(position);
///     let loss = was.zip(is).map(|(was, is)| Loss::between(&before, &was, &is));
///     course = course.extended(&before, loss.as_ref(), is, None);
///     was = is;
/// }
/// let [black, white] = course.sums;
/// assert_eq!([black.known, white.known], [2, 2]);
/// println!("Black lost {:.2} discs, White {:.2}", black.total / 100.0, white.total / 100.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// The sums of Black and of White.
    pub sums: [Sums; 2],
    /// The lowest level of the points along the line, in thousandths. `None` if no point is known.
    pub level: Option<i32>,
}

impl Course {
    /// Returns the course of a game without moves.
    pub fn start(now: Option<Point>, reviewed: Option<Point>) -> Course {
        let level = reviewed.or(now).map(|point| point.certainty.level());
        Course { sums: [Sums::default(); 2], level }
    }

    /// Returns the course after one more move in `position`, with the points after it.
    #[must_use]
    pub fn extended(
        &self,
        position: &Position,
        loss: Option<&Loss>,
        now: Option<Point>,
        reviewed: Option<Point>,
    ) -> Course {
        let mut next = self.extended_by_given(now, reviewed);
        next.sums[usize::from(position.side() == Color::White)].add(position, loss);
        next
    }

    /// Returns the course after one more move that the side did not choose. It does not count in the sums.
    #[must_use]
    pub fn extended_by_given(&self, now: Option<Point>, reviewed: Option<Point>) -> Course {
        let mut next = Course::start(now, reviewed);
        next.sums = self.sums;
        next.level = self.level.into_iter().chain(next.level).min();
        next
    }
}
