//! The root: iterative deepening over the moves of the requested position. It can be suspended at any point.

use std::collections::HashMap;
use std::mem;

use super::plan::{IterationPlan, iterations};
use super::value::{Centidiscs, Discs};
use super::worker::Worker;
use super::{Decision, Depth, Goal, Line, NextIteration, Proof, Report, SearchRequest, midgame, principal};
use crate::board::{Bitboard, Board, Move, Symmetry};
use crate::eval::Features;
use crate::kernel::Kernels;
use crate::score::{Bound, Confidence, Score, Window};

/// Half the width of the first window around the value of the previous iteration, in centidiscs.
const ASPIRATION: i32 = 300;

/// How often the window of a line is moved before it is opened. Values of other depths in the table can contradict each
/// other and would move the window back and forth indefinitely.
const MAX_WINDOW_MOVES: u32 = 8;

/// A running request: everything that must survive a suspension.
#[derive(Clone, Debug)]
pub(super) struct Root {
    request: SearchRequest,
    iterations: Vec<IterationPlan>,
    iteration: usize,
    /// The first moves. Those from `cursor` have not been searched in this pass of the iteration.
    lines: Vec<RootLine>,
    cursor: usize,
    /// The lines after the last complete iteration.
    complete: Vec<RootLine>,
    /// The current window of the line at the cursor.
    window: Option<(Centidiscs, Centidiscs)>,
    /// How often that window was moved.
    moved: u32,
    /// A search for the best move needs no exact values below this in the current pass.
    floor: Centidiscs,
    /// Depths and values of the best move in the complete iterations.
    values: Vec<(u32, Centidiscs)>,
    last_drop: i32,
    /// The move whose variation a suspension has cut short.
    cut_short: Option<Move>,
    /// The values of the complete iterations are those of an earlier request, and not yet reported.
    is_unsent: bool,
    /// The request was answered up to its limits, and not stopped before.
    pub(super) is_answered: bool,
}

/// A first move and what is known about it.
#[derive(Clone, Debug)]
struct RootLine {
    mv: Move,
    child: Board,
    value: Centidiscs,
    bound: Bound,
    depth: u32,
    confidence: Confidence,
    moves: Vec<Move>,
    /// Moves to symmetric positions, with the symmetry that maps the squares of this line to theirs.
    twins: Vec<(Move, Symmetry, Symmetry)>,
}

impl RootLine {
    /// Returns `true` if the line was searched in `iteration`.
    fn belongs_to(&self, iteration: &IterationPlan) -> bool {
        (self.depth, self.confidence) == (iteration.depth, iteration.confidence)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RootEnd {
    /// The request is answered.
    Finished,
    /// The worker was halted.
    Halted,
}

impl Root {
    pub(super) fn new(request: SearchRequest) -> Root {
        let board = request.root.board();
        let empties = board.empties();
        let mut root = Root {
            iterations: iterations(empties, request.goal, &request.limits),
            lines: root_lines(board, request.limits.only),
            request,
            iteration: 0,
            cursor: 0,
            complete: Vec::new(),
            window: None,
            moved: 0,
            floor: Centidiscs(0),
            values: Vec::new(),
            last_drop: 0,
            cut_short: None,
            is_unsent: false,
            is_answered: false,
        };
        root.floor = root.first_floor();
        root
    }

    /// Continues until the request is answered or the worker is halted.
    pub(super) fn run<K: Kernels>(&mut self, worker: &mut Worker<'_>) -> RootEnd {
        if self.iteration == 0 && self.is_between_iterations() && !self.is_answered {
            self.first_guess::<K>(worker);
        }
        if let Some(mv) = self.cut_short.take() {
            self.find_variation::<K>(worker, mv);
        }
        if mem::take(&mut self.is_unsent) {
            Root { cursor: 0, window: None, ..self.clone() }.send_report(worker, true);
        }
        let empties = self.request.root.empties();
        while let Some(&iteration) = self.iterations.get(self.iteration) {
            if self.is_answered || self.lines.is_empty() {
                break;
            }
            if self.is_between_iterations() && self.iteration > 0 {
                let next = NextIteration {
                    depth: Depth::new(iteration.depth),
                    confidence: iteration.confidence,
                    drop: self.last_drop,
                };
                if worker.monitor().is_some_and(|monitor| !monitor.may_start_iteration(&next)) {
                    break;
                }
            }
            worker.confidence = iteration.confidence;
            worker.to_end = iteration.depth >= empties;
            if self.search_iteration::<K>(worker, iteration) == RootEnd::Halted {
                return RootEnd::Halted;
            }
            if self.cut_short.is_some() && worker.decision == Decision::Yield {
                // The iteration is complete once its last variation is.
                return RootEnd::Halted;
            }
            self.end_iteration();
            if !iteration.unreported {
                self.send_report(worker, true);
            }
        }
        self.is_answered |= self.iteration >= self.iterations.len();
        RootEnd::Finished
    }

    /// Returns `true` if the other request is the same one, except for its id.
    pub(super) fn is_same_request(&self, other: &Root) -> bool {
        let (one, two) = (&self.request, &other.request);
        (one.root, one.goal, one.limits) == (two.root, two.goal, two.limits)
    }

    /// Takes the answer of an earlier equal request.
    pub(super) fn take_answer(&mut self, earlier: &Root) {
        let is_unsent = !earlier.is_between_iterations() && !earlier.complete.is_empty();
        *self = Root { request: self.request.clone(), is_unsent, ..earlier.clone() };
    }

    /// Drops the variations that no report of this request shows.
    pub(super) fn compact(&mut self) {
        let requested = self.requested();
        for lines in [&mut self.lines, &mut self.complete] {
            lines.iter_mut().skip(requested).for_each(|line| line.moves = Vec::new());
            lines.shrink_to_fit();
        }
    }

    /// Leaves out the iterations that an earlier request about the same position has completed. Its values are reported first.
    pub(super) fn continue_after(&mut self, earlier: &Root) {
        let (one, two) = (&self.request, &earlier.request);
        let is_same = (one.root, one.goal, one.limits.only) == (two.root, two.goal, two.limits.only);
        let done = earlier.iterations[..earlier.iteration].iter().rfind(|iteration| !iteration.unreported);
        let Some(done) = done.filter(|_| is_same) else { return };
        let is_done = |next: &&IterationPlan| next.depth <= done.depth && next.confidence <= done.confidence;
        let start = self.iterations.iter().take_while(is_done).count();
        if start <= self.iteration || start == self.iterations.len() {
            return;
        }
        self.iteration = start;
        self.lines.clone_from(&earlier.complete);
        self.complete.clone_from(&earlier.complete);
        self.values = earlier.values.iter().copied().filter(|&(depth, _)| depth <= done.depth).collect();
        self.floor = self.first_floor();
        self.is_unsent = true;
    }

    pub(super) fn node_limit(&self) -> u64 {
        self.request.limits.nodes.unwrap_or(u64::MAX)
    }

    /// Returns the state as a report.
    ///
    /// As long as every move of an iteration has failed low, its bounds say less than the previous iteration. The lines are
    /// then those of that iteration.
    pub(super) fn report(&self, nodes: u64, complete: bool) -> Report {
        let mut lines: Vec<Line> = Vec::new();
        for line in if self.has_value() { &self.lines } else { &self.complete } {
            lines.push(self.line(line, line.mv, line.moves.clone()));
            for &(mv, here, there) in &line.twins {
                let moves = line.moves.iter().skip(1).map(|&mv| match mv {
                    Move::Place(square) => Move::Place(there.inverse().square(here.square(square))),
                    Move::Pass => Move::Pass,
                });
                lines.push(self.line(line, mv, std::iter::once(mv).chain(moves).collect()));
            }
        }
        lines.truncate(self.requested());
        // Between two iterations, the state is that of the last one that valued all requested moves.
        let at = if self.is_between_iterations() { self.iteration.saturating_sub(1) } else { self.iteration };
        let at = at.min(self.iterations.len().saturating_sub(1));
        let iteration = self.iterations.get(..=at).unwrap_or_default();
        let iteration = iteration.iter().rfind(|iteration| !iteration.unreported);
        let effort = iteration.map_or((Depth::new(0), Confidence::EXACT), |iteration| {
            (Depth::new(iteration.depth), iteration.confidence)
        });
        Report::new(self.request.id, effort, lines, nodes, complete)
    }

    /// Returns `true` if the running iteration values all requested moves, and the first of them not only by an upper bound.
    fn has_value(&self) -> bool {
        let Some(iteration) = self.iterations.get(self.iteration) else { return true };
        let is_bound = |line: &RootLine| line.bound == Bound::Upper && line.belongs_to(iteration);
        self.cursor > 0 && !iteration.unreported && !self.lines.first().is_some_and(is_bound)
    }

    /// Returns `true` if no line of the current iteration was searched.
    pub(super) fn is_between_iterations(&self) -> bool {
        self.cursor == 0 && self.window.is_none()
    }

    /// Returns `true` if the current iteration values only the best move.
    fn is_unreported(&self) -> bool {
        self.iterations.get(self.iteration).is_some_and(|iteration| iteration.unreported)
    }

    pub(super) fn send_report(&self, worker: &mut Worker<'_>, complete: bool) {
        worker.publish();
        let report = self.report(worker.shared.pool.nodes(), complete);
        if let Some(monitor) = worker.monitor() {
            monitor.report(report);
        }
    }

    fn line(&self, line: &RootLine, mv: Move, moves: Vec<Move>) -> Line {
        let empties = self.request.root.empties();
        let proof = if line.depth < empties {
            Proof::Heuristic(line.confidence)
        } else if !line.confidence.is_exact() {
            Proof::Selective(line.confidence)
        } else if self.request.goal == Goal::Outcome {
            Proof::Outcome
        } else {
            Proof::Exact
        };
        Line {
            moves: if moves.is_empty() { vec![mv] } else { moves },
            score: Score::from_centidiscs(self.reported(line).0),
            bound: line.bound,
            proof,
            depth: Depth::new(line.depth),
        }
    }

    /// Returns the value of `line` for a report.
    ///
    /// To a depth, the value of the best move is the mean of its iteration and of the one before: odd and even depths err in
    /// opposite directions, and the mean is closer to exact scores (`train/RESULTS.md`). The values of the other moves are
    /// shifted by the same difference.
    fn reported(&self, line: &RootLine) -> Centidiscs {
        let is_estimate = line.bound == Bound::Exact && line.depth < self.request.root.empties();
        let has_mean = matches!(self.request.goal, Goal::BestMove | Goal::Hints(_));
        let best = self.value_at(line.depth).or(self.lines.first().map(|best| best.value));
        match (self.value_at(line.depth.wrapping_sub(1)), best) {
            (Some(before), Some(best)) if is_estimate && has_mean => {
                Centidiscs((2 * line.value.0 + before.0 - best.0) / 2)
                    .clamp(Centidiscs(-6400), Centidiscs(6400))
            }
            _ => line.value,
        }
    }

    /// Returns the value of the best move in the complete iteration to `depth`.
    fn value_at(&self, depth: u32) -> Option<Centidiscs> {
        self.values.iter().rfind(|value| value.0 == depth).map(|value| value.1)
    }

    /// Returns how many lines the request needs.
    fn requested(&self) -> usize {
        match self.request.goal {
            Goal::Hints(count) => count.max(1),
            _ => 1,
        }
    }

    /// Returns how many lines need their exact value in the current iteration.
    fn wanted(&self) -> usize {
        if self.is_unreported() { 1 } else { self.requested() }
    }

    /// Returns the window outside which the request needs only bounds.
    fn outer(&self) -> (Centidiscs, Centidiscs) {
        let window = match self.request.goal {
            Goal::Value(window) => window,
            Goal::Outcome => return (Centidiscs(-100), Centidiscs(100)),
            _ => Window::FULL,
        };
        // One beyond the ends, so that the extreme scores are inside.
        let (alpha, beta) = (window.alpha(), window.beta());
        (
            Centidiscs(alpha.centidiscs() - i32::from(alpha == Score::MIN)),
            Centidiscs(beta.centidiscs() + i32::from(beta == Score::MAX)),
        )
    }

    fn first_floor(&self) -> Centidiscs {
        let (alpha, beta) = self.outer();
        match (self.wanted(), self.expected()) {
            (1, Some(value)) => (value - ASPIRATION).clamp(alpha, beta - 1),
            _ => alpha,
        }
    }

    /// Returns the expected value of the next iteration. At odd and even depths different sides move last. An iteration to a
    /// depth is therefore compared with the last one of the same parity, the first one to the end of the game with the mean of
    /// two.
    fn expected(&self) -> Option<Centidiscs> {
        let [.., before, last] = self.values[..] else { return Some(self.values.last()?.1) };
        let empties = self.request.root.empties();
        Some(match self.iterations.get(self.iteration)?.depth {
            depth if depth == empties && last.0 < depth => Centidiscs((before.1.0 + last.1.0) / 2),
            depth if (depth - last.0).is_multiple_of(2) => last.1,
            _ => before.1,
        })
    }

    /// Orders the lines by the static evaluation, so that a search that is stopped at once has an answer.
    fn first_guess<K: Kernels>(&mut self, worker: &mut Worker<'_>) {
        for line in &mut self.lines {
            line.value = if line.child.is_over() {
                -Centidiscs::from(Discs(line.child.final_score()))
            } else {
                let features = Features::of(line.child);
                -midgame::static_eval::<K>(worker, line.child, &features, line.child.moves())
            };
        }
        self.lines.sort_by_key(|line| -line.value);
        self.complete.clone_from(&self.lines);
    }

    /// Searches the lines from the cursor.
    fn search_iteration<K: Kernels>(&mut self, worker: &mut Worker<'_>, iteration: IterationPlan) -> RootEnd {
        let wanted = self.wanted();
        let (outer_alpha, outer_beta) = self.outer();
        loop {
            while self.cursor < self.lines.len() {
                // Values of the lines already searched. The first `wanted` are the best so far.
                let done = &self.lines[..self.cursor];
                let floor = match done.get(wanted - 1) {
                    Some(line) => line.value.max(self.floor),
                    None => self.floor,
                };
                if floor >= outer_beta {
                    // The request is satisfied: the other lines do not matter.
                    self.cursor = self.lines.len();
                    break;
                }
                match self.search_line::<K>(worker, iteration, floor) {
                    Some(value) => self.line_done::<K>(worker, iteration, floor, value),
                    None => return RootEnd::Halted,
                }
            }
            let best = self.lines.first().map_or(outer_beta, |line| line.value);
            if best > self.floor || self.floor <= outer_alpha {
                return RootEnd::Finished;
            }
            // All moves are worse than expected: search again with a lower floor.
            let fallen = (self.expected().unwrap_or(Centidiscs(0)) - self.floor).max(ASPIRATION);
            self.floor = (best.min(self.floor) - 2 * fallen).max(outer_alpha);
            self.cursor = 0;
        }
    }

    /// Returns the value of the line at the cursor, exact if it is above `floor`. `None` if the worker was halted.
    fn search_line<K: Kernels>(
        &mut self,
        worker: &mut Worker<'_>,
        iteration: IterationPlan,
        floor: Centidiscs,
    ) -> Option<Centidiscs> {
        let (_, outer_beta) = self.outer();
        let wanted = self.wanted();
        let line = self.lines.get(self.cursor)?;
        let (child, depth) = match line.mv {
            Move::Place(_) => (line.child, iteration.depth - 1),
            Move::Pass => (line.child, iteration.depth),
        };
        let expected = if self.cursor == 0 { self.expected() } else { None };
        let guess = expected.unwrap_or(if line.depth > 0 { line.value } else { floor });
        loop {
            let (low, high) = *self.window.get_or_insert_with(|| {
                if self.cursor >= wanted && floor > Centidiscs(-6401) {
                    // A later sibling: find out first if it is better at all.
                    (floor, floor + 1)
                } else if line.depth == 0 {
                    (floor, outer_beta)
                } else {
                    let low =
                        if wanted == 1 { floor } else { (guess - ASPIRATION).clamp(floor, Centidiscs(6300)) };
                    (low, (guess + ASPIRATION).max(low + 1).min(outer_beta))
                }
            });
            let value = -principal::search::<K>(worker, child, -high, -low, depth);
            if worker.halted {
                return None;
            }
            let inside = (value > low || low <= floor) && (value < high || high >= outer_beta);
            if inside {
                self.window = None;
                self.moved = 0;
                return Some(value);
            }
            self.moved += 1;
            if self.moved > MAX_WINDOW_MOVES {
                self.window = Some((floor, outer_beta));
            } else if value >= high && high < outer_beta {
                let high = if high == low + 1 { high + ASPIRATION } else { high + 4 * (high - low) };
                self.window = Some((value.max(low), high.max(value + 1).min(outer_beta)));
                // The value may be `value` itself, so the new window must contain it.
                if let Some((low, _)) = &mut self.window {
                    *low = (*low - 1).max(floor);
                }
            } else {
                let wider = 4 * (high - low).max(ASPIRATION);
                self.window = Some(((value.min(low) - wider).max(floor), value.max(low) + 1));
            }
        }
    }

    /// Stores the value of the line at the cursor and moves the line to its place among the searched ones.
    fn line_done<K: Kernels>(
        &mut self,
        worker: &mut Worker<'_>,
        iteration: IterationPlan,
        floor: Centidiscs,
        value: Centidiscs,
    ) {
        let (_, outer_beta) = self.outer();
        let Some(line) = self.lines.get_mut(self.cursor) else { return };
        line.value = value;
        line.depth = iteration.depth;
        line.confidence = iteration.confidence;
        line.bound = if value <= floor {
            Bound::Upper
        } else if value >= outer_beta {
            Bound::Lower
        } else {
            Bound::Exact
        };
        let mv = line.mv;
        let better = value > floor || self.cursor == 0;
        if better {
            self.find_variation::<K>(worker, mv);
        }
        // Of equal lines, the one searched first stays first.
        let place = self.lines[..self.cursor].iter().position(|other| other.value < value);
        if let Some(place) = place {
            self.lines[place..=self.cursor].rotate_right(1);
        }
        self.cursor += 1;
        if better && self.cursor < self.lines.len() && !iteration.unreported {
            self.send_report(worker, false);
        }
    }

    /// Looks up the variation of the line that starts with `mv`, as it was last searched. If a halt cuts it short, it is
    /// looked up again when the search continues.
    fn find_variation<K: Kernels>(&mut self, worker: &mut Worker<'_>, mv: Move) {
        let Some(line) = self.lines.iter_mut().find(|line| line.mv == mv) else { return };
        let depth = if mv == Move::Pass { line.depth } else { line.depth.saturating_sub(1) };
        worker.confidence = line.confidence;
        worker.to_end = line.depth >= self.request.root.empties();
        let rest = principal::variation::<K>(worker, line.child, -line.value, depth);
        line.moves = std::iter::once(mv).chain(rest).collect();
        self.cut_short = worker.halted.then_some(mv);
    }

    fn end_iteration(&mut self) {
        let best = self.lines.first();
        let value = best.map(|line| line.value);
        self.last_drop = match (self.values.last(), value) {
            (Some(&(_, before)), Some(now)) => before - now,
            _ => 0,
        };
        self.values.extend(value.map(|value| (self.iterations[self.iteration].depth, value)));
        if self.is_unreported() {
            // The other lines have only bounds. The next iteration begins with the best move.
            let best = self.lines.first().map(|line| line.mv);
            self.lines.clone_from(&self.complete);
            if let Some(place) = self.lines.iter().position(|line| Some(line.mv) == best) {
                self.lines[..=place].rotate_right(1);
            }
        } else {
            self.complete.clone_from(&self.lines);
        }
        self.iteration += 1;
        self.cursor = 0;
        self.window = None;
        self.floor = self.first_floor();
    }
}

/// Returns the moves of `board` to the squares `only`, one for each set of symmetric moves. A pass counts as a move. Empty if the
/// game is over.
fn root_lines(board: Board, only: Option<Bitboard>) -> Vec<RootLine> {
    let new = |mv, child| RootLine {
        mv,
        child,
        value: Centidiscs(0),
        bound: Bound::Exact,
        depth: 0,
        confidence: Confidence::LOWEST,
        moves: Vec::new(),
        twins: Vec::new(),
    };
    let moves = board.moves();
    if moves.is_empty() {
        let passed = board.after_pass();
        return if passed.moves().is_empty() { Vec::new() } else { vec![new(Move::Pass, passed)] };
    }
    let mut lines: Vec<RootLine> = Vec::new();
    let mut seen: HashMap<Board, (usize, Symmetry)> = HashMap::new();
    for square in moves & only.unwrap_or(moves) {
        let child = board.after_move(square, board.flips(square));
        let (canonical, symmetry) = child.canonical();
        match seen.get(&canonical) {
            Some(&(place, first)) => lines[place].twins.push((Move::Place(square), first, symmetry)),
            None => {
                seen.insert(canonical, (lines.len(), symmetry));
                lines.push(new(Move::Place(square), child));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::board::Status;
    use crate::eval::Network;
    use crate::eval::network::SMALL;
    use crate::kernel::Portable;
    use crate::notation::squares;
    use crate::search::table::{HashSize, Table, ThreadTables};
    use crate::search::threads::Pool;
    use crate::search::worker::Shared;
    use crate::search::{KeepLastReport, Limits, SearchId};

    #[test]
    fn line_cut_by_a_halt_is_completed() {
        let text = "-O-XXXX-XOOXXXXXXOOOOXXXXOXOXXOXXOOXXO-XXOXXOO--XOOOO---XOOOO---X";
        let position = squares::read(text).unwrap();
        let shared = Arc::new(Shared {
            table: Table::new(HashSize(1)),
            evaluator: Network::<SMALL>::zero().into(),
            pool: Arc::new(Pool::default()),
        });
        let (mut tables, mut monitor) = (ThreadTables::new(), KeepLastReport::default());
        let mut worker = Worker::owner(&shared, &mut tables, &mut monitor, u64::MAX);
        let (id, goal, limits) = (SearchId(1), Goal::BestMove, Limits::NONE);
        let mut root = Root::new(SearchRequest { id, root: position, goal, limits });
        let end_of = |root: &Root| {
            root.lines[0].moves.iter().fold(position, |position, &mv| position.play(mv).unwrap()).status()
        };
        assert_eq!(root.run::<Portable>(&mut worker), RootEnd::Finished);
        assert_eq!(end_of(&root), Status::Over);
        // Without the table the variation must be searched, which ends at once.
        shared.table.clear();
        worker.halted = true;
        root.find_variation::<Portable>(&mut worker, root.lines[0].mv);
        assert_ne!(end_of(&root), Status::Over);
        worker.halted = false;
        assert_eq!(root.run::<Portable>(&mut worker), RootEnd::Finished);
        assert_eq!(end_of(&root), Status::Over);
    }
}
