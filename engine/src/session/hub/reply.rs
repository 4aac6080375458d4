//! The lines to a Hub GUI.

use std::fmt::{self, Write as _};
use std::time::Duration;

use crate::board::Move;
use crate::book::BookMove;
use crate::score::Bound;
use crate::search::{Line, Proof, Report};
use crate::session::SessionConfig;

/// `id name=Outflank version=0.1.0 author="…"`.
pub(super) fn id(config: &SessionConfig) -> String {
    let mut line = "id".to_owned();
    push(&mut line, "name", config.name);
    push(&mut line, "version", config.version);
    push(&mut line, "author", format!("the {} authors", config.name));
    line
}

/// `info depth=21 score=-0.01 nodes=31261613 time=3.906 nps=8.0 proof=heuristic pv="f5 d6"`: the state of a search. The
/// score is in discs, the speed in millions of nodes per second. `proof` is an extension: `heuristic`, `selective` (to the
/// end of the game with ProbCut), `outcome` (the winner is proven), `exact`, or `lower` and `upper` (the value is at least
/// or at most this).
pub(super) fn info(report: &Report, best: &Line, nodes: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let depth = if report.complete { report.depth } else { best.depth };
    let mut line = "info".to_owned();
    push(&mut line, "depth", depth.plies());
    push(&mut line, "score", format_args!("{:.2}", best.score.discs()));
    push(&mut line, "nodes", nodes);
    push(&mut line, "time", format_args!("{seconds:.3}"));
    push(&mut line, "nps", format_args!("{:.1}", nodes as f64 / seconds.max(0.001) / 1e6));
    let proof = match (best.proof, best.bound) {
        (Proof::Heuristic(_), _) => "heuristic",
        (Proof::Selective(_), _) => "selective",
        (Proof::Outcome, _) if best.proves_outcome() => "outcome",
        (_, Bound::Lower) => "lower",
        (_, Bound::Upper) => "upper",
        (_, Bound::Exact) => "exact",
    };
    push(&mut line, "proof", proof);
    push(&mut line, "pv", moves(&best.moves));
    line
}

/// `info score=0.50 proof=book pv="f5 d6"`: a move of the book.
pub(super) fn book(best: &BookMove) -> String {
    let mut line = "info".to_owned();
    push(&mut line, "score", format_args!("{:.2}", best.score.discs()));
    push(&mut line, "proof", "book");
    push(&mut line, "pv", moves(&best.line));
    line
}

fn moves(moves: &[Move]) -> String {
    let texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.join(" ")
}

/// `done move=f5 ponder=d6`.
pub(super) fn done(mv: Move, ponder: Option<Move>) -> String {
    let mut line = "done".to_owned();
    push(&mut line, "move", mv);
    if let Some(ponder) = ponder {
        push(&mut line, "ponder", ponder);
    }
    line
}

/// `info message="…"`: a message that ends nothing.
pub(super) fn remark(message: &str) -> String {
    let mut line = "info".to_owned();
    push(&mut line, "message", message);
    line
}

/// `error message="…"`.
pub(super) fn error(message: &str) -> String {
    let mut line = "error".to_owned();
    push(&mut line, "message", message);
    line
}

/// Appends ` name=value`, quoted if necessary. A quotation mark cannot be expressed, and some clients cannot read `=` inside
/// quotes: they become an apostrophe and a colon.
pub(super) fn push(line: &mut String, name: &str, value: impl fmt::Display) {
    let value = value.to_string().replace('"', "'").replace('=', ":");
    let quote = if value.is_empty() || value.contains(char::is_whitespace) { "\"" } else { "" };
    let _ = write!(line, " {name}={quote}{value}{quote}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Confidence, Score};
    use crate::search::{Depth, SearchId};

    #[test]
    fn proof_is_never_overstated() {
        let [f5, d6] = ["f5", "d6"].map(|text| Move::Place(text.parse().unwrap()));
        let best = Line {
            moves: vec![f5, Move::Pass, d6],
            score: Score::from_centidiscs(-1),
            bound: Bound::Exact,
            proof: Proof::Exact,
            depth: Depth::new(21),
        };
        let report = |line: Line, depth, complete| {
            Report::new(SearchId(1), (Depth::new(depth), Confidence::EXACT), vec![line], 1, complete)
        };
        assert_eq!(
            info(&report(best.clone(), 21, true), &best, 31_261_613, Duration::from_millis(3906)),
            "info depth=21 score=-0.01 nodes=31261613 time=3.906 nps=8.0 proof=exact pv=\"f5 pass d6\""
        );
        let proof = |line: Line, depth, complete| {
            let report = report(line, depth, complete);
            let line = info(&report, report.best().unwrap(), 1, Duration::ZERO);
            line.split("proof=").nth(1).unwrap().split(' ').next().unwrap().to_owned()
        };
        let of =
            |bound, proof, score| Line { bound, proof, score: Score::from_centidiscs(score), ..best.clone() };
        assert_eq!(proof(of(Bound::Lower, Proof::Exact, -1), 21, true), "lower");
        assert_eq!(proof(of(Bound::Upper, Proof::Exact, -1), 21, true), "upper");
        // Until all moves have been searched, another move may be better.
        assert_eq!(proof(best.clone(), 21, false), "lower");
        assert_eq!(proof(of(Bound::Exact, Proof::Outcome, 200), 21, false), "outcome");
        assert_eq!(proof(of(Bound::Exact, Proof::Outcome, 0), 21, false), "lower");
        assert_eq!(proof(of(Bound::Exact, Proof::Outcome, 0), 21, true), "outcome");
        // The value of an earlier, complete iteration.
        assert_eq!(proof(best.clone(), 23, false), "exact");
    }

    #[test]
    fn arguments_are_read_as_written() {
        let mut line = "id".to_owned();
        push(&mut line, "name", "Outflank");
        push(&mut line, "author", "several people");
        push(&mut line, "note", r#"a="b""#);
        push(&mut line, "nothing", "");
        assert_eq!(line, r#"id name=Outflank author="several people" note=a:'b' nothing="""#);
        let line = super::super::command::ParsedLine::parse(&line).unwrap().unwrap();
        assert_eq!(line.value("author"), Some("several people"));
    }
}
