//! What a dialect promises.

use outflank::session::{Effect, Event};

use super::world::Running;

/// What happened, as the rules of a dialect see it.
#[derive(Clone, Copy, Debug)]
pub(super) enum What<'a> {
    /// A line came in.
    Line(&'a str),
    /// The search that is waited for told something, or showed that it is alive.
    Told,
    /// The search that is waited for has ended, or broken down.
    Ended(&'a Running),
    /// Anything else.
    Other(&'a Event),
}

/// What is to be said to a session to see that it is usable, whatever came before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finale {
    /// What makes it give up what it is doing.
    pub(super) hush: &'static str,
    /// A question that is always answered at once.
    pub(super) question: &'static str,
    /// The answer.
    pub(super) answer: &'static str,
    /// What asks for a search of the start position.
    pub(super) ask: &'static [&'static str],
    /// How its answer begins.
    pub(super) found: &'static str,
}

/// What a dialect promises beyond what all do, and how its lines are known.
pub(super) trait Rules {
    /// Holds what the session did to what is promised. `running` is the search that is waited for now.
    fn check(&mut self, what: What<'_>, running: Option<&Running>, effects: &[Effect]);

    /// Whether a search that `line` stops is still waited for: its answer is wanted. The line is empty if the stop waited for
    /// the end of another search.
    fn wants_answer(&self, line: &str) -> bool;

    /// Whether a line that is said refuses one that came in: then nothing else may have changed.
    fn refuses(&self, said: &str) -> bool;

    /// How to see that it is usable; nothing where that depends on what was said.
    fn finale(&self) -> Option<Finale>;
}

/// Nothing beyond what all promise: a conversation that any line may turn to another dialect.
#[derive(Debug)]
pub(super) struct Free;

impl Rules for Free {
    fn check(&mut self, _: What<'_>, _: Option<&Running>, _: &[Effect]) {}

    fn wants_answer(&self, line: &str) -> bool {
        matches!(verb(line).0, "" | "stop" | "?")
    }

    fn refuses(&self, _: &str) -> bool {
        false
    }

    fn finale(&self) -> Option<Finale> {
        None
    }
}

/// The lines among the effects.
pub(super) fn said(effects: &[Effect]) -> impl Iterator<Item = &str> {
    effects.iter().filter_map(|effect| match effect {
        Effect::Send(line) => Some(line.as_str()),
        _ => None,
    })
}

/// How many lines begin like this.
pub(super) fn count(effects: &[Effect], beginning: &str) -> usize {
    said(effects).filter(|line| line.starts_with(beginning)).count()
}

/// How many searches are started.
pub(super) fn starts(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::Start(..))).count()
}

/// The first word of a line, and what follows it.
pub(super) fn verb(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (verb, rest.trim())
}
