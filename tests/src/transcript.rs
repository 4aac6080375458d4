//! Conversations written down.
//!
//! One thing a line; the first character tells what:
//!
//! | line | meaning |
//! | --- | --- |
//! | `# …` or empty | a remark |
//! | `> LINE` | the client sends LINE (`>` alone: an empty line) |
//! | `< PATTERN` | the engine answers with a line that fits |
//! | `<* PATTERN` | here it may say any number of lines that fit, or none |
//! | `@ SECONDS` | time passes |
//! | `* NEWS` | scripted only: what the search tells |
//! | `= EFFECT` | scripted only: what the session wants of its driver |
//!
//! Everything the engine says has to be foreseen: a line that fits neither the next `<` nor one of the `<*` before
//! it fails. See [`crate::pattern`] for the patterns and [`crate::scripted`] for news and effects.

use std::fmt;
use std::time::Duration;

use crate::pattern::Pattern;

/// A conversation.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The file's name.
    pub name: String,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// Something that happens.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line of the file, from 1.
    pub line: usize,
    /// What.
    pub action: Action,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum Action {
    /// The client sends a line.
    Send(String),
    /// The engine says a line.
    Expect(Pattern),
    /// The engine may say such lines.
    Allow(Pattern),
    /// Time passes.
    Wait(Duration),
    /// The search tells something.
    News(String),
    /// The session wants something of its driver.
    Effect(Pattern),
}

/// A transcript or a conversation that is not as it should be.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The file's name.
    pub name: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

impl Transcript {
    /// Reads a file.
    pub fn parse(name: &str, text: &str) -> Result<Transcript, Mismatch> {
        let mut steps = Vec::new();
        for (number, text) in text.lines().enumerate() {
            let line = number + 1;
            let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
            let action = match kind {
                "" | "#" => continue,
                ">" => Action::Send(rest.to_owned()),
                "<" => Action::Expect(Pattern::new(rest)),
                "<*" => Action::Allow(Pattern::new(rest)),
                "*" => Action::News(rest.to_owned()),
                "=" => Action::Effect(Pattern::new(rest)),
                "@" => match rest.trim().parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok()) {
                    Some(time) => Action::Wait(time),
                    None => return Err(Mismatch::new(name, line, format!("`{rest}` is no time"))),
                },
                _ => return Err(Mismatch::new(name, line, format!("`{kind}` begins no line"))),
            };
            steps.push(Step { line, action });
        }
        Ok(Transcript { name: name.to_owned(), steps })
    }

    /// Number of lines the client sends.
    pub fn exchanges(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step.action, Action::Send(_))).count()
    }

    /// Something wrong at `line`.
    pub fn mismatch(&self, line: usize, problem: impl Into<String>) -> Mismatch {
        Mismatch::new(&self.name, line, problem.into())
    }
}

impl Mismatch {
    fn new(name: &str, line: usize, problem: String) -> Mismatch {
        Mismatch { name: name.to_owned(), line, problem }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.name, self.line, self.problem)
    }
}

impl std::error::Error for Mismatch {}
