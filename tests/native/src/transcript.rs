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

use std::error::Error;
use std::path::Path;
use std::time::Duration;
use std::{fs, thread};

use crate::pattern::Pattern;
use crate::spawned::Spawned;

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
    /// Reads the files of a folder in `tests/native/transcripts`.
    pub fn all(folder: &str) -> Result<Vec<Transcript>, Box<dyn Error>> {
        let mut transcripts = Vec::new();
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts").join(folder))? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            transcripts.push(Transcript::parse(&name, &fs::read_to_string(&path)?)?);
        }
        Ok(transcripts)
    }

    fn parse(name: &str, text: &str) -> Result<Transcript, String> {
        let mut steps = Vec::new();
        for (number, text) in text.lines().enumerate() {
            let line = number + 1;
            let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
            let action = match (kind, rest.parse()) {
                ("" | "#", _) => continue,
                (">", _) => Action::Send(rest.to_owned()),
                ("<", _) => Action::Expect(Pattern::new(rest)),
                ("<*", _) => Action::Allow(Pattern::new(rest)),
                ("*", _) => Action::SearchEvent(rest.to_owned()),
                ("=", _) => Action::Effect(Pattern::new(rest)),
                ("@", Ok(seconds)) => Action::Wait(Duration::from_secs_f64(seconds)),
                _ => return Err(format!("{name}:{line}: this is not an action")),
            };
            steps.push(Step { line, action });
        }
        Ok(Transcript { name: name.to_owned(), steps })
    }

    /// Plays the conversation to a program, which must end with its input.
    ///
    /// # Errors
    /// The first line that does not match.
    pub fn play(&self, engine: &mut Spawned) -> Result<(), String> {
        let mut allowed: Vec<&Pattern> = Vec::new();
        for step in &self.steps {
            let problem = |text: &str| Err(self.mismatch(step.line, text));
            match &step.action {
                // Lines that were allowed before may still arrive until the next answer.
                Action::Send(line) => engine.send(line),
                Action::Allow(pattern) => allowed.push(pattern),
                Action::Expect(pattern) => loop {
                    match engine.next_line() {
                        Some(line) if pattern.matches(&line) => break allowed.clear(),
                        Some(line) if allowed.iter().any(|allowed| allowed.matches(&line)) => {}
                        found => return problem(&format!("expected `{}`, got {found:?}", pattern.text)),
                    }
                },
                Action::Wait(time) => thread::sleep(*time),
                Action::SearchEvent(_) | Action::Effect(_) => {
                    return problem("only scripted transcripts contain events and effects");
                }
            }
        }
        let mut rest = engine.close().into_iter();
        match rest.find(|line| !allowed.iter().any(|allowed| allowed.matches(line))) {
            Some(line) => Err(format!("{}: at the end: unexpected `{line}`", self.name)),
            None => Ok(()),
        }
    }

    /// Returns the error of a conversation that does not match the transcript at `line`.
    pub fn mismatch(&self, line: usize, problem: &str) -> String {
        format!("{}:{line}: {problem}", self.name)
    }
}
