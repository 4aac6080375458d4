//! A game tree with the values of its positions.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::mem;

use super::plan::Queue;
use super::{Answer, Explanation, GameReport, NodeReport, Plan, PositionReport, Task, TaskId};
use crate::analysis::{self, Certainty, Course, Kind, Known, Loss, Point, Values, surer};
use crate::board::{IllegalMove, Move, Position, Square, Status};
use crate::game::{Game, GameTree, NodeId, RecordedMove};
#[cfg(feature = "notations")]
use crate::notation::{self, ReadError, ReadErrorCode::TooMany};
use crate::search::{Depth, NetworkSize};

/// A game tree with a cursor, and the values of its positions by searches, books and exact scores.
///
/// Values come from any engine: reports, lines of NBoard, or a book. See [the module](super) for the analysis of a game.
///
/// ```
/// use outflank::board::Move;
/// use outflank::game::NodeId;
/// use outflank::study::Study;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut study = Study::default();
/// let node = study.play(NodeId::ROOT, "f5".parse::<Move>()?)?;
/// study.go(node);
/// let position = study.tree().position(study.cursor());
/// study.hear(&position, "search D6 -1.20 0 8\nsearch F6 -0.40 0 8");
/// let best = study.moves(&position, false).best.ok_or("no value")?;
/// assert_eq!(best.line[0].to_string(), "f6");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Study {
    tree: GameTree,
    cursor: NodeId,
    /// The values by all searches.
    all: Values,
    /// The values by analyses of whole games, whose searches are comparable.
    reviewed: Values,
    queue: Option<Queue>,
    explanations: BTreeMap<(Position, Square), Explanation>,
    /// Number of explanations that were added.
    explained: u64,
    tasks: u32,
    /// Number of moves of each line that no side has chosen.
    given: usize,
    /// Values of positions by a book. A move has the value of the position after it.
    book_values: BTreeMap<Position, Known>,
    /// Number of changes of the values of a book.
    book_changes: u64,
}

/// The values of the moves of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveValues {
    /// The moves with known values, the best first.
    pub rows: Vec<Known>,
    /// The best move, with the value of the position. It may be known before the moves are.
    pub best: Option<Known>,
}

impl Study {
    /// Returns a study of a tree. The cursor is at the root.
    pub fn new(tree: GameTree) -> Study {
        let mut study = Study { tree, ..Study::default() };
        study.join_tree();
        study
    }

    /// Reads the game of a text in any notation.
    ///
    /// # Errors
    ///
    /// The first error of the text, also if it has several games.
    #[cfg(feature = "notations")]
    pub fn read(text: &str) -> Result<Study, ReadError> {
        match &notation::read(text)?[..] {
            [game] => Ok(Study::from(game)),
            games => Err(ReadError::new(TooMany, format!("{} games: one expected", games.len()))),
        }
    }

    /// Takes over the values of another study, which has none afterwards.
    pub fn adopt(&mut self, other: &mut Study) {
        self.all = mem::take(&mut other.all);
        self.reviewed = mem::take(&mut other.reviewed);
        self.explanations = mem::take(&mut other.explanations);
        self.book_values = mem::take(&mut other.book_values);
        // The revision, by which users know whether anything has changed, does not fall.
        self.book_changes = self.book_changes.max(other.book_changes);
        self.explained = self.explained.max(other.explained);
        self.tasks = other.tasks;
        self.join_tree();
    }

    /// The tree.
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// The node of the cursor.
    pub fn cursor(&self) -> NodeId {
        self.cursor
    }

    /// Moves the cursor.
    pub fn go(&mut self, node: NodeId) {
        self.cursor = self.tree.node(node.index()).unwrap_or(self.cursor);
    }

    /// Plays a move after a node and returns its node, which may exist already. An illegal move changes nothing.
    pub fn play(&mut self, node: NodeId, played: impl Into<RecordedMove>) -> Result<NodeId, IllegalMove> {
        let nodes = self.tree.len();
        let child = self.tree.play(node, played)?;
        if self.tree.len() > nodes {
            self.join_node(child);
        }
        Ok(child)
    }

    /// Removes, restores and sorts the children of a node. Returns `false` and changes nothing if others are given.
    pub fn arrange(&mut self, node: NodeId, children: &[NodeId]) -> bool {
        self.tree.arrange(node, children)
    }

    /// The comments on a node, to change them.
    pub fn comments_mut(&mut self, node: NodeId) -> &mut Vec<String> {
        self.tree.comments_mut(node)
    }

    fn values_mut(&mut self) -> [&mut Values; 2] {
        [&mut self.all, &mut self.reviewed]
    }

    fn join(&mut self, before: &Position, square: Square, after: &Position) {
        self.values_mut().into_iter().for_each(|values| values.join(before, square, after));
    }

    fn join_node(&mut self, node: NodeId) {
        if let (Some(parent), Some(square)) = (self.tree.parent(node), self.square(node)) {
            let (before, after) = (self.tree.position(parent), self.tree.position(node));
            self.join(&before, square, &after);
        }
    }

    fn join_tree(&mut self) {
        self.tree.ids().for_each(|node| self.join_node(node));
    }

    fn square(&self, node: NodeId) -> Option<Square> {
        self.tree.played(node).and_then(|played| played.mv.square())
    }

    /// Sets the network of all searches, on which errors depend.
    pub fn set_network(&mut self, network: NetworkSize) {
        self.values_mut().into_iter().for_each(|values| values.set_network(network));
    }

    /// Sets the number of moves of each line that no side has chosen, such as those of an XOT opening. They have no loss, and
    /// do not count in sums.
    pub fn set_given(&mut self, moves: usize) {
        self.given = moves;
    }

    /// Number of changes of values and explanations.
    pub fn revision(&self) -> u64 {
        self.all.revision() + self.reviewed.revision() + self.explained + self.book_changes
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.values_mut().into_iter().for_each(Values::clear);
        self.explanations.clear();
        self.join_tree();
    }

    /// Removes the values of a position.
    pub fn forget(&mut self, position: &Position) {
        self.values_mut().into_iter().for_each(|values| values.forget(position));
    }

    /// Adds values of positions by books, of which the first one of a position counts: see [`Book::values`](crate::book::Book::values).
    /// They replace those of a lower level. An analysis does not search positions whose best move is known, unless it proves their scores.
    pub fn add_book_values(&mut self, values: impl IntoIterator<Item = (Position, Known)>) {
        for (position, known) in values {
            self.book_values.entry(position).or_insert(known);
        }
        self.book_changes += 1;
        let booked = &self.book_values;
        self.queue.iter_mut().for_each(|queue| {
            let plan = queue.plan;
            queue.skip(|position| is_booked(booked, position, &plan));
        });
    }

    /// Removes the values of books.
    pub fn clear_book_values(&mut self) {
        self.book_values.clear();
        self.book_changes += 1;
    }

    /// Returns the values of the moves of a position by books, without those that searches know as surely.
    fn booked(&mut self, position: &Position) -> Vec<Known> {
        let mut booked = Vec::new();
        for (square, after) in position.successors() {
            let Some(known) = self.book_values.get(&after) else { continue };
            let level = self.all.value(&after).map_or(0, |value| value.certainty.level());
            if known.certainty.level() > level {
                booked.push(known.of_move(position, square, &after));
            }
        }
        booked
    }

    /// Returns the value of a position by searches, or by books if that is surer: that of the position itself, else that of its best
    /// move by `booked` and by searches of the others.
    fn value(&self, position: &Position, searched: Option<Known>, booked: &[Known]) -> Option<Known> {
        let book = self.book_values.get(position).cloned().or_else(|| {
            let is_booked = |row: &Known| booked.iter().any(|known| first(known) == first(row));
            let rivals = searched.iter().filter(|best| !is_booked(best)).chain(booked);
            let mut best = rivals.filter(|_| !booked.is_empty()).min_by_key(|row| rank(row))?.clone();
            if best.certainty.is_exact() {
                // The proven score of one move proves nothing about the others.
                best.certainty = Certainty::book(best.line.len() as u32);
            }
            Some(best)
        });
        let book = book.map(|book| match &searched {
            // The best move of a proven score is not that of an estimate.
            Some(searched) if book.line.is_empty() && !book.certainty.is_exact() => {
                Known { line: searched.line.clone(), ..book }
            }
            _ => book,
        });
        surer(book, searched)
    }

    /// Returns the values of a position by all searches and by analyses of the game, or by books if that is surer.
    fn points(&mut self, position: &Position) -> [Option<Point>; 2] {
        let booked = self.booked(position);
        let searched = self.values_mut().map(|values| values.value(position));
        searched.map(|searched| Some(self.all.point_of(position, &self.value(position, searched, &booked)?)))
    }

    /// Adds the value of a move. Returns `false` if the move is illegal or a surer value is known.
    pub fn add(&mut self, position: &Position, known: Known) -> bool {
        self.all.add(position, known)
    }

    /// Adds the result of a search for the best move. Returns `false` if the move is illegal or a surer result is known.
    pub fn add_best(&mut self, position: &Position, known: Known) -> bool {
        self.all.add_root(position, known)
    }

    /// Adds the values in the answer to a question about a position. Returns `false` if none is new.
    ///
    /// If only the best moves were asked for, the first of them is the best of all moves.
    pub fn hear<'a>(&mut self, position: &Position, answer: impl Into<Answer<'a>>) -> bool {
        let (values, first) = answer.into().values();
        let last = &values[first..];
        let mut is_new = false;
        for known in &values {
            is_new |= self.all.add(position, known.clone());
        }
        let is_booked = |row: &Known| row.certainty.kind() == Kind::Book;
        let is_best =
            last.len() < position.moves().count() as usize && !self.all.rows(position).iter().any(is_booked);
        is_new | (is_best && self.all.add_best(position, last))
    }

    /// Adds the answer to a question for the best move that belongs to an analysis of the whole game.
    pub fn hear_review<'a>(&mut self, position: &Position, answer: impl Into<Answer<'a>>) -> bool {
        let (values, first) = answer.into().values();
        let last = &values[first..];
        self.all.add_best(position, last) | self.reviewed.add_best(position, last)
    }

    /// The results of searches of a position: of the moves, for the best move, and for the best move in an analysis of the game.
    pub fn searched(&self, position: &Position) -> (&[Known], Option<&Known>, Option<&Known>) {
        (self.all.rows(position), self.all.root(position), self.reviewed.root(position))
    }

    /// Starts an analysis of the line up to a node. Positions with as good values are skipped. Tasks that run are abandoned.
    pub fn begin(&mut self, plan: &Plan, last: NodeId) {
        let line = std::iter::successors(Some(last), |&node| self.tree.parent(node));
        let positions: Vec<Position> = line.map(|node| self.tree.position(node)).collect();
        let open = positions.into_iter().rev().filter(|position| position.status() != Status::Over);
        let waiting = open.filter(|position| !self.is_reviewed(position, plan)).collect();
        self.queue = Some(Queue::new(*plan, last, waiting));
    }

    /// Abandons the analysis.
    pub fn stop(&mut self) {
        self.queue = None;
    }

    /// Returns the next position to search. `None` if there is none, or until the running tasks are answered. Another plan than the
    /// last one starts an analysis of the main line.
    pub fn next_task(&mut self, plan: &Plan) -> Option<Task> {
        if self.queue.as_ref().is_none_or(|queue| queue.plan != *plan) {
            self.begin(plan, self.tree.main_line().last().copied().unwrap_or_default());
        }
        self.tasks += 1;
        let id = TaskId(self.tasks);
        loop {
            let task = self.queue.as_mut()?.next(id);
            if task.is_some() || !self.explain_next() {
                return task;
            }
        }
    }

    /// Ends a task with its answer. Returns `false` if the task does not run or the answer has no value.
    pub fn take<'a>(&mut self, id: TaskId, answer: impl Into<Answer<'a>>) -> bool {
        let Some(queue) = &mut self.queue else { return false };
        if let Some(position) = queue.end(id) {
            return self.hear_review(&position, answer);
        }
        let (values, first) = answer.into().values();
        queue.take(id, &values[first..]);
        self.keep_explanations();
        !values.is_empty()
    }

    fn keep_explanations(&mut self) {
        while let Some(explanation) = self.queue.as_mut().and_then(Queue::explained) {
            self.explained += 1;
            let square = explanation.played.first().copied();
            self.explanations.extend(square.map(|square| ((explanation.position, square), explanation)));
        }
    }

    /// Starts to explain the next mistake of the line. Returns `false` if there is none.
    fn explain_next(&mut self) -> bool {
        let mistakes = self.unexplained();
        let Some(queue) = &mut self.queue else { return false };
        let is_new = mistakes.into_iter().any(|(position, squares)| queue.explain(position, squares));
        self.keep_explanations();
        is_new
    }

    /// The mistakes of the analyzed line without an explanation, the last first, with the better moves.
    fn unexplained(&mut self) -> Vec<(Position, [Square; 2])> {
        let Some(queue) = self.queue.as_ref().filter(|queue| queue.plan.reasons) else { return Vec::new() };
        let line = std::iter::successors(Some(queue.last), |&node| self.tree.parent(node));
        let chosen = line.clone().skip(1).count().saturating_sub(self.given);
        let moves = line.take(chosen).filter_map(|node| {
            let (before, after) = (self.tree.position(self.tree.parent(node)?), self.tree.position(node));
            let is_answered = queue.is_answered(&before) && queue.is_answered(&after);
            Some((before, self.square(node)?)).filter(|_| is_answered)
        });
        let moves: Vec<_> = moves.collect();
        let mistake = |(position, square): (Position, Square)| {
            let best = self.loss(&position, square).filter(|loss| loss.mistake)?.best?;
            let is_open = best != square && self.explanation(&position, square).is_none();
            is_open.then_some((position, [square, best]))
        };
        moves.into_iter().filter_map(mistake).collect()
    }

    /// Returns the explanation of a move that lost something. `None` if it was not analyzed, or if another move is the best one by now.
    pub fn explanation(&mut self, position: &Position, square: Square) -> Option<&Explanation> {
        let best = self.loss(position, square)?.best;
        let explanation = self.explanations.get(&(*position, square))?;
        Some(explanation).filter(|explanation| explanation.better.first() == best.as_ref())
    }

    /// The engine failed: the position is searched again, after all others.
    pub fn put_back(&mut self, id: TaskId) {
        self.queue.iter_mut().for_each(|queue| queue.put_back(id));
    }

    /// Number of positions of the analysis without an answer, and of mistakes that are not explained.
    pub fn left(&mut self) -> usize {
        self.unexplained().len() + self.queue.as_ref().map_or(0, Queue::len)
    }

    /// Returns `true` if an analysis of the game has reached the depth of `plan`, or the score is proven.
    fn is_reviewed(&mut self, position: &Position, plan: &Plan) -> bool {
        if let Some(proven) = self.all.root(position).filter(|root| root.certainty.is_exact()) {
            self.reviewed.add_root(position, proven.clone());
        }
        is_booked(&self.book_values, position, plan) || is_known(&mut self.reviewed, position, plan)
    }

    /// Returns `true` if searches have reached the depth of `plan`, the score is proven, or the game is over.
    pub fn is_known(&mut self, position: &Position, plan: &Plan) -> bool {
        is_known(&mut self.all, position, plan)
    }

    /// Returns the value of a position. `None` if it is unknown.
    pub fn point(&mut self, position: &Position) -> Option<Point> {
        self.points(position)[0]
    }

    /// Returns the loss of a move, played or not. `None` if it is illegal or a value is unknown.
    pub fn loss(&mut self, position: &Position, square: Square) -> Option<Loss> {
        let after = position.play(Move::Place(square)).ok()?.after_forced_pass();
        self.join(position, square, &after);
        let [after, before] = [&after, position].map(|position| self.points(position));
        loss(position, square, before, after)
    }

    /// Returns the values of the moves of a position by everything that is known, with or without the book.
    pub fn moves(&mut self, position: &Position, with_book: bool) -> MoveValues {
        let mut rows = self.all.moves(position);
        let mut best = self.all.value(position).filter(|_| position.status() != Status::Over);
        if with_book {
            let booked = self.booked(position);
            best = self.value(position, best, &booked);
            for known in booked {
                match rows.iter_mut().find(|row| first(row) == first(&known)) {
                    Some(row) if row.certainty.level() >= known.certainty.level() => {}
                    Some(row) => *row = known,
                    None => rows.push(known),
                }
            }
        }
        // A move that only a shallow search found better follows the best move.
        let place = |row: &Known| (Some(first(row)) != best.as_ref().map(first), rank(row));
        // Smaller in the module of the page than a sort.
        let mut sorted = Vec::with_capacity(rows.len());
        while let Some(at) = (0..rows.len()).min_by_key(|&at| place(&rows[at])) {
            sorted.push(rows.swap_remove(at));
        }
        MoveValues { rows: sorted, best }
    }

    /// Returns what is known of all nodes in the order of their ids, removed ones included.
    pub fn nodes(&mut self) -> Vec<NodeReport> {
        // Later positions first, so that the recursion is short.
        let positions: Vec<Position> = self.tree.ids().map(|node| self.tree.position(node)).collect();
        let mut points: Vec<_> = positions.iter().rev().map(|position| self.points(position)).collect();
        points.reverse();
        let mut nodes: Vec<NodeReport> = Vec::with_capacity(points.len());
        let mut plies: Vec<usize> = Vec::with_capacity(points.len());
        for (id, &[now, reviewed]) in self.tree.ids().zip(&points) {
            let (point, mut loss) = (now, None);
            let parent = self.tree.parent(id).map(NodeId::index);
            plies.push(parent.map_or(0, |parent| plies[parent] + 1));
            let course = match self.tree.parent(id).zip(self.square(id)) {
                None => Course::start(now, reviewed),
                Some((parent, _)) if plies[id.index()] <= self.given => {
                    nodes[parent.index()].course.extended_by_given(now, reviewed)
                }
                Some((parent, square)) => {
                    let (parent, position) = (parent.index(), &positions[parent.index()]);
                    loss = self::loss(position, square, points[parent], [now, reviewed]);
                    nodes[parent].course.extended(position, loss.as_ref(), now, reviewed)
                }
            };
            nodes.push(NodeReport { point, loss, course });
        }
        nodes
    }

    /// Returns the report on the main line.
    pub fn report(&mut self) -> GameReport {
        let nodes = self.nodes();
        let line = self.tree.main_line();
        let next: Vec<_> = line.iter().skip(1).map(|&node| self.square(node)).chain([None]).collect();
        let row = |(&id, next): (&NodeId, Option<Square>)| {
            let (position, node) = (self.tree.position(id), &nodes[id.index()]);
            let named = |point: Point| next.map_or(point, |next| point.before(&position, next));
            let (before, played) =
                (self.tree.parent(id).map(|parent| self.tree.position(parent)), self.square(id));
            let explanation =
                before.zip(played).and_then(|(before, played)| self.explanation(&before, played));
            let explanation = explanation.filter(|_| node.loss.is_some_and(|loss| loss.mistake)).cloned();
            PositionReport {
                position,
                played,
                explanation,
                point: node.point.map(named),
                searched: surer(
                    self.book_values.get(&position).cloned(),
                    self.reviewed.root(&position).cloned(),
                ),
                loss: node.loss,
            }
        };
        let sums = line.last().map(|last| nodes[last.index()].course.sums).unwrap_or_default();
        GameReport { positions: line.iter().zip(next).map(row).collect(), sums }
    }
}

impl From<&Game> for Study {
    /// A study of the moves of a game, its comments and variations.
    fn from(game: &Game) -> Study {
        Study { given: game.given(), ..Study::new(game.tree()) }
    }
}

/// Returns the loss of a move in `position` by the values before and after it, by all searches and by analyses of the game.
fn loss(
    position: &Position,
    square: Square,
    before: [Option<Point>; 2],
    after: [Option<Point>; 2],
) -> Option<Loss> {
    let [now, reviewed] = before.map(|point| point.map(|point| point.before(position, square)));
    analysis::loss(position, [now, after[0]], [reviewed, after[1]])
}

/// Returns `true` if a book has the value of a position whose score need not be proven.
fn is_booked(booked: &BTreeMap<Position, Known>, position: &Position, plan: &Plan) -> bool {
    let known = booked.get(position).filter(|known| !known.line.is_empty());
    known.is_some_and(|known| known.certainty.is_exact() || plan.depth_at(position) < Depth::MAX.plies())
}

fn is_known(values: &mut Values, position: &Position, plan: &Plan) -> bool {
    let depth = plan.depth_at(position);
    let is_searched = depth < Depth::MAX.plies() && values.level(position) >= 1000 * depth.cast_signed();
    is_searched || values.point(position).is_some_and(|point| point.certainty.is_exact())
}

fn first(row: &Known) -> Option<Square> {
    row.line.first().copied()
}

/// Orders rows: the better first, of equal ones the surer, then by the names of the squares.
fn rank(row: &Known) -> impl Ord + use<> {
    let square = first(row).map(|square| (square.column(), square.row()));
    (Reverse(row.score), Reverse(row.certainty.level()), square)
}
