//! Common interface of engines, and the player of transcripts.

use std::time::Duration;

use crate::pattern::Pattern;
use crate::transcript::{Action, Transcript};

/// An engine that exchanges lines.
pub trait Engine {
    /// Sends a line.
    fn send(&mut self, line: &str);

    /// Returns the next line, `None` if no line will arrive until another one is sent.
    fn next_line(&mut self) -> Option<String>;

    /// Lets time pass.
    fn wait(&mut self, time: Duration);

    /// Closes the input and waits for the end. Returns the lines until then, `None` if the engine does not end.
    fn close(&mut self) -> Option<Vec<String>>;
}

/// Plays `transcript` to `engine`. At the end the input is closed, and the engine must end.
pub fn play(transcript: &Transcript, engine: &mut impl Engine) -> Result<(), String> {
    let mut allowed: Vec<&Pattern> = Vec::new();
    let mut last = 0;
    for step in &transcript.steps {
        last = step.line;
        let problem = |text: String| Err(transcript.mismatch(step.line, text));
        match &step.action {
            // Lines that were allowed before may still arrive until the next answer.
            Action::Send(line) => engine.send(line),
            Action::Allow(pattern) => allowed.push(pattern),
            Action::Expect(pattern) => loop {
                match engine.next_line() {
                    Some(line) if pattern.matches(&line) => {
                        allowed.clear();
                        break;
                    }
                    Some(line) if allowed.iter().any(|allowed| allowed.matches(&line)) => {}
                    Some(line) => return problem(format!("expected `{}`, got `{line}`", pattern.text)),
                    None => return problem(format!("expected `{}`, got nothing", pattern.text)),
                }
            },
            Action::Wait(time) => engine.wait(*time),
            Action::SearchEvent(_) | Action::Effect(_) => {
                return problem("only scripted transcripts contain events and effects".to_owned());
            }
        }
    }
    match engine.close() {
        Some(lines) => match lines.iter().find(|line| !allowed.iter().any(|allowed| allowed.matches(line))) {
            Some(line) => Err(transcript.mismatch(last, format!("at the end: unexpected `{line}`"))),
            None => Ok(()),
        },
        None => Err(transcript.mismatch(last, "the engine does not end with its input")),
    }
}
