//! Reasons why a move lost something: the lines after it and after a better move, compared.
//!
//! A reason is not read from the next position. The lines are principal variations of searches, and further lines with the other
//! moves that lose less than two discs: of the side that made the move after it, of the other side after the better move. A
//! reason that these lines do not show together is dropped.

use crate::board::{Bitboard, Board, Color, Move, Position, Square};

/// Largest number of reasons for a move.
const MAX_REASONS: usize = 2;
/// The moves of a line whose boards are counted, the compared move included.
const FIRST_PLY: usize = 2;
const LAST_PLY: usize = 8;
/// Numbers of moves within which corners are counted: those that are taken at once, or those of a whole line, where one that is
/// regained at once is not lost. The first number is that of the boards that are shown.
const AT_ONCE: usize = 2;
const IN_A_LINE: [usize; 3] = [LAST_PLY + 2, LAST_PLY, usize::MAX];
/// Fewest empty squares after a move for reasons that count moves or exposed discs.
const MIN_EMPTIES: u32 = 10;
/// Sizes of regions whose last move counts.
const REGION_SIZES: std::ops::RangeInclusive<u32> = 2..=12;
/// Smallest share of the pairs of lines that show a difference.
const MIN_SHARE: f64 = 0.6;
/// Smallest difference on the boards that are shown.
const MIN_SHOWN: f64 = 2.0;
/// Smallest difference of a second reason in thresholds. All pairs show it.
const MIN_SECOND: f64 = 3.0;

/// The cause of a loss, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReasonKind {
    /// Corners taken.
    Corner,
    /// Forced passes: the squares are the moves that force them.
    Pass,
    /// The last move in a region: the squares are the region of the side that has it.
    LastMove,
    /// Legal moves.
    Mobility,
    /// Legal moves after which the other side can take no corner.
    SafeMoves,
    /// Empty squares next to discs of the other side, where moves may become legal.
    Potential,
    /// Discs next to empty squares: fewer are better.
    Exposed,
    /// Discs that no move can flip.
    Stable,
}

/// What the board of a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Number of moves of the line to the board.
    pub plies: usize,
    /// The squares of the side that made the move.
    pub own: Bitboard,
    /// The squares of the other side.
    pub other: Bitboard,
}

/// A difference between two lines that explains a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// What is counted.
    pub kind: ReasonKind,
    /// After the move.
    pub played: Facts,
    /// After the better move.
    pub better: Facts,
}

/// Why a move lost something.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The position before the move.
    pub position: Position,
    /// The move with the best line after it, without passes.
    pub played: Vec<Square>,
    /// The better move with the best line after it, without passes.
    pub better: Vec<Square>,
    /// At most two, the most telling first. Empty if no difference held in the searches.
    pub reasons: Vec<Reason>,
    /// Without a reason, the number of moves of `played` after which a search of two plies sees the loss.
    pub falls_at: Option<usize>,
}

impl ReasonKind {
    /// All kinds, the most telling first.
    pub const ALL: [ReasonKind; 8] = [
        ReasonKind::Corner,
        ReasonKind::Pass,
        ReasonKind::LastMove,
        ReasonKind::Mobility,
        ReasonKind::SafeMoves,
        ReasonKind::Potential,
        ReasonKind::Exposed,
        ReasonKind::Stable,
    ];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            ReasonKind::Corner => "corner",
            ReasonKind::Pass => "pass",
            ReasonKind::LastMove => "last move",
            ReasonKind::Mobility => "mobility",
            ReasonKind::SafeMoves => "safe moves",
            ReasonKind::Potential => "potential",
            ReasonKind::Exposed => "exposed",
            ReasonKind::Stable => "stable",
        }
    }

    /// Returns the smallest difference of two lines that is a reason, on average over their boards. `None` for events.
    fn threshold(self) -> Option<f64> {
        match self {
            ReasonKind::Corner | ReasonKind::Pass | ReasonKind::LastMove => None,
            ReasonKind::Mobility | ReasonKind::SafeMoves => Some(0.6),
            ReasonKind::Potential | ReasonKind::Exposed => Some(0.7),
            ReasonKind::Stable => Some(0.5),
        }
    }

    /// Returns the counted squares of both sides, that of `side` first.
    fn squares(self, position: &Position, side: Color) -> [Bitboard; 2] {
        let [own, other] = [side, !side].map(|side| position.discs(side));
        let board = Board { player: own, opponent: other };
        let empty = board.empty();
        match self {
            ReasonKind::Mobility => [board, board.after_pass()].map(Board::moves),
            ReasonKind::SafeMoves => [board, board.after_pass()].map(safe_moves),
            ReasonKind::Potential => [empty & other.dilated(), empty & own.dilated()],
            ReasonKind::Exposed => [own & empty.dilated(), other & empty.dilated()],
            _ => [own, other].map(|discs| discs & board.stable()),
        }
    }

    /// Returns the advantage of the side that made the move.
    fn advantage(self, [own, other]: [Bitboard; 2]) -> f64 {
        let lead = f64::from(own.count()) - f64::from(other.count());
        if self == ReasonKind::Exposed { -lead } else { lead }
    }
}

/// A line with its positions.
struct Line {
    /// The side that made the first move.
    side: Color,
    /// Each move with its side and the position after it, before a pass.
    steps: Vec<(Square, Color, Position)>,
}

impl Line {
    fn of(start: &Position, squares: &[Square]) -> Line {
        let mut at = *start;
        let steps = squares.iter().map_while(|&square| {
            let side = at.side();
            let after = at.play(Move::Place(square)).ok()?;
            at = after.after_forced_pass();
            Some((square, side, after))
        });
        Line { side: start.side(), steps: steps.collect() }
    }

    /// Returns the moves of both sides among the first `plies` that `counts` selects, those of the line's side first.
    fn moves(&self, plies: usize, mut counts: impl FnMut(&(Square, Color, Position)) -> bool) -> Facts {
        let plies = plies.min(self.steps.len());
        let steps = self.steps[..plies].iter().filter(|step| counts(step));
        let mut facts = Facts { plies, own: Bitboard::EMPTY, other: Bitboard::EMPTY };
        for &(square, side, _) in steps {
            *(if side == self.side { &mut facts.own } else { &mut facts.other }) |= Bitboard::of(square);
        }
        facts
    }

    fn corners(&self, plies: usize) -> Facts {
        self.moves(plies, |(square, ..)| Bitboard::CORNERS.contains(*square))
    }

    /// The moves of each side that force the other one to pass, as passes of that one.
    fn passes(&self) -> Facts {
        let Facts { plies, own, other } =
            self.moves(LAST_PLY, |(.., after)| after.after_forced_pass() != *after);
        Facts { plies, own: other, other: own }
    }

    /// The region, as that of the side with the last move there. Empty if the line does not fill it.
    fn last_move(&self, region: Bitboard) -> Facts {
        let inside = self.moves(usize::MAX, |(square, ..)| region.contains(*square));
        let last = self.steps.iter().rposition(|(square, ..)| region.contains(*square));
        let mut facts =
            Facts { plies: last.map_or(0, |at| at + 1), own: Bitboard::EMPTY, other: Bitboard::EMPTY };
        if let Some(at) = last.filter(|_| inside.own | inside.other == region) {
            *(if self.steps[at].1 == self.side { &mut facts.own } else { &mut facts.other }) = region;
        }
        facts
    }

    /// Returns the average advantage by a kind over the boards of the line. `None` if the line is too short.
    fn average(&self, kind: ReasonKind) -> Option<f64> {
        let first = if kind == ReasonKind::Stable { FIRST_PLY + 1 } else { FIRST_PLY };
        let boards =
            self.steps.get(first - 1..self.steps.len().min(LAST_PLY)).filter(|boards| boards.len() > 1)?;
        let sum: f64 = boards.iter().map(|(.., board)| kind.advantage(kind.squares(board, self.side))).sum();
        Some(sum / boards.len() as f64)
    }

    fn facts(&self, kind: ReasonKind, plies: usize) -> Option<Facts> {
        let [own, other] = kind.squares(&self.steps.get(plies - 1)?.2, self.side);
        Some(Facts { plies, own, other })
    }
}

/// Returns the reasons why the first move of the lines in `played` is worse than that of the lines in `better`. The first line of
/// each is the best one. Events later than at once are reasons only if both best lines are proven: deeper searches often find them
/// at other times.
pub(super) fn reasons(
    position: &Position,
    played: &[Vec<Square>],
    better: &[Vec<Square>],
    is_proven: bool,
) -> Vec<Reason> {
    let [played, better] =
        [played, better].map(|lines| lines.iter().map(|line| Line::of(position, line)).collect::<Vec<_>>());
    let (Some(first), Some(second)) = (played.first(), better.first()) else { return Vec::new() };
    let mut found: Vec<(f64, bool, Reason)> = Vec::new();
    // 1. events that happen in all lines
    let empty = position.board().empty();
    let regions = empty.regions().filter(|region| REGION_SIZES.contains(&region.count()));
    let corners = [AT_ONCE, IN_A_LINE[0]].map(|plies| (ReasonKind::Corner, Bitboard::EMPTY, plies));
    let events = corners.into_iter().chain([(ReasonKind::Pass, Bitboard::EMPTY, LAST_PLY)]);
    let events = events.chain(regions.map(|region| (ReasonKind::LastMove, region, usize::MAX)));
    for (kind, region, plies) in events.filter(|&(.., plies)| is_proven || plies == AT_ONCE) {
        if share(&played, &better, |one, other| happens(kind, region, plies, one, other)) == 1.0 {
            let [played, better] = [first, second].map(|line| match kind {
                ReasonKind::Corner => line.corners(plies),
                ReasonKind::Pass => line.passes(),
                _ => line.last_move(region),
            });
            found.push((f64::INFINITY, true, Reason { kind, played, better }));
        }
    }
    // 2. averages over the boards of the lines
    let is_open = first.steps.first().is_some_and(|(.., after)| after.empties() >= MIN_EMPTIES);
    for kind in ReasonKind::ALL.into_iter().filter(|&kind| is_open || kind == ReasonKind::Stable) {
        let Some(threshold) = kind.threshold() else { continue };
        let Some(difference) = difference(kind, &played, &better) else { continue };
        let share = share(&played, &better, |one, other| one.average(kind) < other.average(kind));
        if difference >= threshold && share >= MIN_SHARE {
            let reason = shown(kind, first, second, MIN_SHOWN.max(difference / 2.0));
            found.extend(reason.map(|reason| (difference / threshold, share == 1.0, reason)));
        }
    }
    // 3. the most telling ones, one of each kind, in the order of the kinds
    found.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
    let mut told: Vec<Reason> = Vec::new();
    for (strength, is_sure, reason) in found {
        let is_alike = |other: &Reason| idea(other.kind) == idea(reason.kind);
        let is_clear = told.is_empty() || is_sure && strength >= MIN_SECOND;
        if is_clear && told.len() < MAX_REASONS && !told.iter().any(is_alike) {
            told.push(reason);
        }
    }
    told.sort_by_key(|reason| reason.kind);
    told
}

/// Returns `true` if lines show the difference of a reason that others have shown: an event in most pairs, an average of any size.
pub(super) fn holds(
    position: &Position,
    reason: &Reason,
    played: &[Vec<Square>],
    better: &[Vec<Square>],
) -> bool {
    let [played, better] =
        [played, better].map(|lines| lines.iter().map(|line| Line::of(position, line)).collect::<Vec<_>>());
    let Reason { kind, played: Facts { other: region, plies, .. }, .. } = *reason;
    match kind.threshold() {
        None => share(&played, &better, |one, other| happens(kind, region, plies, one, other)) > 0.5,
        Some(_) => difference(kind, &played, &better).is_some_and(|difference| difference > 0.0),
    }
}

/// Returns the share of pairs of lines that show something.
fn share(played: &[Line], better: &[Line], shows: impl Fn(&Line, &Line) -> bool) -> f64 {
    let pairs = played.iter().flat_map(|one| better.iter().map(move |other| (one, other)));
    let shown = pairs.filter(|(one, other)| shows(one, other)).count();
    shown as f64 / (played.len() * better.len()).max(1) as f64
}

/// Returns `true` if an event happens in the first line for its side, but not in the second one.
fn happens(kind: ReasonKind, region: Bitboard, plies: usize, one: &Line, other: &Line) -> bool {
    let lead = |facts: Facts| facts.own.count().cast_signed() - facts.other.count().cast_signed();
    match kind {
        ReasonKind::Corner => {
            let plies: &[usize] = if plies > AT_ONCE { &IN_A_LINE } else { &[AT_ONCE] };
            plies.iter().all(|&plies| lead(one.corners(plies)) < lead(other.corners(plies)))
        }
        ReasonKind::Pass => lead(one.passes()) > lead(other.passes()),
        _ => one.last_move(region).other == region && other.last_move(region).own == region,
    }
}

/// Returns the difference of the averages of the lines. `None` if no lines are long enough.
fn difference(kind: ReasonKind, played: &[Line], better: &[Line]) -> Option<f64> {
    let [one, other] = [played, better].map(|lines| {
        let averages: Vec<f64> = lines.iter().filter_map(|line| line.average(kind)).collect();
        (!averages.is_empty()).then(|| averages.iter().sum::<f64>() / averages.len() as f64)
    });
    Some(other? - one?)
}

/// Returns the one of two ways to count an idea.
fn idea(kind: ReasonKind) -> ReasonKind {
    match kind {
        ReasonKind::SafeMoves => ReasonKind::Mobility,
        ReasonKind::Potential => ReasonKind::Exposed,
        _ => kind,
    }
}

fn safe_moves(board: Board) -> Bitboard {
    let is_safe = |square: &Square| {
        let replies = board.after_move(*square, board.flips(*square)).moves();
        (replies & Bitboard::CORNERS).is_empty()
    };
    board.moves().into_iter().filter(is_safe).collect()
}

/// Returns the last boards of two lines with a difference of at least `least`, both with the side that made the first move to move.
fn shown(kind: ReasonKind, played: &Line, better: &Line, least: f64) -> Option<Reason> {
    (FIRST_PLY + 1..=LAST_PLY).rev().find_map(|plies| {
        let reason = Reason { kind, played: played.facts(kind, plies)?, better: better.facts(kind, plies)? };
        let [one, other] =
            [reason.played, reason.better].map(|facts| kind.advantage([facts.own, facts.other]));
        let is_to_move = |line: &Line| line.steps[plies - 1].2.after_forced_pass().side() == line.side;
        (other - one >= least && is_to_move(played) && is_to_move(better)).then_some(reason)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::squares;

    /// Each case has a position, the lines after the move and after the better one, `true` if they are proven, and the reason. Deeper
    /// searches contradict the differences that the first cases do not report.
    #[test]
    fn uncertain_differences_and_events_are_no_reasons() {
        let two_corners = "--OOOO-O--OOXXO--OOOXOXXOOOOOOXX--OOOXOX-OOOOXXX--OXXXXX---XXXOXO";
        let lines_of_corners = ["g1h2c8b8b7a8a7a5a6b2b1b5a1a2a3", "c8b7a8b8g1h2a6a7a5b2b1b5a1a2a3"];
        let cases = [
            // Half of the pairs have fewer squares where moves may become legal.
            (
                "-------------------------OXXX-----XXO----XXO------O-------------O",
                [
                    "d3f5f6d7e3c8b5c3e7e6d8 d3f5c3e6a5b5a6e3e7d7d8",
                    "b5d7a5a6a7e6f6c8f5f7e7 b5a6d3e3c3d7d8c8b8a4b3",
                ],
                true,
                "",
            ),
            // A corner is lost in ten moves, and taken later.
            (
                "--O-XX--X-OXXO--XXXXXO--XXXXXOO-XXXOXOO-XXXOOOOOX-XOOO----X--O--O",
                ["d1b1b8a8b7e8b2a1d8g1g2g7", "b8a8b7e8b2d8d1g7g1g8h7 b8d1g1a8b7e8b2d8g3g2h1"],
                true,
                "safe moves",
            ),
            // Fewer moves would be a weak second reason.
            (
                "----X---O-XX----XXXOX----XOOOO--XXXOOOO-XXOOOO--X-OOO------O----X",
                ["c8e2f3g4g3f2f1h3h6h4f8e8 c8e2f8e8f7g6a1d1f1f3c1b1", "e2b2g4h3b7g3c8f3h4a8b8a4"],
                true,
                "exposed",
            ),
            // A corner is lost at once, and others in eight moves.
            (
                "-XXXXX----XOOO---XOOOO--XXXOO----OOXO----XOOX-----XXXX----XXXX--O",
                [
                    "b7a8f6g6a5a3b8f5f4b2h6g7g5h7g4a7a6h3 b7a8a5a3b8f5f4g4g5h6g3g1h4f6h5g6",
                    "a6a5a3g3h3g4f5f4f6b7a7h5h4g6h6g5a8",
                ],
                false,
                "corner",
            ),
            (two_corners, lines_of_corners, true, "corner"),
            (two_corners, lines_of_corners, false, ""),
        ];
        for (position, lines, is_proven, expected) in cases {
            let squares = |line: &str| -> Vec<Square> {
                line.as_bytes().chunks(2).map(|name| str::from_utf8(name).unwrap().parse().unwrap()).collect()
            };
            let [played, better] = lines.map(|lines| lines.split(' ').map(squares).collect::<Vec<_>>());
            let found = reasons(&squares::read(position).unwrap(), &played, &better, is_proven);
            let kinds: Vec<_> = found.iter().map(|reason| reason.kind.name()).collect();
            assert_eq!(kinds.join(", "), expected, "{position} {is_proven}");
        }
    }
}
