//! The conversation with Cassio.

use std::time::Duration;

use super::command::{Asked, Command};
use super::reply;
use crate::search::SearchId;
use crate::session::conversation::beginning;
use crate::session::{Budget, Current, Effect, Event, Lifecycle, Now, Session, SessionConfig, Task};

/// A result that has got no better for this long is not worth an intermediate line.
const BETWEEN_RESULTS: Duration = Duration::from_millis(500);

/// A session with Cassio: idle, or searching what was asked last.
#[derive(Debug)]
pub struct CassioSession {
    config: SessionConfig,
    life: Lifecycle<Asked>,
    /// When the last result line of the current search was said.
    last_result: Now,
}

impl CassioSession {
    /// An idle session; search ids go on after `last`.
    pub fn new(config: SessionConfig, last: SearchId) -> CassioSession {
        CassioSession { config, life: Lifecycle::new(last), last_result: Now::default() }
    }

    fn line(&mut self, now: Now, line: &str, effects: &mut Vec<Effect>) {
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(error) => return self.refuse(line, &error.to_string(), effects),
        };
        match command {
            Command::Init => effects.push(self.ready_if_idle()),
            Command::GetVersion => {
                let SessionConfig { name, version, .. } = self.config;
                effects.extend([Effect::Say(format!("version: {name} {version}")), self.ready_if_idle()]);
            }
            Command::Search(asked) => self.search(now, asked, effects),
            Command::GetSearchInfos => effects.push(match self.life.current() {
                Some(current) => Effect::Say(reply::search_infos(current.nodes, current.elapsed(now))),
                None => ready(),
            }),
            Command::Blank => effects.push(self.ready_if_idle()),
            Command::Stop | Command::NewPosition => {
                self.life.abandon(effects);
                effects.push(ready());
            }
            Command::EmptyHash => {
                // Emptying the table stops the search; it is still owed, so it starts anew.
                let running = self.life.abandon(effects);
                effects.push(Effect::Clear);
                if let Some(running) = running {
                    self.search(running.started, running.purpose, effects);
                }
            }
            Command::FeedHash(seed) => effects.push(Effect::Seed(seed)),
            Command::Quit => effects.push(Effect::Quit),
        }
    }

    /// Tells what is wrong with a line. Whoever asked for a search waits for the end of it; but while another one is under
    /// way, this would be taken for its end.
    fn refuse(&self, line: &str, error: &str, effects: &mut Vec<Effect>) {
        effects.push(Effect::Say(reply::warning(error)));
        if Command::asks_for_search(line) && !self.life.is_searching() {
            effects.push(ready());
        }
    }

    fn search(&mut self, now: Now, asked: Asked, effects: &mut Vec<Effect>) {
        self.last_result = now;
        let Asked { root, goal, limits } = asked.clone();
        self.life.start(now, Task { root, goal, limits, budget: Budget::default(), purpose: asked }, effects);
    }

    /// `ready.` would end the search under way: then it is `ok.`.
    fn ready_if_idle(&self) -> Effect {
        if self.life.is_searching() { Effect::Say("ok.".to_owned()) } else { ready() }
    }

    fn intermediate(&mut self, now: Now, effects: &mut Vec<Effect>) {
        let Some(current) = self.life.current() else { return };
        let Some(report) = &current.report else { return };
        let limits = current.purpose.limits;
        // The last round is told when the search ends, which is now.
        let last = report.depth.plies() >= limits.depth.plies().min(current.root.empties())
            && report.confidence >= limits.confidence;
        if report.complete && !last && now.since(self.last_result) >= BETWEEN_RESULTS {
            effects.push(Effect::Say(reply::result(
                &current.root,
                report,
                current.nodes,
                current.elapsed(now),
            )));
            self.last_result = now;
        }
    }
}

impl Session for CassioSession {
    fn handle(&mut self, now: Now, event: &Event, effects: &mut Vec<Effect>) {
        let Ok(ended) = self.life.observe(now, event) else { return };
        match (event, ended) {
            (Event::Line(line), _) => self.line(now, line, effects),
            (Event::Eof, _) => effects.push(Effect::Quit),
            (Event::Report(_), _) => self.intermediate(now, effects),
            (Event::Hash(size), _) => {
                effects.push(Effect::Say(reply::warning(&self.config.smaller_hash(*size))));
            }
            (Event::Threads(threads), _) => {
                effects.push(Effect::Say(reply::warning(&self.config.fewer_threads(*threads))));
            }
            (Event::Done { .. }, Some(current)) => {
                effects.extend([Effect::Say(last_result(&current, now)), ready()]);
            }
            (Event::Failed { message, .. }, Some(_)) => {
                let message = format!("the search failed: {message}");
                effects.extend([Effect::Say(reply::warning(&message)), ready()]);
            }
            (Event::TooLong(line), _) => {
                self.refuse(line, &format!("the line is too long: {}", beginning(line)), effects);
            }
            // Cassio plays by its own book: it asks for values, which a book would only veil.
            (Event::Progress { .. } | Event::Book(_) | Event::Learnt(_), _) => {}
            (Event::Done { .. } | Event::Failed { .. }, _) => {}
        }
    }
}

fn ready() -> Effect {
    Effect::Say("ready.".to_owned())
}

fn last_result(current: &Current<Asked>, now: Now) -> String {
    match &current.report {
        Some(report) => reply::result(&current.root, report, current.nodes, current.elapsed(now)),
        None => reply::warning("the search ended without a result"),
    }
}
