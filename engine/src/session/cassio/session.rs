//! The conversation with Cassio.

use std::time::Duration;

use super::command::{Command, SearchCommand};
use super::reply;
use crate::search::SearchId;
use crate::session::conversation::beginning;
use crate::session::{
    ActiveSearch, Deadlines, Effect, Event, SearchTask, SearchTracker, Session, SessionConfig, Timestamp,
};

/// A result that has got no better for this long is not worth an intermediate line.
const RESULT_INTERVAL: Duration = Duration::from_millis(500);

/// A session with Cassio: idle, or searching what was asked last.
#[derive(Debug)]
pub struct CassioSession {
    config: SessionConfig,
    life: SearchTracker<SearchCommand>,
    /// When the last result line of the current search was said.
    last_result: Timestamp,
}

impl CassioSession {
    /// An idle session; search ids go on after `last`.
    pub fn new(config: SessionConfig, last: SearchId) -> CassioSession {
        CassioSession { config, life: SearchTracker::new(last), last_result: Timestamp::default() }
    }

    fn line(&mut self, now: Timestamp, line: &str, effects: &mut Vec<Effect>) {
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(error) => return self.refuse(line, &error.to_string(), effects),
        };
        match command {
            Command::Init => effects.push(self.ready_if_idle()),
            Command::GetVersion => {
                let SessionConfig { name, version, .. } = self.config;
                effects.extend([Effect::Send(format!("version: {name} {version}")), self.ready_if_idle()]);
            }
            Command::Search(asked) => self.search(now, asked, effects),
            Command::GetSearchInfos => effects.push(match self.life.current() {
                Some(current) => Effect::Send(reply::search_infos(current.nodes, current.elapsed(now))),
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
            Command::FeedHash(bounds) => effects.push(Effect::AddBounds(bounds)),
            Command::Quit => effects.push(Effect::Quit),
        }
    }

    /// Tells what is wrong with a line. Whoever asked for a search waits for the end of it; but while another one is under
    /// way, this would be taken for its end.
    fn refuse(&self, line: &str, error: &str, effects: &mut Vec<Effect>) {
        effects.push(Effect::Send(reply::warning(error)));
        if Command::asks_for_search(line) && !self.life.is_searching() {
            effects.push(ready());
        }
    }

    fn search(&mut self, now: Timestamp, asked: SearchCommand, effects: &mut Vec<Effect>) {
        self.last_result = now;
        let SearchCommand { root, goal, limits } = asked.clone();
        self.life.start(
            now,
            SearchTask { root, goal, limits, deadlines: Deadlines::default(), purpose: asked },
            effects,
        );
    }

    /// `ready.` would end the search under way: then it is `ok.`.
    fn ready_if_idle(&self) -> Effect {
        if self.life.is_searching() { Effect::Send("ok.".to_owned()) } else { ready() }
    }

    fn intermediate(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let Some(current) = self.life.current() else { return };
        let Some(report) = &current.report else { return };
        let limits = current.purpose.limits;
        // The last round is told when the search ends, which is now.
        let last = report.depth.plies() >= limits.depth.plies().min(current.root.empties())
            && report.confidence >= limits.confidence;
        if report.complete && !last && now.since(self.last_result) >= RESULT_INTERVAL {
            effects.push(Effect::Send(reply::result(
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
    fn handle(&mut self, now: Timestamp, event: &Event, effects: &mut Vec<Effect>) {
        let Ok(ended) = self.life.observe(now, event) else { return };
        match (event, ended) {
            (Event::Line(line), _) => self.line(now, line, effects),
            (Event::Eof, _) => effects.push(Effect::Quit),
            (Event::Report(_), _) => self.intermediate(now, effects),
            (Event::HashReduced(size), _) => {
                effects.push(Effect::Send(reply::warning(&self.config.smaller_hash(*size))));
            }
            (Event::ThreadsReduced(threads), _) => {
                effects.push(Effect::Send(reply::warning(&self.config.fewer_threads(*threads))));
            }
            (Event::Done { .. }, Some(current)) => {
                effects.extend([Effect::Send(last_result(&current, now)), ready()]);
            }
            (Event::Failed { message, .. }, Some(_)) => {
                let message = format!("the search failed: {message}");
                effects.extend([Effect::Send(reply::warning(&message)), ready()]);
            }
            (Event::LineTooLong(line), _) => {
                self.refuse(line, &format!("the line is too long: {}", beginning(line)), effects);
            }
            // Cassio plays by its own book: it asks for values, which a book would only veil.
            (Event::Progress { .. } | Event::Book(_) | Event::BookSaved(_), _) => {}
            (Event::Done { .. } | Event::Failed { .. }, _) => {}
        }
    }
}

fn ready() -> Effect {
    Effect::Send("ready.".to_owned())
}

fn last_result(current: &ActiveSearch<SearchCommand>, now: Timestamp) -> String {
    match &current.report {
        Some(report) => reply::result(&current.root, report, current.nodes, current.elapsed(now)),
        None => reply::warning("the search ended without a result"),
    }
}
