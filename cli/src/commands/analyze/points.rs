//! What the moves of a game cost: the figures of the page's report (`www/js/model/losses.js`, `summary.js` and
//! `accuracy.js`), in centidiscs.
//!
//! A point is what is known of a position, as Black sees it. Points are repaired from the end backward: the side to move
//! can do at least as well as by the move that was played, where what follows is known as well or better.

use outflank::board::{Color, Move, Position, Status};
use outflank::game::Game;
use outflank::score::Bound;
use outflank::search::{Line, Proof, Report};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// The value for Black, in centidiscs.
    pub(crate) value: i32,
    /// How far it is proven, in thousandths of the page's levels.
    pub(crate) level: i32,
    pub(crate) kind: Kind,
    /// The value is proven, and so is what repaired it.
    pub(crate) exact: bool,
    /// The best move; nothing where the game is over.
    pub(crate) best: Option<Move>,
    /// There is but one move, or all are the same by symmetry.
    pub(crate) forced: bool,
    /// What the search had found, where the value was raised to what follows.
    pub(crate) searched: Option<i32>,
}

/// What a move cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) side: Color,
    /// In centidiscs, at least 0.
    pub(crate) loss: i32,
    pub(crate) exact: bool,
    /// What it cost at least, by the errors of both values; nothing where that is next to nothing.
    pub(crate) at_least: Option<i32>,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) total: i32,
    /// By thirds of the game.
    pub(crate) phases: [i32; 3],
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
    /// A finished game has its result.
    pub(crate) fn over(position: &Position) -> Point {
        let value = for_black(100 * position.board().final_score(), position.side());
        Point {
            value,
            level: 2_000_000,
            kind: Kind::Exact,
            exact: true,
            best: None,
            forced: false,
            searched: None,
        }
    }

    /// What a search has found; nothing where it found nothing.
    pub(crate) fn found(position: &Position, report: &Report) -> Option<Point> {
        let line = report.best()?;
        let (kind, level) = proof(line, report);
        Some(Point {
            value: for_black(line.score.centidiscs(), position.side()),
            level,
            kind,
            exact: kind == Kind::Exact,
            best: line.first(),
            forced: is_forced(position),
            searched: None,
        })
    }

    /// What is certain of it, or nearly so, as Black sees it.
    fn bounds(&self) -> (i32, i32) {
        if self.exact {
            return (self.value, self.value);
        }
        if self.kind == Kind::Outcome {
            return match self.value {
                1.. => (200, 6400),
                0 => (0, 0),
                _ => (-6400, -200),
            };
        }
        (self.value - self.error(), self.value + self.error())
    }

    /// Rough standard error of a heuristic value by depth; proven values have none.
    fn error(&self) -> i32 {
        if self.exact || self.kind == Kind::Outcome {
            return 0;
        }
        match self.level {
            20_000.. => 200,
            14_000.. => 300,
            8_000.. => 400,
            _ => 600,
        }
    }
}

/// How far the value of a line is proven, as the dialect of the page tells it.
fn proof(line: &Line, report: &Report) -> (Kind, i32) {
    let plies = 1000 * report.depth.plies() as i32;
    match line.proof {
        Proof::Exact if line.bound == Bound::Exact => (Kind::Exact, 1_000_000),
        Proof::Exact => (Kind::Heuristic, plies + 100),
        Proof::Outcome => (Kind::Outcome, 900_000),
        Proof::Selective(confidence) => (Kind::Selective, plies + i32::from(confidence.percent())),
        Proof::Heuristic(confidence) if !confidence.is_exact() => {
            (Kind::Selective, plies + i32::from(confidence.percent()))
        }
        Proof::Heuristic(_) => (Kind::Heuristic, plies + 100),
    }
}

fn is_forced(position: &Position) -> bool {
    let moves = position.moves();
    if moves.count() > 4 {
        return false;
    }
    let mut twins = moves.into_iter().filter_map(|square| {
        let after = settled(position.play(Move::Place(square)).ok()?);
        Some((after.board().canonical().0, after.side()))
    });
    let first = twins.next();
    twins.all(|twin| Some(twin) == first)
}

fn for_black(value: i32, side: Color) -> i32 {
    if side == Color::Black { value } else { -value }
}

/// Repairs the points of a line, from the end backward.
pub(crate) fn repair(positions: &[Position], moves: &[Move], points: &mut [Option<Point>]) {
    for at in (0..moves.len().min(points.len().saturating_sub(1))).rev() {
        let (Some(after), Some(point)) = (points[at + 1], &mut points[at]) else { continue };
        let own = |value| for_black(value, positions[at].side());
        if own(after.value) > own(point.value) && (after.exact || after.level >= point.level) {
            point.searched = Some(point.value);
            point.value = after.value;
            point.best = Some(moves[at]);
            point.exact &= after.exact;
        }
    }
}

/// The cost of the move played in `position`; nothing where a side of it is unknown.
pub(crate) fn loss(position: &Position, before: Option<&Point>, after: Option<&Point>) -> Option<Loss> {
    let (before, after) = (before?, after?);
    let side = position.side();
    // A move without a choice costs nothing, whatever two searches made of it.
    let loss = if before.forced { 0 } else { for_black(before.value - after.value, side).max(0) };
    let exact = before.exact && after.exact;
    let own = |(low, high): (i32, i32)| if side == Color::Black { (low, high) } else { (-high, -low) };
    let (was, is) = (own(before.bounds()), own(after.bounds()));
    let least = was.0 - is.1;
    let changed = match (outcome(was), outcome(is)) {
        _ if before.forced => None,
        (Some(1), Some(0)) => Some(Change::WinToDraw),
        (Some(1), Some(-1)) => Some(Change::WinToLoss),
        (Some(0), Some(-1)) => Some(Change::DrawToLoss),
        _ => None,
    };
    Some(Loss {
        side,
        loss,
        exact,
        at_least: if exact { Some(loss) } else { (least >= 100 && loss > 0).then_some(least) },
        changed,
        mistake: loss > 200 || (exact && loss >= 200) || changed.is_some(),
        grave: loss > 600 || changed.is_some(),
    })
}

/// 1 for a win, 0 for a draw, −1 for a loss; nothing where that is open.
fn outcome((low, high): (i32, i32)) -> Option<i32> {
    match (low, high) {
        (1.., _) => Some(1),
        (_, ..=-1) => Some(-1),
        (0, 0) => Some(0),
        _ => None,
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
        if self.total < 5 {
            return Some(100);
        }
        let lost = f64::from(self.total) / 100.0 / f64::from(self.known);
        Some((100.0 * (-lost / HALVING).exp2()).round().min(99.0) as u32)
    }
}
