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
/// end of the game with ProbCut), `outcome` (the winner is proven), `exact`, or `lower` and `upper` for proven bounds.
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
