//! The answers, as lines.

use std::time::Duration;

use super::grammar::push;
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

/// `info depth=21 score=-0.01 nodes=31261613 time=3.906 nps=8.0 proof=heuristic pv="f5 d6"`: the state of a search.
/// The score is in discs, the speed in millions of nodes per second. `proof` is our own: `heuristic`, `selective`
/// (to the end of the game with cuts on a guess), `outcome` (the winner is proven), `exact`, or `lower` and `upper`
/// (a search that was stopped has proven that the value is at least or at most this).
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

/// `info message="…"`: news that ends nothing.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Confidence, Score};
    use crate::search::{Depth, SearchId};

    #[test]
    fn in_the_form_of_the_document() {
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
        // Another move may be better as long as not all have been searched: it may win where this one does not.
        assert_eq!(proof(best.clone(), 21, false), "lower");
        assert_eq!(proof(of(Bound::Exact, Proof::Outcome, 200), 21, false), "outcome");
        assert_eq!(proof(of(Bound::Exact, Proof::Outcome, 0), 21, false), "lower");
        assert_eq!(proof(of(Bound::Exact, Proof::Outcome, 0), 21, true), "outcome");
        // The value of a round that was finished before.
        assert_eq!(proof(best.clone(), 23, false), "exact");
        assert_eq!(done(f5, Some(d6)), "done move=f5 ponder=d6");
        assert_eq!(done(Move::Pass, None), "done move=pass");
        assert_eq!(error("no good"), "error message=\"no good\"");
        assert_eq!(
            id(&SessionConfig { version: "9", ..SessionConfig::default() }),
            "id name=Outflank version=9 author=\"the Outflank authors\""
        );
    }
}
