//! Something that can be talked to, and playing a transcript to it.

use std::time::Duration;

use crate::pattern::Pattern;
use crate::transcript::{Action, Mismatch, Transcript};

/// An engine at the other end of a line.
pub trait Engine {
    /// Sends it a line.
    fn send(&mut self, line: &str);

    /// Its next line; nothing when none will come unless something is sent.
    fn next_line(&mut self) -> Option<String>;

    /// Lets time pass.
    fn wait(&mut self, time: Duration);

    /// Closes its input and waits for its end; the lines it says meanwhile, or nothing if it does not end.
    fn close(&mut self) -> Option<Vec<String>>;
}

/// Plays `transcript` to `engine`; at the end its input is closed and it has to end.
pub fn play(transcript: &Transcript, engine: &mut impl Engine) -> Result<(), Mismatch> {
    let mut allowed: Vec<&Pattern> = Vec::new();
    let mut last = 0;
    for step in &transcript.steps {
        last = step.line;
        let problem = |text: String| Err(transcript.mismatch(step.line, text));
        match &step.action {
            // What was allowed before may still be on its way, until the next answer comes.
            Action::Send(line) => engine.send(line),
            Action::Allow(pattern) => allowed.push(pattern),
            Action::Expect(pattern) => loop {
                match engine.next_line() {
                    Some(line) if pattern.matches(&line) => {
                        allowed.clear();
                        break;
                    }
                    Some(line) if allowed.iter().any(|allowed| allowed.matches(&line)) => {}
                    Some(line) => return problem(format!("expected `{pattern}`, got `{line}`")),
                    None => return problem(format!("expected `{pattern}`, got nothing")),
                }
            },
            Action::Wait(time) => engine.wait(*time),
            Action::News(_) | Action::Effect(_) => {
                return problem("news and effects are for scripted transcripts".to_owned());
            }
        }
    }
    match engine.close() {
        Some(lines) => match lines.iter().find(|line| !allowed.iter().any(|allowed| allowed.matches(line))) {
            Some(line) => Err(transcript.mismatch(last, format!("at the end: unforeseen `{line}`"))),
            None => Ok(()),
        },
        None => Err(transcript.mismatch(last, "the engine does not end with its input")),
    }
}
