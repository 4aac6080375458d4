//! Conversations in files.
//!
//! One action per line. The first character selects the action:
//!
//! | line | meaning |
//! | --- | --- |
//! | `# …` or empty | a comment |
//! | `> LINE` | the client sends LINE (`>` alone: an empty line) |
//! | `< PATTERN` | the engine answers with a line that matches |
//! | `<* PATTERN` | the engine may send any number of lines that match |
//! | `@ SECONDS` | wait |
//! | `* EVENT` | scripted only: an event of the search |
//! | `= EFFECT` | scripted only: an effect for the driver |
//!
//! A line of the engine that matches neither the next `<` nor one of the `<*` before it is an error. [`crate::pattern`]
//! describes the patterns, `tests/programs/scripted.rs` the events and effects.

use std::fmt::Display;
use std::time::Duration;

use crate::pattern::Pattern;

#[derive(Clone, Debug)]
pub struct Transcript {
    pub name: String,
    pub steps: Vec<Step>,
}

/// An action and its line.
#[derive(Clone, Debug)]
pub struct Step {
    /// Line of the file, from 1.
    pub line: usize,
    pub action: Action,
}

#[derive(Clone, Debug)]
pub enum Action {
    Send(String),
    Expect(Pattern),
    Allow(Pattern),
    Wait(Duration),
    SearchEvent(String),
    Effect(Pattern),
}

impl Transcript {
    /// Reads a file.
    pub fn parse(name: &str, text: &str) -> Result<Transcript, String> {
        let mut steps = Vec::new();
        for (number, text) in text.lines().enumerate() {
            let line = number + 1;
            let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
            let action = match kind {
                "" | "#" => continue,
                ">" => Action::Send(rest.to_owned()),
                "<" => Action::Expect(Pattern::new(rest)),
                "<*" => Action::Allow(Pattern::new(rest)),
                "*" => Action::SearchEvent(rest.to_owned()),
                "=" => Action::Effect(Pattern::new(rest)),
                "@" => match rest.trim().parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok()) {
                    Some(time) => Action::Wait(time),
                    None => return Err(mismatch(name, line, format!("`{rest}` is not a time"))),
                },
                _ => return Err(mismatch(name, line, format!("`{kind}` starts no action"))),
            };
            steps.push(Step { line, action });
        }
        Ok(Transcript { name: name.to_owned(), steps })
    }

    /// Returns the error of a conversation that does not match the transcript at `line`.
    pub fn mismatch(&self, line: usize, problem: impl Display) -> String {
        mismatch(&self.name, line, problem)
    }
}

fn mismatch(name: &str, line: usize, problem: impl Display) -> String {
    format!("{name}:{line}: {problem}")
}
