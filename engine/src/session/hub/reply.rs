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
    let SessionConfig { name, version, .. } = config;
    line("id", &[("name", name), ("version", version), ("author", &format_args!("the {name} authors"))])
}

/// `info depth=21 score=-0.01 nodes=31261613 time=3.906 nps=8.0 proof=heuristic pv="f5 d6"`: the state of a search. The
/// score is in discs, the speed in millions of nodes per second. `proof` is an extension: `heuristic`, `selective` (to the
/// end of the game with ProbCut), `outcome` (the winner is proven), `exact`, or `lower` and `upper` (the value is at least
/// or at most this).
pub(super) fn info(report: &Report, best: &Line, nodes: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let depth = if report.complete { report.depth } else { best.depth };
    let proof = match (best.proof, best.bound) {
        (Proof::Heuristic(_), _) => "heuristic",
        (Proof::Selective(_), _) => "selective",
        (Proof::Outcome, _) if best.proves_outcome() => "outcome",
        (_, Bound::Lower) => "lower",
        (_, Bound::Upper) => "upper",
        (_, Bound::Exact) => "exact",
    };
    let arguments: [Argument<'_>; 7] = [
        ("depth", &depth.plies()),
        ("score", &format_args!("{:.2}", best.score.discs())),
        ("nodes", &nodes),
        ("time", &format_args!("{seconds:.3}")),
        ("nps", &format_args!("{:.1}", nodes as f64 / seconds.max(0.001) / 1e6)),
        ("proof", &proof),
        ("pv", &moves(&best.moves)),
    ];
    line("info", &arguments)
}

/// `info score=0.50 proof=book pv="f5 d6"`: a move of the book.
pub(super) fn book(best: &BookMove) -> String {
    let score = format_args!("{:.2}", best.score.discs());
    line("info", &[("score", &score), ("proof", &"book"), ("pv", &moves(&best.line))])
}

fn moves(moves: &[Move]) -> String {
    let texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.join(" ")
}

/// `done move=f5 ponder=d6`.
pub(super) fn done(mv: Move, ponder: Option<Move>) -> String {
    match ponder {
        Some(ponder) => line("done", &[("move", &mv), ("ponder", &ponder)]),
        None => line("done", &[("move", &mv)]),
    }
}

/// `info message="…"`: a message that ends nothing.
pub(super) fn remark(message: &str) -> String {
    line("info", &[("message", &message)])
}

/// `error message="…"`.
pub(super) fn error(message: &str) -> String {
    line("error", &[("message", &message)])
}

pub(super) type Argument<'a> = (&'a str, &'a dyn fmt::Display);

/// Returns a command with arguments, quoted if necessary. A quotation mark cannot be expressed, and some clients cannot read
/// `=` inside quotes: they become an apostrophe and a colon.
pub(super) fn line(command: &str, arguments: &[Argument<'_>]) -> String {
    let mut line = command.to_owned();
    for (name, value) in arguments {
        let value = value.to_string().replace('"', "'").replace('=', ":");
        let quote = if value.is_empty() || value.contains(char::is_whitespace) { "\"" } else { "" };
        let _ = write!(line, " {name}={quote}{value}{quote}");
    }
    line
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
        let note: Argument<'_> = ("note", &r#"a="b""#);
        let line =
            line("id", &[("name", &"Outflank"), ("author", &"several people"), note, ("nothing", &"")]);
        assert_eq!(line, r#"id name=Outflank author="several people" note=a:'b' nothing="""#);
        let line = super::super::command::ParsedLine::parse(&line).unwrap().unwrap();
        assert_eq!(line.value("author"), Some("several people"));
    }
}
