//! The plan of an analysis: which position is searched next, and how deep.

use super::inquiry::Inquiry;
use super::reasons::Explanation;
use crate::analysis::{Known, even_leaves};
use crate::board::{Position, Square};
use crate::game::NodeId;
use crate::search::{Depth, Goal, Limits};
use crate::session::{limits_at_depth, nboard};

/// How deep the positions of a game are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// In plies. One more if the leaves would have an odd number of empty squares.
    pub depth: u32,
    /// Largest number of empty squares at which the score is proven.
    pub exact: Option<u32>,
    /// Explain the mistakes, after the positions before and after them are answered.
    pub reasons: bool,
}

/// Identifies a task of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

/// A position to search for its best moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Task {
    /// To be returned with the answer.
    pub id: TaskId,
    /// The position.
    pub position: Position,
    /// In plies.
    pub depth: u32,
    /// Number of moves whose values are asked for.
    pub moves: usize,
}

impl Plan {
    /// Returns the depth at which a position is searched, in plies.
    pub fn depth_at(&self, position: &Position) -> u32 {
        let solves = self.exact.is_some_and(|exact| position.empties() <= exact);
        if solves { Depth::MAX.plies() } else { even_leaves(position, self.depth) }
    }
}

impl Task {
    /// Returns the question.
    pub fn goal(&self) -> Goal {
        if self.moves == 1 { Goal::BestMove } else { Goal::Hints(self.moves) }
    }

    /// Returns the limits of the search.
    pub fn limits(&self) -> Limits {
        limits_at_depth(&self.position, self.depth)
    }

    /// Returns the lines that ask an engine that speaks NBoard.
    pub fn lines(&self) -> [String; 3] {
        nboard::hint(&self.position, self.depth, self.moves)
    }
}

/// The positions of a plan that are not answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    pub(super) plan: Plan,
    /// In the order of the game. The last one is next, so that ends are known before the positions that lead to them.
    waiting: Vec<Position>,
    running: Vec<(TaskId, Position)>,
    /// The last node of the line.
    pub(super) last: NodeId,
    inquiries: Vec<Inquiry>,
}

impl Queue {
    pub(super) fn new(plan: Plan, last: NodeId, waiting: Vec<Position>) -> Queue {
        Queue { plan, waiting, last, ..Queue::default() }
    }

    /// Number of positions without an answer.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.running.len()
    }

    pub(super) fn next(&mut self, id: TaskId) -> Option<Task> {
        if let Some(position) = self.waiting.pop() {
            self.running.push((id, position));
            return Some(Task { id, position, depth: self.plan.depth_at(&position), moves: 1 });
        }
        self.inquiries.iter_mut().find_map(|inquiry| inquiry.next(id))
    }

    /// Returns `true` if no position waits, and `position` is not being searched.
    pub(super) fn is_answered(&self, position: &Position) -> bool {
        self.waiting.is_empty() && self.running.iter().all(|(_, running)| running != position)
    }

    /// Starts to explain a move, unless it is being explained.
    pub(super) fn explain(&mut self, position: Position, squares: [Square; 2]) -> bool {
        let is_new =
            self.inquiries.iter().all(|inquiry| (inquiry.position, inquiry.squares) != (position, squares));
        if is_new {
            self.inquiries.push(Inquiry::new(position, squares, 0));
        }
        is_new
    }

    /// Ends the task of an inquiry with its answer.
    pub(super) fn take(&mut self, id: TaskId, rows: &[Known]) {
        let _ = self.inquiries.iter_mut().any(|inquiry| inquiry.take(id, rows));
    }

    /// Removes and returns the result of a complete inquiry.
    pub(super) fn explained(&mut self) -> Option<Explanation> {
        let (at, result) =
            (0..).zip(&mut self.inquiries).find_map(|(at, inquiry)| Some((at, inquiry.result()?)))?;
        self.inquiries.swap_remove(at);
        Some(result)
    }

    /// Removes the positions that wait and are known.
    pub(super) fn skip(&mut self, is_known: impl Fn(&Position) -> bool) {
        self.waiting.retain(|position| !is_known(position));
    }

    /// Removes a running task.
    pub(super) fn end(&mut self, id: TaskId) -> Option<Position> {
        let at = self.running.iter().position(|(running, _)| *running == id)?;
        Some(self.running.swap_remove(at).1)
    }

    /// The position of a running task waits again, after all others.
    pub(super) fn put_back(&mut self, id: TaskId) {
        match self.end(id) {
            Some(position) => self.waiting.insert(0, position),
            None => _ = self.inquiries.iter_mut().any(|inquiry| inquiry.put_back(id)),
        }
    }
}
