//! The invariants of one protocol.

use outflank::board::{Move, Position};
use outflank::search::Report;
use outflank::session::{Effect, Event};

use super::world::Running;

/// The cause of some effects.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cause<'a> {
    Line(&'a str),
    /// A report or a progress event of the current search.
    Progress,
    /// The end of the current search, or its failure.
    Ended(&'a Running),
    Other(&'a Event),
}

/// The state of a search after [`Effect::Stop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// The session ignores its remaining events.
    Abandoned,
    /// The session starts it again at once, for the same purpose.
    Restarted,
    /// The session waits for its end.
    Awaited,
}

/// Lines that show that a session still works.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finale {
    /// Abandons the current search.
    pub(super) hush: &'static str,
    /// Is always answered at once.
    pub(super) question: &'static str,
    pub(super) answer: &'static str,
    /// Ask for a search of the start position.
    pub(super) ask: &'static [&'static str],
    /// The start of its answer.
    pub(super) found: &'static str,
}

/// The invariants of one protocol. A check panics if an invariant does not hold.
pub(super) trait Invariants {
    /// Checks the effects of one event. `running` is the current search after them.
    fn check(&mut self, _cause: Cause<'_>, _running: Option<&Running>, _effects: &[Effect]) {}

    /// Checks that every request is answered. No search is current and no book is being opened.
    fn check_at_rest(&self) {}

    /// Returns the state of the current search after `line` has stopped it. `line` is empty if another event stopped it.
    fn stopped_by(&self, line: &str) -> Stopped;

    /// Returns `true` if the reply `line` rejects a line. A rejected line changes nothing.
    fn rejects(&self, _line: &str) -> bool {
        false
    }

    /// Returns `true` if the reply `line` describes a report and agrees with `report`, `false` if it disagrees, and `None` if
    /// it does not describe a report.
    fn describes(&self, _line: &str, _report: &Report) -> Option<bool> {
        None
    }

    /// Returns `true` if a reply must describe `report` before `search` has ended.
    fn must_describe(&self, _search: &Running, _report: &Report) -> bool {
        false
    }

    /// Returns the position of the game.
    fn position(&self) -> Position {
        Position::START
    }

    /// Returns the reply that the engine expects in the position of the game.
    fn expected(&self) -> Option<Move> {
        None
    }

    /// Writes a move as this protocol does.
    fn write(&self, mv: Move) -> String {
        mv.to_string()
    }

    /// Returns the lines that show that the session still works, or `None` if the protocol may change.
    fn finale(&self) -> Option<Finale> {
        None
    }
}

/// No invariants beyond those of all protocols: any line may change the protocol.
#[derive(Debug)]
pub(super) struct Free;

impl Invariants for Free {
    fn stopped_by(&self, line: &str) -> Stopped {
        if matches!(verb(line).0, "" | "stop" | "?") { Stopped::Awaited } else { Stopped::Abandoned }
    }
}

/// Returns the reply lines.
pub(super) fn sent(effects: &[Effect]) -> impl Iterator<Item = &str> {
    effects.iter().filter_map(|effect| match effect {
        Effect::Send(line) => Some(line.as_str()),
        _ => None,
    })
}

/// Returns the number of reply lines that start with `start`.
pub(super) fn count(effects: &[Effect], start: &str) -> usize {
    sent(effects).filter(|line| line.starts_with(start)).count()
}

/// Returns the number of searches that are started.
pub(super) fn starts(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::Start(..))).count()
}

/// Returns the first word of a line, and the rest.
pub(super) fn verb(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (verb, rest.trim())
}
