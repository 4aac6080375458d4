//! What the moves of a game cost: the figures of the page's report (`www/js/model/losses.js`, `summary.js` and
//! `accuracy.js`), in centidiscs. The values of its positions are made in [`values`](super::values).

use outflank::board::{Board, Color, Move, Position, Square, Status};
use outflank::game::Game;

/// How a value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A search to a depth.
    Heuristic,
    /// The same, cutting on a guess.
    Selective,
    /// Who wins is proven.
    Outcome,
    /// The value is proven.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    /// The value for Black, in centidiscs.
    pub(crate) value: f64,
    /// How far it is proven, in thousandths of the page's levels.
    pub(crate) level: i32,
    pub(crate) kind: Kind,
    /// The best move; nothing where the game is over.
    pub(crate) best: Option<Square>,
    /// There is but one move, or all are the same by symmetry.
    pub(crate) forced: bool,
}

/// What a move cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Loss {
    pub(crate) side: Color,
    /// In centidiscs, at least 0.
    pub(crate) loss: f64,
    pub(crate) exact: bool,
    /// What it cost at least, by the errors of both values; nothing where that is next to nothing.
    pub(crate) at_least: Option<f64>,
    /// Which outcome became which.
    pub(crate) changed: Option<Change>,
    pub(crate) mistake: bool,
    pub(crate) grave: bool,
}

/// A worse outcome: win, draw or loss before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    WinToDraw,
    WinToLoss,
    DrawToLoss,
}

/// What one side lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sums {
    pub(crate) total: f64,
    /// By thirds of the game.
    pub(crate) phases: [f64; 3],
    pub(crate) moves: u32,
    /// Moves whose cost is known.
    pub(crate) known: u32,
    pub(crate) inexact: bool,
    pub(crate) changed: [u32; 3],
    /// Mistakes that left the outcome as it was.
    pub(crate) discs: u32,
    pub(crate) slight: u32,
    pub(crate) grave: u32,
}

/// The position after the pass where one is forced: passes are part of the positions.
pub(crate) fn settled(position: Position) -> Position {
    match position.status() {
        Status::MustPass => position.play(Move::Pass).unwrap_or(position),
        Status::ToMove | Status::Over => position,
    }
}

/// The positions of a game without its passes, and the moves between them.
pub(crate) fn line_of(game: &Game) -> (Vec<Position>, Vec<Move>) {
    let mut positions = vec![settled(game.start())];
    let mut moves = Vec::new();
    for (played, after) in game.moves().iter().zip(game.positions().skip(1)) {
        if played.mv != Move::Pass {
            positions.push(settled(after));
            moves.push(played.mv);
        }
    }
    (positions, moves)
}

impl Point {
    /// Whether the value is proven.
    pub(crate) fn is_exact(&self) -> bool {
        self.kind == Kind::Exact
    }

    /// What is certain of it, or nearly so, as Black sees it.
    pub(super) fn bounds(&self) -> (f64, f64) {
        if self.is_exact() {
            return (self.value, self.value);
        }
        if self.kind == Kind::Outcome {
            return match self.value {
                value if value > 0.0 => (200.0, 6400.0),
                value if value < 0.0 => (-6400.0, -200.0),
                _ => (0.0, 0.0),
            };
        }
        (self.value - self.error(), self.value + self.error())
    }

    /// Rough standard error of a heuristic value by depth; proven values have none.
    fn error(&self) -> f64 {
        if self.is_exact() || self.kind == Kind::Outcome {
            return 0.0;
        }
        match self.level {
            20_000.. => 200.0,
            14_000.. => 300.0,
            8_000.. => 400.0,
            _ => 600.0,
        }
    }
}

/// Whether there is but one move, or all are the same by symmetry.
pub(super) fn is_forced(position: &Position) -> bool {
    let moves = position.moves();
    if moves.is_empty() || moves.count() > 4 {
        return false;
    }
    let mut twins = moves.into_iter().filter_map(|square| twin(position, square));
    let first = twins.next();
    twins.all(|twin| Some(twin) == first)
}

/// The same for all moves that lead to symmetric positions.
pub(super) fn twin(position: &Position, square: Square) -> Option<(Board, Color)> {
    let after = settled(position.play(Move::Place(square)).ok()?);
    Some((after.board().canonical().0, after.side()))
}

pub(super) fn for_black(value: f64, side: Color) -> f64 {
    if side == Color::Black { value } else { -value }
}

/// The cost of the move played in `position`; nothing where a side of it is unknown.
pub(crate) fn loss(position: &Position, before: Option<&Point>, after: Option<&Point>) -> Option<Loss> {
    /// Plies by which two searches may differ for their values to be compared, in thousandths.
    const ALIKE: i32 = 3_000;
    let (before, after) = (before?, after?);
    let side = position.side();
    // A move without a choice costs nothing, whatever two searches made of it.
    let loss = if before.forced { 0.0 } else { for_black(before.value - after.value, side).max(0.0) };
    let exact = before.is_exact() && after.is_exact();
    let own = |(low, high): (f64, f64)| if side == Color::Black { (low, high) } else { (-high, -low) };
    let (was, is) = (own(before.bounds()), own(after.bounds()));
    let least = was.0 - is.1;
    let at_least = if exact { Some(loss) } else { (least >= 100.0 && loss > 0.0).then_some(least) };
    let changed = match (outcome(was), outcome(is)) {
        _ if before.forced => None,
        (Some(1), Some(0)) => Some(Change::WinToDraw),
        (Some(1), Some(-1)) => Some(Change::WinToLoss),
        (Some(0), Some(-1)) => Some(Change::DrawToLoss),
        _ => None,
    };
    let proven = |point: &Point| point.level >= PROVEN;
    let comparable = proven(before) || proven(after) || (before.level - after.level).abs() < ALIKE;
    let clear = match (exact, comparable) {
        (true, _) => loss >= 200.0,
        (false, true) => loss > 200.0,
        (false, false) => at_least.is_some(),
    };
    Some(Loss {
        side,
        loss,
        exact,
        at_least,
        changed,
        mistake: clear || changed.is_some(),
        grave: loss > 600.0 || changed.is_some(),
    })
}

/// The level from which on at least the outcome is proven, in thousandths.
pub(super) const PROVEN: i32 = 900_000;

/// 1 for a win, 0 for a draw, −1 for a loss; nothing where that is open.
fn outcome((low, high): (f64, f64)) -> Option<i32> {
    match () {
        () if low > 0.0 => Some(1),
        () if high < 0.0 => Some(-1),
        () if low == 0.0 && high == 0.0 => Some(0),
        () => None,
    }
}

/// The sums of Black and of White.
pub(crate) fn sums(positions: &[Position], losses: &[Option<Loss>]) -> [Sums; 2] {
    let mut sums = [Sums::default(); 2];
    for (position, loss) in positions.iter().zip(losses) {
        let side = &mut sums[usize::from(position.side() == Color::White)];
        side.moves += 1;
        let Some(loss) = loss else {
            side.inexact = true;
            continue;
        };
        side.known += 1;
        side.total += loss.loss;
        // The third of the game, by the discs on the board.
        let number = 61 - position.empties() as i32;
        side.phases[usize::from(number > 20) + usize::from(number > 40)] += loss.loss;
        side.inexact |= !loss.exact;
        if let Some(change) = loss.changed {
            side.changed[change as usize] += 1;
        }
        if loss.mistake {
            side.discs += u32::from(loss.changed.is_none());
            *(if loss.grave { &mut side.grave } else { &mut side.slight }) += 1;
        }
    }
    sums
}

impl Sums {
    /// How well it played, out of 100; nothing where the cost of no move is known.
    pub(crate) fn accuracy(&self) -> Option<u32> {
        /// A loss of so many discs a move halves the figure.
        const HALVING: f64 = 4.0;
        if self.known == 0 {
            return None;
        }
        // What is not written as a loss is none.
        if self.total < 5.0 {
            return Some(100);
        }
        let lost = self.total / 100.0 / f64::from(self.known);
        Some((100.0 * (-lost / HALVING).exp2()).round().min(99.0) as u32)
    }
}
