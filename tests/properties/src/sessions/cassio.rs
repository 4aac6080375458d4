//! The invariants of Cassio's protocol.
//!
//! A search gets a result and one `ready.`, which no other reply may contain before. All other commands except `empty-hash`,
//! `feed-hash` and `quit` are answered at once. `stop` ends a search with one `ready.` and no result.

use outflank::board::Color;
use outflank::notation::{moves, squares};
use outflank::score::{Bound, Score};
use outflank::search::{Line, Report};
use outflank::session::{Effect, Event};

use super::invariants::{Cause, Finale, Invariants, Stopped, count, sent, starts};
use super::world::Running;

/// Cassio reads at most this many bytes of a line.
const MAX_LINE_BYTES: usize = 255;
/// Cassio takes these words as the end of the engine.
const DEADLY: [&str; 4] = ["Killed", "Segmentation fault", "Bus error", "Engine terminated"];

const STOP: &str = "ENGINE-PROTOCOL stop";

/// A search is current, or not.
#[derive(Debug, Default)]
pub(super) struct Cassio {
    is_searching: bool,
}

impl Invariants for Cassio {
    fn check(&mut self, cause: Cause<'_>, running: Option<&Running>, effects: &[Effect]) {
        for line in sent(effects) {
            assert!(line.len() <= MAX_LINE_BYTES, "{line}");
            assert!(DEADLY.iter().all(|words| !line.contains(words)), "{line}");
        }
        let was_searching = std::mem::replace(&mut self.is_searching, running.is_some());
        let (busy, idle) = (usize::from(was_searching), usize::from(!was_searching));
        let (ready, ok) = (count(effects, "ready."), count(effects, "ok."));
        match cause {
            Cause::Line(line) => {
                let words: Vec<&str> = line.split_whitespace().collect();
                match words.as_slice() {
                    [] | ["ENGINE-PROTOCOL", "init" | "get-version", ..] => {
                        assert_eq!((ready, ok), (idle, busy), "{line}")
                    }
                    ["ENGINE-PROTOCOL", "stop" | "new-position", ..] => {
                        assert_eq!((ready, running.is_some()), (1, false), "{line}");
                    }
                    // A search that is rejected gets its `ready.`, unless that would end the current search.
                    [_, "midgame-search" | "endgame-search", ..] if count(effects, "WARNING:") > 0 => {
                        assert_eq!((ready, starts(effects)), (idle, 0), "{line}");
                    }
                    ["ENGINE-PROTOCOL", "midgame-search" | "endgame-search", ..] => {
                        assert_eq!((ready, starts(effects)), (0, 1), "{line}");
                    }
                    ["ENGINE-PROTOCOL", "empty-hash", ..] => {
                        assert_eq!((ready, running.is_some()), (0, was_searching), "{line}");
                    }
                    ["ENGINE-PROTOCOL", "get-search-infos", ..] => {
                        assert_eq!((count(effects, "node "), ready), (busy, idle), "{line}");
                    }
                    ["ENGINE-PROTOCOL", "quit", ..] => assert_eq!(effects, [Effect::Quit]),
                    _ => assert_eq!((ready, starts(effects)), (0, 0), "{line}: {effects:?}"),
                }
            }
            Cause::Ended(_) => {
                assert_eq!((ready, sent(effects).last()), (1, Some("ready.")), "{effects:?}");
                assert_eq!(sent(effects).count(), 2, "a result or a warning, and the end: {effects:?}");
            }
            Cause::Other(Event::LineTooLong(_)) => assert!(ready <= idle, "{effects:?}"),
            Cause::Progress | Cause::Other(_) => assert_eq!((ready, starts(effects)), (0, 0), "{effects:?}"),
        }
    }

    fn stopped_by(&self, line: &str) -> Stopped {
        if line.contains("empty-hash") { Stopped::Restarted } else { Stopped::Abandoned }
    }

    fn rejects(&self, line: &str) -> bool {
        line.starts_with("WARNING:")
    }

    fn describes(&self, line: &str, report: &Report) -> Option<bool> {
        let (board, result) = line.split_once(", move ")?;
        // A finished game has no move, but a value.
        let Some(best) = report.best() else { return Some(result.starts_with("--, depth 0, ")) };
        let side = squares::read(board).ok()?.side();
        let letter = if side == Color::Black { 'B' } else { 'W' };
        let (lower, upper) = match best.bound {
            Bound::Exact => (best.score, best.score),
            Bound::Lower => (best.score, Score::MAX),
            Bound::Upper => (Score::MIN, best.score),
        };
        let value = format!(", @{}, {letter}{lower} <= v <= {letter}{upper}, ", best.proof.confidence());
        let first = best.first().map(moves::write_upper).unwrap_or_default();
        Some(
            result.starts_with(&format!("{first}, depth "))
                && result.contains(&value)
                && is_legal(best, board),
        )
    }

    fn finale(&self) -> Option<Finale> {
        let ask = &["ENGINE-PROTOCOL midgame-search \
                     ---------------------------OX------XO---------------------------X -64 64 8 100"];
        let hush = "ENGINE-PROTOCOL new-position";
        Some(Finale { hush, question: STOP, answer: "ready.", ask, found: "ready." })
    }
}

/// Returns `true` if a line starts with a legal move of `board`.
fn is_legal(line: &Line, board: &str) -> bool {
    squares::read(board).is_ok_and(|root| line.first().is_none_or(|mv| root.play(mv).is_ok()))
}
