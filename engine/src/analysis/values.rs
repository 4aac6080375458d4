//! Values of the positions of a growing tree, from all searches, books and exact scores together.
//!
//! Searches of several positions inform one position. The most certain value counts:
//!
//! - A move has the value of the position after it, and a line carries its value to the positions along it.
//! - A position has the value of its best move if every move is known. Otherwise it has the value from a search for the best
//!   move, or that of a move which a search of the same certainty found better.
//! - Symmetric moves share one value.

use std::collections::BTreeMap;

use super::certainty::Certainty;
use crate::board::{Color, Move, Position, Square, Status};
use crate::book::BookMove;
use crate::eval::NetworkSize;
use crate::score::{Discs, Score};
use crate::search::Line;

/// A value with its certainty and the line that leads to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// For the side to move.
    pub score: Score,
    /// How certain the value is.
    pub certainty: Certainty,
    /// The expected moves without passes. Empty if no move is known.
    pub line: Vec<Square>,
}

/// The value of a position in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The side to move.
    pub side: Color,
    /// For the side to move.
    pub score: Score,
    /// How certain the value is.
    pub certainty: Certainty,
    /// The standard error in centidiscs: 68 of 100 exact scores are within it. 0 if the score is proven.
    pub error: f64,
    /// The best move. `None` if the game is over or no move is known.
    pub best: Option<Square>,
    /// Only one move is legal, or all moves are equal by symmetry.
    pub forced: bool,
}

impl Point {
    /// Returns the lowest and the highest value for `side` in centidiscs that the score stands for: `errors` standard errors
    /// apart from it if it is not proven.
    pub fn bounds(&self, side: Color, errors: f64) -> (f64, f64) {
        let (low, high) = self.certainty.bounds(self.score, errors * self.error);
        if side == self.side { (low, high) } else { (-high, -low) }
    }

    /// Returns the score for `side`.
    pub fn score_for(&self, side: Color) -> Score {
        if side == self.side { self.score } else { -self.score }
    }

    /// Returns the point of `position` before the move `played`. If `played` is equal to the best move by symmetry, it is named as
    /// the best one.
    #[must_use]
    pub fn before(self, position: &Position, played: Square) -> Point {
        let twin = |square: Square| {
            let next = position.play(Move::Place(square)).ok()?.after_forced_pass();
            Some((next.board().canonical().0, next.side()))
        };
        let best = self.best.map(|best| if twin(best) == twin(played) { played } else { best });
        Point { best, ..self }
    }
}

impl Known {
    /// Returns the value of `line`, found by a search of a position. `None` if the game is over.
    pub fn of(line: &Line) -> Option<Known> {
        line.first()?;
        let squares = line.moves.iter().filter_map(|mv| mv.square()).collect();
        Some(Known { score: line.score, certainty: Certainty::of(line), line: squares })
    }

    /// Returns the value of a move of a book.
    pub fn of_book(known: &BookMove) -> Known {
        let line = known.line.iter().filter_map(|mv| mv.square()).collect();
        Known { score: known.score, certainty: Certainty::of_book(known), line }
    }

    /// Returns the value of the move `square` that leads from `position` to the position `after` it, which has this value.
    pub(crate) fn of_move(&self, position: &Position, square: Square, after: &Position) -> Known {
        self.preceded(square, Turn::between(position, after))
    }

    /// Returns the value that the line gives to the position after its first move.
    #[inline(never)]
    fn followed(&self, turn: Turn) -> Known {
        let line = self.line.iter().skip(1).copied().collect();
        Known { score: turn.score(self.score), certainty: self.certainty.shifted(-1), line }
    }

    /// Returns the value that the position before `square` has along this line.
    #[inline(never)]
    fn preceded(&self, square: Square, turn: Turn) -> Known {
        let line = std::iter::once(square).chain(self.line.iter().copied()).collect();
        Known { score: turn.score(self.score), certainty: self.certainty.shifted(1), line }
    }

    #[inline(never)]
    fn with(&self, certainty: Certainty) -> Known {
        Known { certainty, ..self.clone() }
    }

    /// Returns `true` if it is proven that the value is at most `limit`.
    fn is_at_most(&self, limit: Score) -> bool {
        let (_, high) = self.certainty.bounds(self.score, 0.0);
        self.certainty.is_proven() && high <= f64::from(limit.centidiscs())
    }
}

/// Returns the more certain value, the first one if both are equal.
#[inline(never)]
pub(crate) fn surer(one: Option<Known>, other: Option<Known>) -> Option<Known> {
    match (one, other) {
        (Some(one), Some(other)) if other.certainty.level() > one.certainty.level() => Some(other),
        (one, other) => one.or(other),
    }
}

/// Returns the best row of those with at least this level, the first one of equals.
#[inline(never)]
fn best_of(rows: &[Known], level: i32) -> Option<&Known> {
    let rows = rows.iter().filter(|row| row.certainty.level() >= level);
    rows.reduce(|one, other| if other.score > one.score { other } else { one })
}

/// Whether a move ends the turn: not if the other side must pass after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Ends,
    Continues,
}

impl Turn {
    fn between(before: &Position, after: &Position) -> Turn {
        if before.side() == after.side() { Turn::Continues } else { Turn::Ends }
    }

    /// Returns the score for the side to move after the move, or the reverse.
    fn score(self, score: Score) -> Score {
        if self == Turn::Ends { -score } else { score }
    }
}

/// The values of positions, and how the positions follow each other.
///
/// A search of a position also informs the positions of its line:
///
/// ```
/// use outflank::analysis::{Known, Values, ask};
/// use outflank::board::{Move, Position};
/// use outflank::score::Confidence;
/// use outflank::search::{Goal, Limits, Search, SearchConfig};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let start = Position::START;
/// let mut search = Search::new(SearchConfig::default());
/// let report = ask(&mut search, start, Goal::BestMove, Limits::to_depth(6, Confidence::EXACT));
/// let known = report.best().and_then(Known::of).ok_or("no value")?;
/// let (best, score) = (known.line[0], known.score);
///
/// let mut values = Values::of(search.network());
/// assert!(values.add_root(&start, known));
/// let after = start.play(Move::Place(best))?;
/// assert_eq!(values.value(&after).map(|known| known.score), Some(-score));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Values {
    // Smaller in the module of the page than a hash map.
    indices: BTreeMap<Position, usize>,
    nodes: Vec<Node>,
    network: NetworkSize,
    /// Incremented by every change. Results of an older revision are computed again.
    revision: u64,
}

#[derive(Clone, Debug, Default)]
struct Node {
    position: Position,
    /// Equal for all symmetric positions.
    canonical: Position,
    over: bool,
    /// All moves are joined.
    is_open: bool,
    /// Values that searches gave to moves, and the same with equal values for symmetric moves.
    rows: Vec<Known>,
    equal_rows: Vec<Known>,
    /// The value of the best move by a search for it alone.
    root: Option<Known>,
    after: Vec<(Square, usize)>,
    before: Vec<(Square, usize)>,
    value: Cached<Option<Known>>,
    moves: Cached<Vec<Known>>,
    foreseen: Cached<Option<Known>>,
}

/// A result and the revision it belongs to.
type Cached<T> = Option<(u64, T)>;

fn fresh<T: Clone>(cached: &Cached<T>, revision: u64) -> Option<T> {
    cached.as_ref().filter(|(made, _)| *made == revision).map(|(_, result)| result.clone())
}

impl Values {
    /// Returns an empty set for values of searches with `network`.
    pub fn of(network: NetworkSize) -> Values {
        Values { network, ..Values::default() }
    }

    /// Sets the network of all searches, on which errors depend.
    pub fn set_network(&mut self, network: NetworkSize) {
        self.network = network;
    }

    /// Number of changes of the values and of the joins. Results of an older revision may have changed.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        *self = Values { revision: self.revision + 1, ..Values::of(self.network) };
    }

    /// Adds the value of the first move of `known.line`. Returns `false` if the move is illegal or a surer value is known.
    pub fn add(&mut self, position: &Position, known: Known) -> bool {
        let Some(&first) = known.line.first().filter(|square| position.moves().contains(**square)) else {
            return false;
        };
        let at = self.open(position);
        let rows = &mut self.nodes[at].rows;
        match rows.iter_mut().find(|row| row.line.first() == Some(&first)) {
            Some(row) if known.certainty.level() < row.certainty.level() => return false,
            Some(row) => *row = known,
            None => rows.push(known),
        }
        self.nodes[at].equal_rows = self.equalized(at, &self.nodes[at].rows);
        self.revision += 1;
        true
    }

    /// Adds the result of a search for the best move. Returns `false` if the move is illegal or a surer result is known.
    pub fn add_root(&mut self, position: &Position, known: Known) -> bool {
        let is_legal = known.line.first().is_some_and(|square| position.moves().contains(*square));
        let old = self.root(position).map_or(0, |root| root.certainty.level());
        if !is_legal || known.certainty.level() < old {
            return false;
        }
        let at = self.open(position);
        self.nodes[at].root = Some(known.clone());
        self.add(position, known);
        self.revision += 1;
        true
    }

    /// Adds the best of `rows`, the moves that a search found best, with the certainty that all of them have.
    pub fn add_best(&mut self, position: &Position, rows: &[Known]) -> bool {
        let least = rows.iter().map(|row| row.certainty).min_by_key(|certainty| certainty.level());
        let best = best_of(rows, 0);
        best.zip(least).is_some_and(|(best, least)| self.add_root(position, best.with(least)))
    }

    /// Removes the values of a position. Positions remain joined.
    pub fn forget(&mut self, position: &Position) {
        if let Some(at) = self.indices.get(position) {
            let Node { rows, equal_rows, root, .. } = &mut self.nodes[*at];
            (*root, *rows, *equal_rows) = (None, Vec::new(), Vec::new());
            self.revision += 1;
        }
    }

    /// Joins two positions by a move. `to` is the position after a forced pass. Without a disc more than `from` it is ignored.
    pub fn join(&mut self, from: &Position, square: Square, to: &Position) {
        if to.empties() >= from.empties() {
            return;
        }
        let (from, to) = (self.index(from), self.index(to));
        if self.nodes[to].before.iter().all(|(_, before)| *before != from) {
            self.nodes[to].before.push((square, from));
            self.nodes[from].after.push((square, to));
            self.revision += 1;
        }
    }

    /// Returns the values that searches gave to the moves of a position.
    pub fn rows(&self, position: &Position) -> &[Known] {
        self.indices.get(position).map_or(&[], |at| &self.nodes[*at].rows)
    }

    /// Returns the result of the search for the best move of a position.
    pub fn root(&self, position: &Position) -> Option<&Known> {
        self.nodes[*self.indices.get(position)?].root.as_ref()
    }

    /// Returns the higher one of the level of every move and that of the search for the best move. 0 if neither is known.
    pub fn level(&self, position: &Position) -> i32 {
        let rows = self.rows(position);
        let least = rows.iter().map(|row| row.certainty.level()).min();
        let is_complete = rows.len() == position.moves().count() as usize;
        let root = self.root(position).map(|root| root.certainty.level());
        least.filter(|_| is_complete).max(root).unwrap_or(0)
    }

    /// Returns the value of a position and its expected line.
    pub fn value(&mut self, position: &Position) -> Option<Known> {
        let at = self.index(position);
        self.value_at(at)
    }

    /// Returns the value of a position in a game.
    pub fn point(&mut self, position: &Position) -> Option<Point> {
        let at = self.index(position);
        let known = self.value_at(at)?;
        Some(self.point_of(position, &known))
    }

    /// Returns a value of a position as that of a position in a game.
    pub(crate) fn point_of(&self, position: &Position, known: &Known) -> Point {
        let Known { score, certainty, ref line } = *known;
        let error = certainty.error(self.network, position.empties());
        let (best, forced) = (line.first().copied(), is_forced(position));
        Point { side: position.side(), score, certainty, error, best, forced }
    }

    /// Returns the values of the moves of a position by everything that is known. Symmetric moves are equal.
    pub fn moves(&mut self, position: &Position) -> Vec<Known> {
        let at = self.open(position);
        self.moves_at(at)
    }

    fn index(&mut self, position: &Position) -> usize {
        let next = self.nodes.len();
        let at = *self.indices.entry(*position).or_insert(next);
        if at == next {
            self.nodes.push(Node::new(*position));
        }
        at
    }

    /// Joins a position to all positions that follow it.
    fn open(&mut self, position: &Position) -> usize {
        let at = self.index(position);
        if !self.nodes[at].is_open {
            self.nodes[at].is_open = true;
            for (square, next) in position.successors() {
                self.join(position, square, &next);
            }
        }
        at
    }

    fn value_at(&mut self, at: usize) -> Option<Known> {
        let node = &self.nodes[at];
        if let Some(value) = fresh(&node.value, self.revision) {
            return value;
        }
        let value = if node.over {
            let score = Discs::new(node.position.board().final_score()).into();
            Some(Known { score, certainty: Certainty::OVER, line: Vec::new() })
        } else {
            self.searched(at)
        };
        self.nodes[at].value = Some((self.revision, value.clone()));
        value
    }

    /// Returns the value by searches of this position, of those before it and of those after it.
    fn searched(&mut self, at: usize) -> Option<Known> {
        let foreseen = self.foreseen_at(at);
        let is_searched = !self.nodes[at].rows.is_empty();
        if !is_searched && foreseen.as_ref().is_none_or(|foreseen| foreseen.line.is_empty()) {
            return foreseen;
        }
        let moves = self.moves_at(at);
        let Node { position, root, .. } = &self.nodes[at];
        // The best of the values that are at least as certain as a search for the best move alone.
        let as_sure =
            |certainty: Certainty| best_of(&moves, certainty.level()).map(|best| best.with(certainty));
        let is_complete = is_searched && moves.len() == position.moves().count() as usize;
        let top = best_of(&moves, 0).filter(|_| is_complete);
        let least = moves.iter().map(|row| row.certainty).min_by_key(|certainty| certainty.level());
        let mut value = top.zip(least).map(|(top, least)| {
            let exact = top.certainty.is_exact() && moves.iter().all(|row| row.is_at_most(top.score));
            if exact { top.clone() } else { top.with(least) }
        });
        if let Some(root) = root {
            value = surer(value, as_sure(root.certainty));
        }
        let Some(foreseen) = foreseen else { return value };
        // A foreseen value is a search for the best move. The moves of a proven one may be unknown.
        let sure = if foreseen.certainty.is_proven() { None } else { as_sure(foreseen.certainty) };
        surer(value, sure.or(Some(foreseen)))
    }

    /// Returns the value that the lines of earlier positions give to a position.
    fn foreseen_at(&mut self, at: usize) -> Option<Known> {
        if let Some(foreseen) = fresh(&self.nodes[at].foreseen, self.revision) {
            return foreseen;
        }
        let mut found = None;
        for link in 0..self.nodes[at].before.len() {
            let (square, parent) = self.nodes[at].before[link];
            let turn = self.turn(parent, at);
            let starts = |row: &&Known| row.line.first() == Some(&square);
            let row = self.nodes[parent].equal_rows.iter().find(starts);
            found = surer(found, row.map(|row| row.followed(turn)));
            // A proof of the first position of a line proves nothing about the positions that follow.
            let before = self.foreseen_at(parent).filter(|before| !before.certainty.is_proven());
            found = surer(found, before.as_ref().filter(starts).map(|before| before.followed(turn)));
        }
        self.nodes[at].foreseen = Some((self.revision, found.clone()));
        found
    }

    fn moves_at(&mut self, at: usize) -> Vec<Known> {
        if let Some(moves) = fresh(&self.nodes[at].moves, self.revision) {
            return moves;
        }
        let mut rows = Vec::new();
        for link in 0..self.nodes[at].after.len() {
            let (square, next) = self.nodes[at].after[link];
            let turn = self.turn(at, next);
            let after = self.value_at(next).map(|value| value.preceded(square, turn));
            let own = self.nodes[at].equal_rows.iter().find(|row| row.line.first() == Some(&square));
            rows.extend(surer(after, own.cloned()));
        }
        let moves = self.equalized(at, &rows);
        self.nodes[at].moves = Some((self.revision, moves.clone()));
        moves
    }

    fn turn(&self, before: usize, after: usize) -> Turn {
        Turn::between(&self.nodes[before].position, &self.nodes[after].position)
    }

    /// Gives symmetric moves one value: that of the most certain, or the mean of several.
    fn equalized(&self, at: usize, rows: &[Known]) -> Vec<Known> {
        let twin = |row: &Known| {
            let after = &self.nodes[at].after;
            let next = after.iter().find(|(square, _)| row.line.first() == Some(square));
            next.map(|(_, next)| self.nodes[*next].canonical)
        };
        let twins: Vec<_> = rows.iter().map(twin).collect();
        let mut equal = rows.to_vec();
        for (row, own) in equal.iter_mut().zip(&twins) {
            let (mut sum, mut count) = (0, 0);
            for (other, _) in rows.iter().zip(&twins).filter(|(_, twin)| *twin == own) {
                if other.certainty.level() > row.certainty.level() || count == 0 {
                    (sum, count, row.certainty) = (0, 0, other.certainty);
                }
                if other.certainty.level() == row.certainty.level() {
                    (sum, count) = (sum + other.score.centidiscs(), count + 1);
                }
            }
            row.score = Score::from_centidiscs(sum / count.max(1));
        }
        equal
    }
}

impl Node {
    fn new(position: Position) -> Node {
        let canonical = Position::new(position.board().canonical().0, position.side());
        Node { position, canonical, over: position.status() == Status::Over, ..Node::default() }
    }
}

/// Returns `true` if only one move is legal, or all moves lead to symmetric positions.
fn is_forced(position: &Position) -> bool {
    /// More moves than this are never equal by symmetry.
    const MAX_TWINS: u32 = 4;
    let mut boards = position.successors().map(|(_, next)| (next.board().canonical().0, next.side()));
    match (position.moves().count(), boards.next()) {
        (1..=MAX_TWINS, Some(first)) => boards.all(|board| board == first),
        _ => false,
    }
}
