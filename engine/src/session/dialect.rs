//! A session in one protocol: what all protocols share, and the trait for what differs.

use std::fmt::Debug;

use super::state::{ActiveSearch, SessionState};
use super::{BookError, Effect, Event, OpenBook, Session, SessionConfig, Timestamp};
use crate::board::Position;
use crate::search::{HashSize, Report, SearchId};

pub(super) type Test = fn(&[&str]) -> bool;

/// The name of a protocol, the lines that select it, and its session.
#[derive(Debug)]
pub(super) struct ProtocolSpec {
    /// The name on the command line.
    pub(super) name: &'static str,
    /// Returns `true` if a line can be the first one. No other protocol has such a first line.
    pub(super) begins: Test,
    /// Returns `true` if a line can only open this protocol, whatever the current one is.
    pub(super) opens: Test,
    /// Returns a session whose search ids follow the given one.
    pub(super) session: fn(SessionConfig, SearchId) -> Box<dyn Session>,
}

/// A protocol, with the settings and the game that its GUI has sent.
pub(super) trait Dialect: Debug + Sized {
    type Purpose: Debug;

    fn new(config: &SessionConfig) -> Self;

    fn line(&mut self, state: &mut SessionState<Self::Purpose>, line: &str);

    /// Returns the line that reports a problem.
    fn error(problem: &str, detail: &str) -> String;

    /// Returns the line with a message for the user that is not an answer.
    fn notice(message: &str) -> String;

    /// Sends a complete report.
    fn send_report(&self, state: &mut SessionState<Self::Purpose>, report: &Report);

    /// Handles the end of a search, which is no longer current.
    fn done(&mut self, state: &mut SessionState<Self::Purpose>, search: &ActiveSearch<Self::Purpose>);

    /// Handles the failure of a search, after its message. The GUI still waits for the answer.
    fn failed(&mut self, state: &mut SessionState<Self::Purpose>, search: &ActiveSearch<Self::Purpose>) {
        self.done(state, search);
    }

    fn report(&mut self, state: &mut SessionState<Self::Purpose>, report: &Report) {
        if let Some(report) = state.reports.accept(state.now, report) {
            self.send_report(state, &report);
        }
    }

    /// Handles a progress event: a report that was held back is sent.
    fn progress(&mut self, state: &mut SessionState<Self::Purpose>) {
        if let Some(report) = state.reports.release(state.now) {
            self.send_report(state, &report);
        }
    }

    fn line_too_long(&mut self, state: &mut SessionState<Self::Purpose>, line: &str) {
        state.send(Self::error("the line is too long", &beginning(line)));
    }

    /// Handles the end of the input.
    fn input_ended(&mut self, state: &mut SessionState<Self::Purpose>) {
        state.push(Effect::Quit);
    }

    /// Handles a table or a number of threads that is smaller than requested. `state.config` still has the requested ones.
    fn reduced(&mut self, _state: &SessionState<Self::Purpose>, _hash: HashSize, _threads: usize) {}

    /// Handles the end of [`Effect::OpenBook`]. If the book could be opened, `state.config` already has it.
    fn book_opened(&mut self, state: &mut SessionState<Self::Purpose>, opened: Result<(), &BookError>) {
        if let Err(error) = opened {
            state.send(Self::error("book", &error.0));
        }
    }

    /// Handles the end of [`Effect::Learn`].
    fn book_saved(&mut self, _state: &mut SessionState<Self::Purpose>, _saved: &Result<OpenBook, BookError>) {
    }

    /// Returns the position on the board. `None` if the protocol has no game.
    fn position(&self) -> Option<Position> {
        None
    }

    /// Returns `true` if a request is unanswered although the session is [idle](SessionState::is_idle).
    fn owes_answer(&self) -> bool {
        false
    }
}

#[derive(Debug)]
pub(super) struct DialectSession<D: Dialect> {
    state: SessionState<D::Purpose>,
    dialect: D,
}

impl<D: Dialect + 'static> DialectSession<D> {
    /// Returns a session without a search. `last` is the id of the last search that the driver has seen.
    pub(super) fn boxed(config: SessionConfig, last: SearchId) -> Box<dyn Session> {
        let dialect = D::new(&config);
        Box::new(DialectSession { state: SessionState::new(config, last), dialect })
    }
}

impl<D: Dialect> DialectSession<D> {
    /// Handles an event. `ended` is the search that it has ended.
    fn dispatch(&mut self, event: &Event, ended: Option<&ActiveSearch<D::Purpose>>) {
        let DialectSession { state, dialect } = self;
        match event {
            Event::Line(line) => dialect.line(state, line),
            Event::LineTooLong(line) => dialect.line_too_long(state, line),
            Event::Eof => dialect.input_ended(state),
            Event::Report(report) => dialect.report(state, report),
            Event::Progress { .. } => dialect.progress(state),
            Event::Done { .. } => ended.into_iter().for_each(|search| dialect.done(state, search)),
            Event::Failed { message, .. } => {
                state.send(D::error("the search failed", message));
                ended.into_iter().for_each(|search| dialect.failed(state, search));
            }
            Event::HashReduced(size) => {
                dialect.reduced(state, *size, state.config.threads);
                state.config.hash = *size;
                state.send(D::notice(&format!(
                    "not enough memory for the requested hash table; using {} MiB",
                    size.0
                )));
            }
            Event::ThreadsReduced(threads) => {
                dialect.reduced(state, state.config.hash, *threads);
                state.config.threads = *threads;
                let plural = if *threads == 1 { "" } else { "s" };
                state.send(D::notice(&format!("could start only {threads} search thread{plural}")));
            }
            Event::Book(opened) => {
                let opened = opened.as_ref().map(|book| state.config.book = Some(book.clone()));
                dialect.book_opened(state, opened);
            }
            Event::BookSaved(saved) => dialect.book_saved(state, saved),
        }
    }
}

impl<D: Dialect> Session for DialectSession<D> {
    fn handle(&mut self, now: Timestamp, event: &Event, effects: &mut Vec<Effect>) {
        self.state.now = now;
        if let Ok(ended) = self.state.observe(event) {
            self.dispatch(event, ended.as_ref());
        }
        debug_assert!(!(self.state.is_idle() && self.dialect.owes_answer()), "no answer to {event:?}");
        effects.append(&mut self.state.effects);
        // The time is not part of the state: a stale event and an invalid line leave the state unchanged.
        self.state.now = Timestamp::default();
    }

    fn position(&self) -> Option<Position> {
        self.dialect.position()
    }
}

/// Returns the start of a line, enough to identify it.
pub(super) fn beginning(line: &str) -> String {
    line.trim().chars().take(60).collect()
}
