//! The searches that explain why a move lost something.

use super::reasons::{Explanation, Reason, holds, reasons};
use super::{Task, TaskId};
use crate::analysis::Known;
use crate::board::{Color, Move, Position, Square, Status};
use crate::score::{Discs, Score};

/// Number of moves that are compared in each position.
const MOVES: usize = 3;
/// Largest loss of a try in centidiscs, exclusive, and of another reply that counts as good as the best one.
const MAX_TRY_LOSS: i32 = 200;
const MAX_REPLY_LOSS: i32 = 50;
/// Most empty squares at which a reason needs a smallest loss in centidiscs by the searches of the lines, if that is not proven: deeper
/// ones may prove that there is none.
const LATE_EMPTIES: u32 = 26;
const MIN_LATE_LOSS: i32 = 400;
/// Number of positions of a line where other moves are tried.
const TRIES: usize = 2;
/// Depth of the searches that find where the value falls, in plies, and the number of moves that they follow.
const FALL_DEPTH: u32 = 2;
const FALL_PLIES: usize = 8;

/// A question about one move. It searches the lines of both moves, then the boards of the line after the worse one if the lines show
/// no reason.
#[derive(Clone, Debug)]
pub struct Inquiry {
    pub(super) position: Position,
    /// Plies that are added to all depths.
    deeper: u32,
    /// The move, and the better one.
    pub(super) squares: [Square; 2],
    branches: [Branch; 2],
    /// Set when the branches are complete.
    fall: Option<Fall>,
    result: Option<Explanation>,
}

/// The lines after one move.
#[derive(Clone, Debug)]
struct Branch {
    /// Side to move where other moves are tried.
    tries: Color,
    tries_left: usize,
    /// The best moves so far, and the position after them.
    prefix: Vec<Square>,
    at: Position,
    /// The best line first. Each begins with the move.
    lines: Vec<Vec<Square>>,
    /// The value of the move for the side that made it, and `true` if it is proven.
    value: Option<(Score, bool)>,
    running: Option<TaskId>,
}

/// The boards of the line after the move, with their shallow values.
#[derive(Clone, Debug)]
struct Fall {
    boards: Vec<Position>,
    values: Vec<Option<Score>>,
    running: Option<TaskId>,
}

impl Inquiry {
    /// Returns an inquiry about a legal move and a better one, with searches `deeper` plies deeper than usual.
    pub fn new(position: Position, squares: [Square; 2], deeper: u32) -> Inquiry {
        let side = position.side();
        let branch = |square, tries| {
            let at = after(&position, square);
            let end = Score::from(Discs::new(at.board().final_score()));
            Branch {
                tries,
                tries_left: TRIES,
                prefix: vec![square],
                at,
                lines: vec![vec![square]],
                value: (at.status() == Status::Over)
                    .then_some((if at.side() == side { end } else { -end }, true)),
                running: None,
            }
        };
        let branches = [branch(squares[0], side), branch(squares[1], !side)];
        let mut inquiry = Inquiry { position, deeper, squares, branches, fall: None, result: None };
        inquiry.advance();
        inquiry
    }

    /// Starts the next search as task `id`. `None` if none can start before others end.
    pub fn next(&mut self, id: TaskId) -> Option<Task> {
        if let Some(branch) =
            self.branches.iter_mut().find(|branch| branch.running.is_none() && !branch.is_done())
        {
            branch.running = Some(id);
            let depth = line_depth(&branch.at) + self.deeper;
            return Some(Task { id, position: branch.at, depth, moves: MOVES });
        }
        let fall = self.fall.as_mut().filter(|fall| fall.running.is_none())?;
        fall.running = Some(id);
        let position = *fall.boards.get(fall.values.len())?;
        Some(Task { id, position, depth: FALL_DEPTH, moves: 1 })
    }

    /// A task failed: its search is repeated. Returns `false` if it is not of this inquiry.
    pub(super) fn put_back(&mut self, id: TaskId) -> bool {
        let branches = self.branches.iter_mut().map(|branch| &mut branch.running);
        let mut running = branches.chain(self.fall.iter_mut().map(|fall| &mut fall.running));
        running.find(|running| **running == Some(id)).map(|running| *running = None).is_some()
    }

    /// Ends a task with the values of the moves, the best first. Returns `false` if it is not of this inquiry.
    pub fn take(&mut self, id: TaskId, rows: &[Known]) -> bool {
        let side = self.position.side();
        let own = |at: &Position, score: Score| if at.side() == side { score } else { -score };
        if let Some(branch) = self.branches.iter_mut().find(|branch| branch.running == Some(id)) {
            branch.running = None;
            let value = rows.first().map(|best| (own(&branch.at, best.score), best.certainty.is_exact()));
            branch.value = branch.value.or(value);
            branch.take(rows);
        } else if let Some(fall) = self.fall.as_mut().filter(|fall| fall.running == Some(id)) {
            fall.running = None;
            let board = fall.boards.get(fall.values.len());
            fall.values.push(board.zip(rows.first()).map(|(board, best)| own(board, best.score)));
        } else {
            return false;
        }
        self.advance();
        true
    }

    /// Removes and returns the result of a complete inquiry.
    pub fn result(&mut self) -> Option<Explanation> {
        self.result.take()
    }

    /// Returns the loss of the move by these searches in centidiscs, and `true` if it is proven. `None` if a value is unknown.
    pub fn loss(&self) -> Option<(i32, bool)> {
        let [(one, is_one), (other, is_other)] = [self.branches[0].value?, self.branches[1].value?];
        Some((other.centidiscs() - one.centidiscs(), is_one && is_other))
    }

    /// Returns `true` if the lines of this inquiry show the difference of a reason that another inquiry found.
    pub fn confirms(&self, reason: &Reason) -> bool {
        let [played, better] = &self.branches;
        holds(&self.position, reason, &played.lines, &better.lines)
    }

    fn advance(&mut self) {
        if !self.branches.iter().all(Branch::is_done) {
            return;
        }
        let [played, better] = &self.branches;
        let fall = match &self.fall {
            Some(fall) if fall.values.len() < fall.boards.len() => return,
            fall => fall.as_ref(),
        };
        let (loss, is_proven) = self.loss().unwrap_or_default();
        let is_late = !is_proven && self.position.empties() <= LATE_EMPTIES;
        let least = if is_late { MIN_LATE_LOSS } else { 1 };
        // Once it is searched where the value falls, there are no reasons.
        let found = if fall.is_none() && loss >= least {
            reasons(&self.position, &played.lines, &better.lines, is_proven)
        } else {
            Vec::new()
        };
        if found.is_empty() && fall.is_none() {
            let boards = played.lines[0].iter().take(FALL_PLIES).scan(self.position, |at, &square| {
                *at = after(at, square);
                Some(*at)
            });
            let boards = boards.take_while(|board| board.status() != Status::Over).collect();
            self.fall = Some(Fall { boards, values: Vec::new(), running: None });
            return self.advance();
        }
        let middle = played
            .value
            .zip(better.value)
            .map(|((one, _), (other, _))| (one.centidiscs() + other.centidiscs()) / 2);
        let falls_at = fall.zip(middle).map(|(fall, middle)| {
            let is_above = |value: &Option<Score>| value.is_none_or(|value| value.centidiscs() > middle);
            1 + fall.values.iter().rposition(is_above).map_or(0, |at| at + 1)
        });
        self.result = Some(Explanation {
            position: self.position,
            played: played.lines[0].clone(),
            better: better.lines[0].clone(),
            reasons: found,
            falls_at: falls_at.filter(|&at| at <= played.lines[0].len().min(FALL_PLIES)),
        });
    }
}

impl Branch {
    fn is_done(&self) -> bool {
        self.tries_left == 0 || self.at.status() == Status::Over
    }

    /// Returns the moves so far with the line of a search, up to its first illegal move.
    fn line(&self, row: &Known) -> Vec<Square> {
        let mut at = self.at;
        let legal = row.line.iter().copied().map_while(|square| {
            at = at.play(Move::Place(square)).ok()?.after_forced_pass();
            Some(square)
        });
        self.prefix.iter().copied().chain(legal).collect()
    }

    fn take(&mut self, rows: &[Known]) {
        let Some(best) = rows.first() else {
            self.tries_left = 0;
            return;
        };
        self.lines[0] = self.line(best);
        let is_try = self.at.side() == self.tries;
        let most = if is_try { MAX_TRY_LOSS } else { MAX_REPLY_LOSS };
        let others = rows[1..].iter().filter(|row| best.score.centidiscs() - row.score.centidiscs() < most);
        let others: Vec<_> = others.map(|row| self.line(row)).collect();
        self.lines.extend(others);
        self.tries_left -= usize::from(is_try);
        // The best line continues to the next position where other moves are tried.
        for &square in &self.lines[0][self.prefix.len()..] {
            self.prefix.push(square);
            self.at = after(&self.at, square);
            if self.at.side() == self.tries {
                return;
            }
        }
        self.tries_left = 0;
    }
}

/// Returns the position after a move and the pass that it forces. An illegal move changes nothing.
fn after(position: &Position, square: Square) -> Position {
    position.play(Move::Place(square)).map_or(*position, Position::after_forced_pass)
}

/// Returns the depth of the searches of the lines, in plies. Up to 18 empty squares are solved; positions of up to 25 are searched
/// less deep, since solving them would take too long.
fn line_depth(position: &Position) -> u32 {
    match position.empties() {
        17..=20 => 10,
        21..=22 => 12,
        23..=25 => 13,
        _ => 14,
    }
}
