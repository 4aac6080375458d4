//! The plan of an analysis: which position is searched next, and how deep.

use crate::analysis::even_leaves;
use crate::board::Position;
use crate::search::{Depth, Goal, Limits};
use crate::session::{limits_at_depth, nboard};

/// How deep the positions of a game are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// In plies. One more if the leaves would have an odd number of empty squares.
    pub depth: u32,
    /// Largest number of empty squares at which the score is proven.
    pub exact: Option<u32>,
}

/// Identifies a task of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

/// A position to search for its best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Task {
    /// To be returned with the answer.
    pub id: TaskId,
    /// The position.
    pub position: Position,
    /// In plies.
    pub depth: u32,
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
        Goal::BestMove
    }

    /// Returns the limits of the search.
    pub fn limits(&self) -> Limits {
        limits_at_depth(&self.position, self.depth)
    }

    /// Returns the lines that ask an engine that speaks NBoard.
    pub fn lines(&self) -> [String; 3] {
        nboard::hint(&self.position, self.depth, 1)
    }
}

/// The positions of a plan that are not answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    pub(super) plan: Plan,
    /// In the order of the game. The last one is next, so that ends are known before the positions that lead to them.
    waiting: Vec<Position>,
    running: Vec<(TaskId, Position)>,
}

impl Queue {
    pub(super) fn new(plan: Plan, waiting: Vec<Position>) -> Queue {
        Queue { plan, waiting, running: Vec::new() }
    }

    /// Number of positions without an answer.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.running.len()
    }

    pub(super) fn next(&mut self, id: TaskId) -> Option<Task> {
        let position = self.waiting.pop()?;
        self.running.push((id, position));
        Some(Task { id, position, depth: self.plan.depth_at(&position) })
    }

    /// Removes a running task.
    pub(super) fn end(&mut self, id: TaskId) -> Option<Position> {
        let at = self.running.iter().position(|(running, _)| *running == id)?;
        Some(self.running.swap_remove(at).1)
    }

    /// The position of a running task waits again, after all others.
    pub(super) fn put_back(&mut self, id: TaskId) {
        if let Some(position) = self.end(id) {
            self.waiting.insert(0, position);
        }
    }
}
