//! What all searches of a game together say of its positions: the model of the page, `www/js/model/scores.js`.
//!
//! Searches of several positions say something of one. Of these the furthest counts: a move has the value of the position
//! after it, and that position the value of the move; the line that a search expects carries its value along. A position is
//! worth what the search for its best move found, or a move that is known, as far as that went, to be better.

use std::collections::HashMap;

use outflank::board::{Color, Move, Position, Square, Status};
use outflank::search::{Line, Proof, Report};

use super::points::{Kind, PROVEN, Point, for_black, is_forced, settled, twin};

/// A value, how far it is proven, and the line that leads to it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Known {
    /// For Black, in centidiscs.
    pub(crate) value: f64,
    pub(crate) kind: Kind,
    /// In thousandths of the page's levels.
    pub(crate) level: i32,
    /// The moves, without passes.
    pub(crate) line: Vec<Square>,
}

/// The level of a proven score, and of a finished game.
const EXACT: i32 = 1_000_000;
const OVER: i32 = 2_000_000;
/// Depths lie below this.
const DEPTHS: i32 = 100_000;

impl Known {
    /// What a search has found; nothing where it found nothing.
    pub(crate) fn found(position: &Position, report: &Report) -> Option<Known> {
        let best = report.best()?;
        let (kind, level) = proof(best);
        Some(Known {
            value: for_black(f64::from(best.score.centidiscs()), position.side()),
            kind,
            level,
            line: best.moves.iter().filter_map(|mv| mv.square()).collect(),
        })
    }

    /// The same as it counts so many plies further: depths change, what is solved is so everywhere.
    fn shifted(&self, plies: i32) -> Known {
        let level = if self.level >= DEPTHS { self.level } else { (self.level + 1000 * plies).max(0) };
        Known { level, ..self.clone() }
    }

    /// What a line says of the position after its first move.
    fn followed(&self) -> Known {
        Known { line: self.line.iter().skip(1).copied().collect(), ..self.shifted(-1) }
    }

    fn is_proven(&self) -> bool {
        self.level >= PROVEN
    }

    /// With the proof of another value.
    fn proven_as(&self, other: &Known) -> Known {
        Known { kind: other.kind, level: other.level, ..self.clone() }
    }

    fn point(&self, forced: bool) -> Point {
        let Known { value, kind, level, .. } = *self;
        Point { value, level, kind, best: self.line.first().copied(), forced }
    }
}

/// How far the value of a line is proven, as the dialect of the page tells it.
fn proof(line: &Line) -> (Kind, i32) {
    let plies = 1000 * line.depth.plies() as i32;
    match line.proof {
        Proof::Exact if line.is_exact() => (Kind::Exact, EXACT),
        Proof::Outcome if line.proves_outcome() => (Kind::Outcome, PROVEN),
        Proof::Exact | Proof::Outcome => (Kind::Heuristic, plies + 100),
        Proof::Selective(confidence) => (Kind::Selective, plies + i32::from(confidence.percent())),
        Proof::Heuristic(confidence) if !confidence.is_exact() => {
            (Kind::Selective, plies + i32::from(confidence.percent()))
        }
        Proof::Heuristic(_) => (Kind::Heuristic, plies + 100),
    }
}

/// The one of two that goes further, the first of equals.
fn further(one: Option<Known>, other: Option<Known>) -> Option<Known> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if one.level >= other.level { one } else { other }),
        (one, other) => one.or(other),
    }
}

/// What is known of positions, and how they are joined.
pub(super) struct Values<'g> {
    found: HashMap<Position, &'g Known>,
    /// The positions after a position, by move: that of the game first.
    after: HashMap<Position, Vec<(Square, Position)>>,
    before: HashMap<Position, Vec<(Position, Square)>>,
    values: HashMap<Position, Option<Known>>,
    moves: HashMap<Position, Vec<Known>>,
    foreseen: HashMap<Position, Option<Known>>,
}

impl<'g> Values<'g> {
    /// Joins the positions of a game with each other, and with all that follow those that were searched.
    pub(super) fn of(positions: &[Position], moves: &[Move], found: &'g [Option<Known>]) -> Values<'g> {
        let mut values = Values {
            found: HashMap::new(),
            after: HashMap::new(),
            before: HashMap::new(),
            values: HashMap::new(),
            moves: HashMap::new(),
            foreseen: HashMap::new(),
        };
        for (pair, mv) in positions.windows(2).zip(moves) {
            if let ([from, to], Some(square)) = (pair, mv.square()) {
                values.join(*from, square, *to);
            }
        }
        for (position, known) in positions.iter().zip(found).rev() {
            let Some(known) = known else { continue };
            values.found.insert(*position, known);
            for square in position.moves() {
                if let Ok(next) = position.play(Move::Place(square)) {
                    values.join(*position, square, settled(next));
                }
            }
        }
        values
    }

    fn join(&mut self, from: Position, square: Square, to: Position) {
        let before = self.before.entry(to).or_default();
        if before.iter().all(|(known, _)| *known != from) {
            before.push((from, square));
            self.after.entry(from).or_default().push((square, to));
        }
    }

    /// What is known of each position.
    pub(super) fn points(&mut self, positions: &[Position]) -> Vec<Option<Point>> {
        // From the end, so that no position waits for many others.
        let mut points: Vec<_> = positions
            .iter()
            .rev()
            .map(|position| self.value(position).map(|known| known.point(is_forced(position))))
            .collect();
        points.reverse();
        points
    }

    fn value(&mut self, position: &Position) -> Option<Known> {
        if let Some(value) = self.values.get(position) {
            return value.clone();
        }
        let value = if position.status() == Status::Over {
            let score = f64::from(100 * position.board().final_score());
            Some(Known {
                value: for_black(score, position.side()),
                kind: Kind::Exact,
                level: OVER,
                line: Vec::new(),
            })
        } else {
            self.searched(position)
        };
        self.values.insert(*position, value.clone());
        value
    }

    /// What searches of a position, of those before and of those after it, make of it.
    fn searched(&mut self, position: &Position) -> Option<Known> {
        let root = self.found.get(position).copied();
        let foreseen = self.foresight(position);
        if root.is_none() && foreseen.as_ref().is_none_or(|foreseen| foreseen.line.is_empty()) {
            return foreseen;
        }
        let moves = self.known(position);
        let own = |known: &Known| for_black(known.value, position.side());
        let best = |rows: &mut dyn Iterator<Item = &Known>| {
            rows.fold(None, |best: Option<Known>, row| match best {
                Some(best) if own(row) <= own(&best) => Some(best),
                _ => Some(row.clone()),
            })
        };
        // The best of what is known as far as the search for the best move alone went.
        let as_far = |proof: &Known| {
            let found = best(&mut moves.iter().filter(|row| row.level >= proof.level));
            found.map(|found| found.proven_as(proof))
        };
        let mut value = None;
        if root.is_some() && moves.len() == position.moves().count() as usize {
            let top = best(&mut moves.iter());
            let last = moves.iter().reduce(|one, other| if other.level < one.level { other } else { one });
            if let (Some(top), Some(last)) = (top, last) {
                let exact =
                    top.kind == Kind::Exact && moves.iter().all(|row| is_at_most(row, own(&top), position));
                value = Some(if exact { top } else { top.proven_as(last) });
            }
        }
        if let Some(root) = root {
            value = further(value, as_far(root));
        }
        let Some(foreseen) = foreseen else { return value };
        // What was foreseen is a search for the best move, too; of what is proven the moves may not be known.
        let told = if foreseen.is_proven() { None } else { as_far(&foreseen) };
        further(value, told.or(Some(foreseen)))
    }

    /// What searches of earlier positions say of one.
    fn foresight(&mut self, position: &Position) -> Option<Known> {
        if let Some(foreseen) = self.foreseen.get(position) {
            return foreseen.clone();
        }
        let mut found = None;
        for (parent, square) in self.before.get(position).cloned().unwrap_or_default() {
            if let Some(row) = self.found.get(&parent).filter(|row| row.line.first() == Some(&square)) {
                found = further(found, Some(row.followed()));
            }
            // What is proven of the first position of a line is not proven of those that follow.
            if let Some(before) = self.foresight(&parent)
                && before.line.first() == Some(&square)
                && !before.is_proven()
            {
                found = further(found, Some(before.followed()));
            }
        }
        self.foreseen.insert(*position, found.clone());
        found
    }

    /// What is known of the moves of a position, symmetric ones made equal.
    fn known(&mut self, position: &Position) -> Vec<Known> {
        if let Some(known) = self.moves.get(position) {
            return known.clone();
        }
        let told = self.found.get(position).copied().cloned();
        let mut rows = Vec::new();
        for (square, next) in self.after.get(position).cloned().unwrap_or_default() {
            let after = self.value(&next).map(|there| {
                let line = std::iter::once(square).chain(there.line.iter().copied()).collect();
                Known { line, ..there.shifted(1) }
            });
            let told = told.clone().filter(|told| told.line.first() == Some(&square));
            if let Some(mut row) = further(after, told) {
                if let Some(first) = row.line.first_mut() {
                    *first = square;
                }
                rows.push((square, row));
            }
        }
        let known = alike(position, rows);
        self.moves.insert(*position, known.clone());
        known
    }
}

/// Symmetric moves get one value: that of the highest level, their mean where levels agree.
fn alike(position: &Position, rows: Vec<(Square, Known)>) -> Vec<Known> {
    let mut groups: Vec<(_, Vec<Known>)> = Vec::new();
    for (square, row) in rows {
        let twin = twin(position, square);
        match groups.iter_mut().find(|(known, _)| *known == twin) {
            Some((_, group)) => group.push(row),
            None => groups.push((twin, vec![row])),
        }
    }
    let mut all = Vec::new();
    for (_, group) in groups {
        let level = group.iter().map(|row| row.level).max().unwrap_or_default();
        let top: Vec<&Known> = group.iter().filter(|row| row.level == level).collect();
        let value = top.iter().map(|row| row.value).sum::<f64>() / top.len() as f64;
        if let (true, Some(first)) = (group.len() > 1, top.first()) {
            all.extend(group.iter().map(|row| Known { value, ..row.proven_as(first) }));
        } else {
            all.extend(group);
        }
    }
    all
}

/// Whether it is proven that a move is worth no more than `limit` to the side to move.
fn is_at_most(row: &Known, limit: f64, position: &Position) -> bool {
    if !row.is_proven() {
        return false;
    }
    let (low, high) = row.point(false).bounds();
    let most = if position.side() == Color::Black { high } else { -low };
    most <= limit
}
