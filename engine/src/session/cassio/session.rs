//! The session with Cassio.

use std::time::Duration;

use super::command::{self, Fields, SearchCommand, feed_hash};
use super::reply;
use crate::search::Report;
use crate::session::dialect::{Dialect, beginning};
use crate::session::state::{ActiveSearch, SearchTask, SessionState};
use crate::session::{BookError, Deadlines, Effect, SessionConfig, Timestamp};

/// Shortest time between two result lines of a search.
const RESULT_INTERVAL: Duration = Duration::from_millis(500);

/// A session has no game: every search names its position.
#[derive(Debug)]
pub(in crate::session) struct Cassio {
    last_result: Timestamp,
}

type State = SessionState<SearchCommand>;

impl Dialect for Cassio {
    type Purpose = SearchCommand;

    fn new(_config: &SessionConfig) -> Cassio {
        Cassio { last_result: Timestamp::default() }
    }

    fn line(&mut self, state: &mut State, line: &str) {
        if let Err(error) = self.command(state, line) {
            refuse(state, line, &error);
        }
    }

    fn error(problem: &str, detail: &str) -> String {
        reply::warning(&format!("{problem}: {detail}"))
    }

    fn notice(message: &str) -> String {
        reply::warning(message)
    }

    fn report(&mut self, state: &mut State, report: &Report) {
        let Some(search) = state.search() else { return };
        let limits = search.purpose.limits;
        // The search ends after its last iteration, and the result follows then.
        let last = report.depth.plies() >= limits.depth.plies().min(search.root.empties())
            && report.confidence >= limits.confidence;
        if report.complete && !last && state.now.since(self.last_result) >= RESULT_INTERVAL {
            self.send_report(state, report);
            self.last_result = state.now;
        }
    }

    fn send_report(&self, state: &mut State, report: &Report) {
        let result = |search: &ActiveSearch<_>| result(search, report, state.now);
        let line = state.search().map(result);
        state.send_all(line);
    }

    fn done(&mut self, state: &mut State, search: &ActiveSearch<SearchCommand>) {
        state.send(match &search.report {
            Some(report) => result(search, report, state.now),
            None => reply::warning("the search ended without a result"),
        });
        state.send(reply::READY);
    }

    fn failed(&mut self, state: &mut State, _search: &ActiveSearch<SearchCommand>) {
        state.send(reply::READY);
    }

    fn line_too_long(&mut self, state: &mut State, line: &str) {
        refuse(state, line, &format!("the line is too long: {}", beginning(line)));
    }

    /// Cassio plays from its own book. It asks for values, which a book would only hide.
    fn book_opened(&mut self, _state: &mut State, _opened: Result<(), &BookError>) {}
}

impl Cassio {
    /// Handles a line. Words are separated by any white space, since Cassio sends double spaces.
    fn command(&mut self, state: &mut State, line: &str) -> Result<(), String> {
        const FOREIGN: &str = "not a command of the Othello Engine Protocol";
        let mut words = line.split_whitespace();
        match words.next() {
            // Asks if a search is running.
            None => {
                send_ready_or_ok(state);
                return Ok(());
            }
            Some("ENGINE-PROTOCOL") => {}
            Some(_) => return Err(FOREIGN.to_owned()),
        }
        let verb = words.next().ok_or(FOREIGN)?;
        let fields = Fields { verb, words };
        match verb {
            "init" => send_ready_or_ok(state),
            "get-version" => {
                state.send(format!("version: {} {}", state.config.name, state.config.version));
                send_ready_or_ok(state);
            }
            "midgame-search" | "endgame-search" => self.search(state, command::search(fields)?),
            "get-search-infos" => state.send(match state.search() {
                Some(search) => reply::search_infos(search.nodes, search.elapsed(state.now)),
                None => reply::READY.to_owned(),
            }),
            "stop" | "new-position" => {
                state.abandon();
                state.send(reply::READY);
            }
            "empty-hash" => {
                // Emptying the table stops the search. Its answer is still owed, so it starts again.
                let search = state.abandon();
                state.push(Effect::Clear);
                if let Some(search) = search {
                    state.now = search.started;
                    self.search(state, search.purpose);
                }
            }
            "feed-hash" => state.push(Effect::AddBounds(feed_hash(fields)?)),
            "quit" => state.push(Effect::Quit),
            _ => return Err("unknown command".to_owned()),
        }
        Ok(())
    }

    fn search(&mut self, state: &mut State, command: SearchCommand) {
        self.last_result = state.now;
        let SearchCommand { root, goal, limits } = command;
        // Cassio chooses its moves by their values.
        let (deadlines, plays) = (Deadlines::default(), false);
        state.start(SearchTask { root, goal, limits, deadlines, purpose: command, plays });
    }
}

/// Reports an invalid line. A client that asked for a search waits for its end. While another search is running, `ready.`
/// would be taken for the end of that one.
fn refuse(state: &mut State, line: &str, error: &str) {
    state.send(reply::warning(error));
    let asks_for_search = matches!(line.split_whitespace().nth(1), Some("midgame-search" | "endgame-search"));
    if asks_for_search && !state.is_searching() {
        state.send(reply::READY);
    }
}

/// Sends `ok.` while a search is running, since `ready.` would end it.
fn send_ready_or_ok(state: &mut State) {
    state.send(if state.is_searching() { "ok." } else { reply::READY });
}

fn result(search: &ActiveSearch<SearchCommand>, report: &Report, now: Timestamp) -> String {
    reply::result(&search.root, report, search.nodes, search.elapsed(now))
}
