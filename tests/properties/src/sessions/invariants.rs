//! What the checks of a conversation know of each protocol. A session asserts itself that it owes no answer when it is idle.

use outflank::board::{Color, Move};
use outflank::notation::{moves, squares};
use outflank::score::{Bound, Score};
use outflank::search::{Line, Proof, Report};
use outflank::session::{Effect, Protocol};

/// Returns `true` if the session waits for the end of a search that a line has stopped, and `false` if it ignores the remaining
/// events of the search. `protocol` is `None` if any line may change it.
pub(super) fn awaits_end(protocol: Option<Protocol>, line: &str) -> bool {
    match (protocol, line.split_whitespace().next().unwrap_or_default()) {
        (Some(Protocol::Hub | Protocol::Gtp), _) | (Some(Protocol::XBoard), "?") => true,
        (None, word) => matches!(word, "" | "stop" | "?" | "#"),
        _ => false,
    }
}

/// Returns `true` if the reply `line` rejects a line. A rejected line changes nothing.
pub(super) fn rejects(protocol: Protocol, line: &str) -> bool {
    let starts = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
    match protocol {
        Protocol::NBoard => starts(&["status Error"]),
        Protocol::Cassio => starts(&["WARNING:"]),
        // The valid limits of a `level` line are used, or else a default.
        Protocol::Hub => starts(&["error "]) && !line.contains("level: "),
        Protocol::XBoard => starts(&["Error ", "Illegal move", "tellusererror "]),
        Protocol::Gtp => starts(&["?"]),
    }
}

/// Writes a move as the clients of the protocol do.
pub(super) fn written(protocol: Option<Protocol>, mv: Move) -> String {
    match (protocol, mv) {
        (Some(Protocol::NBoard), mv) => moves::write_upper(mv),
        (Some(Protocol::XBoard), Move::Place(square)) => format!("D@{square}"),
        (Some(Protocol::XBoard), Move::Pass) => "@@@@".to_owned(),
        (_, mv) => mv.to_string(),
    }
}

/// Returns `true` if a line is as certain as the depth of a reply states.
fn proves(line: &Line, depth: &str) -> bool {
    match depth {
        "100%" => line.is_exact(),
        "100%W" => line.proves_outcome(),
        _ => true,
    }
}

/// Returns `true` if the reply `line` describes a report and states what `report` states, `false` if it states something else,
/// and `None` if it does not describe a report.
pub(super) fn describes(protocol: Protocol, line: &str, report: &Report) -> Option<bool> {
    let best = report.best();
    match protocol {
        Protocol::NBoard => {
            let mut fields = line.strip_prefix("search ")?.split(' ');
            let (pv, value, depth) = (fields.next()?, fields.next()?, fields.nth(1)?);
            let is_proven = report.lines.iter().all(|line| proves(line, depth));
            let agrees = |line: &Line| {
                let moves: String = line.moves.iter().copied().map(moves::write_upper).collect();
                // With contempt, a proven draw has the value of a win for each side.
                let is_draw = line.proves_outcome() && line.score == Score::ZERO && value.contains(',');
                moves == pv && (is_draw || value == format!("{:.2}", line.score.discs()))
            };
            Some(is_proven && report.lines.iter().any(agrees))
        }
        Protocol::Cassio => {
            let (board, result) = line.split_once(", move ")?;
            // A finished game has no move, but a value.
            let Some(best) = best else { return Some(result.starts_with("--, depth 0, ")) };
            let root = squares::read(board).ok()?;
            let letter = if root.side() == Color::Black { 'B' } else { 'W' };
            let (lower, upper) = match best.bound {
                Bound::Exact => (best.score, best.score),
                Bound::Lower => (best.score, Score::MAX),
                Bound::Upper => (Score::MIN, best.score),
            };
            let value = format!(", @{}, {letter}{lower} <= v <= {letter}{upper}, ", best.proof.confidence());
            let first = best.first().map(moves::write_upper).unwrap_or_default();
            let is_legal = best.first().is_none_or(|mv| root.play(mv).is_ok());
            Some(result.starts_with(&format!("{first}, depth ")) && result.contains(&value) && is_legal)
        }
        Protocol::Hub => {
            let (_, rest) = line.strip_prefix("info depth=")?.split_once(" score=")?;
            let best = best?;
            let proof = match best.proof {
                Proof::Heuristic(_) => "heuristic",
                Proof::Selective(_) => "selective",
                Proof::Outcome if best.proves_outcome() => "outcome",
                _ if best.bound == Bound::Lower => "lower",
                _ if best.bound == Bound::Upper => "upper",
                _ => "exact",
            };
            let moves: Vec<String> = best.moves.iter().map(ToString::to_string).collect();
            let quote = if moves.len() == 1 { "" } else { "\"" };
            let end = format!(" proof={proof} pv={quote}{}{quote}", moves.join(" "));
            Some(rest.starts_with(&format!("{:.2} ", best.score.discs())) && rest.ends_with(&end))
        }
        Protocol::Gtp => {
            let text = line.trim_start_matches(|c: char| c == '=' || c.is_ascii_digit()).trim_start();
            let mut fields = text.splitn(4, ' ');
            let (first, value, depth) = (fields.next()?, fields.next()?, fields.next()?);
            let is_value = value.starts_with(['+', '-']) && value.parse::<f64>().is_ok();
            let pv = fields.next().filter(|_| is_value)?;
            let agrees = |line: &Line| {
                let moves: Vec<String> = line.moves.iter().map(|mv| mv.to_string().to_uppercase()).collect();
                moves.first().is_some_and(|mv| mv == first)
                    && moves.join(" ") == pv
                    && value == format!("{:+.2}", line.score.discs())
                    && proves(line, depth)
            };
            Some(report.lines.iter().any(agrees))
        }
        Protocol::XBoard => {
            let mut fields = line.split(' ');
            let numbers: Vec<i64> = fields.by_ref().take(4).filter_map(|field| field.parse().ok()).collect();
            let [_, score, _, _] = numbers.as_slice() else { return None };
            let best = best.filter(|_| !line.ends_with("(book)"))?;
            let moves = fields.filter(|field| !field.starts_with('('));
            let expected = best.moves.iter().map(|&mv| written(Some(protocol), mv));
            Some(*score == i64::from(best.score.centidiscs()) && moves.eq(expected))
        }
    }
}

/// Returns the reply lines.
pub(super) fn sent(effects: &[Effect]) -> impl Iterator<Item = &str> {
    effects.iter().filter_map(|effect| match effect {
        Effect::Send(line) => Some(line.as_str()),
        _ => None,
    })
}
