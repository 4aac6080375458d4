//! The lines to NBoard.

use std::time::Duration;

use crate::analysis::Certainty;
use crate::board::{Color, Move};
use crate::book::{BookMove, Contempt};
use crate::notation::moves;
use crate::score::Score;
use crate::search::{Depth, Line, Report};

/// `search F5D6C3 1.23 0 12`: one line of a hint.
///
/// The depth is the same text for all lines of an iteration: NBoard removes lines of another depth.
pub(super) fn search(line: &Line, depth: &str, contempt: Contempt) -> String {
    let eval = evaluation(line.score, line.proves_outcome() && line.score == Score::ZERO, contempt);
    format!("search {} {eval} 0 {depth}", squares(&line.moves))
}

/// `book F5D6C3 1.23 12 9@book`: a move of the book, the number of its lines that contain the move, and the remaining plies
/// of the book. `100%` if the value is proven.
pub(super) fn book(known: &BookMove, contempt: Contempt) -> String {
    let eval = evaluation(known.score, known.draw, contempt);
    format!("book {} {eval} {} {}", squares(&known.line), known.games, Certainty::of_book(known))
}

fn squares(line: &[Move]) -> String {
    line.iter().copied().map(moves::write_upper).collect()
}

/// Returns the depth of an iteration as NBoard shows it: `12`, `20@73%`, `24@98%` to the end of the game with ProbCut,
/// `100%W` if the winner is proven, `100%` if the score is proven. It states the least certain of `lines`.
pub(super) fn depth<'a>(lines: impl Iterator<Item = &'a Line>, depth: Depth) -> String {
    let least = lines
        .map(|line| Certainty::of(&Line { depth, moves: Vec::new(), ..*line }))
        .min_by_key(|least| least.level());
    least.unwrap_or_else(|| Certainty::at_depth(depth.plies(), 100)).to_string()
}

/// `=== F5/1.23/0.45`, or `=== F5` without an evaluation.
pub(super) fn the_move(mv: Move, eval: Option<Score>, elapsed: Duration) -> String {
    let mv = moves::write_upper(mv);
    match eval {
        Some(eval) => format!("=== {mv}/{}/{:.2}", discs(eval), elapsed.as_secs_f64()),
        None => format!("=== {mv}"),
    }
}

/// `nodestats 35805 0.250`.
pub(super) fn nodestats(nodes: u64, elapsed: Duration) -> String {
    format!("nodestats {nodes} {:.3}", elapsed.as_secs_f64())
}

/// `analysis 12 -2.00`: the value for Black after this many moves.
pub(super) fn analysis(ply: usize, for_black: Score) -> String {
    format!("analysis {ply} {}", discs(for_black))
}

/// `status …`.
pub(super) fn status(text: &str) -> String {
    format!("status {text}")
}

/// `status Error: …`.
pub(super) fn error(text: &str) -> String {
    format!("status Error: {text}")
}

/// Returns a status line about a running iteration: its depth, its finished moves and the best move.
pub(super) fn progress(report: &Report) -> Option<String> {
    let best = report.best()?;
    let done = || report.lines.iter().filter(|line| line.depth == report.depth);
    let first = moves::write_upper(best.first()?);
    let depth = depth(done(), report.depth);
    let (finished, all) = (done().count(), report.lines.len());
    Some(status(&format!("depth {depth}: {finished} of {all} moves, best {first} {}", best.score)))
}

/// Returns the value for the mover. A draw with contempt is a pair of values: if draws count for the mover, and if they
/// count for the opponent. NBoard expects the larger one first.
fn evaluation(score: Score, draw: bool, contempt: Contempt) -> String {
    if draw && contempt != Contempt::default() {
        let draw = contempt.for_side(Color::Black).unsigned_abs() / 100;
        return format!("{draw}.00,-{draw}.00");
    }
    discs(score)
}

/// Returns a score in discs with two decimals: `2.57`, `-0.40`.
fn discs(score: Score) -> String {
    format!("{:.2}", score.discs())
}
