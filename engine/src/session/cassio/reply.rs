//! The lines to Cassio.

use std::fmt::Write;
use std::time::Duration;

use crate::board::{Color, Move, Position};
use crate::notation::{moves, squares};
use crate::score::{Bound, Score};
use crate::search::Report;

/// Cassio reads at most this many characters of a line.
const MAX_LINE_BYTES: usize = 255;

/// The end of a search, and the answer of an idle engine.
pub(super) const READY: &str = "ready.";

/// Returns the result of a search:
///
/// ```text
/// --O…X-O, move H8, depth 23, @100%, W-12.00 <= v <= W+64.00, H8B3H1…, node 342732, time 0.027
/// ```
///
/// The letter before a value is the side to move, whose value it is. A bound is written with the largest or smallest score
/// at its open end, so that the line claims no more than was proven. The line of moves is cut if the result would be too
/// long. Passes are omitted from it, as Cassio does.
pub(super) fn result(root: &Position, report: &Report, nodes: u64, elapsed: Duration) -> String {
    let side = match root.side() {
        Color::Black => 'B',
        Color::White => 'W',
    };
    let mut text = squares::write_with(root, ['X', 'O', '-']);
    text.push(root.side().letter());
    let tail = format!(", {}", search_infos(nodes, elapsed));
    let Some(best) = report.best() else {
        let value = Score::from_centidiscs(100 * root.board().final_score());
        let _ = write!(text, ", move --, depth 0, @100%, {side}{value} <= v <= {side}{value}, --{tail}");
        return text;
    };
    let first = best.first().map_or_else(|| "--".to_owned(), moves::write_upper);
    let depth = if report.complete { report.depth } else { best.depth };
    let (lower, upper) = bounds(best.score, best.bound);
    let _ = write!(
        text,
        ", move {first}, depth {}, @{}, {side}{lower} <= v <= {side}{upper}, ",
        depth.plies(),
        best.proof.confidence()
    );
    let mut room = MAX_LINE_BYTES.saturating_sub(text.len() + tail.len());
    let played: Vec<Move> = best.moves.iter().copied().filter(|mv| mv.square().is_some()).collect();
    if played.is_empty() {
        text.push_str(&first);
    }
    for mv in played {
        if room < 2 {
            break;
        }
        text.push_str(&moves::write_upper(mv));
        room -= 2;
    }
    text.push_str(&tail);
    text
}

/// `node 62034009, time 4.953`.
pub(super) fn search_infos(nodes: u64, elapsed: Duration) -> String {
    format!("node {nodes}, time {:.3}", elapsed.as_secs_f64())
}

/// A line that Cassio shows to its user. A message with words that Cassio takes for a crash of the engine is not sent.
pub(super) fn warning(message: &str) -> String {
    const DEADLY: [&str; 4] = ["Killed", "Segmentation fault", "Bus error", "Engine terminated"];
    let message = if DEADLY.iter().any(|words| message.contains(words)) { "bad command" } else { message };
    let mut line = format!("WARNING: {message}");
    if line.len() > MAX_LINE_BYTES {
        line = line.chars().take(MAX_LINE_BYTES).collect();
    }
    line
}

fn bounds(score: Score, bound: Bound) -> (Score, Score) {
    match bound {
        Bound::Lower => (score, Score::MAX),
        Bound::Upper => (Score::MIN, score),
        Bound::Exact => (score, score),
    }
}
