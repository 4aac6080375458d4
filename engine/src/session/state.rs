//! The state that the sessions of all dialects share: configuration, current search, pending effects.
//!
//! At most one search is current. Only [`SessionState::observe`] rejects events of older searches ([`StaleEvent`]).

use std::time::Duration;

use super::throttle::ReportThrottle;
use super::{Deadlines, Effect, Event, Level, SessionConfig, Timestamp, limits_at_depth};
use crate::board::{Move, Position};
use crate::search::time::{TimeControl, time_budget};
use crate::search::{Goal, Limits, Line, Report, SearchId, SearchRequest};

/// Most time past its deadline that one search adds to the overrun. A suspended machine is no guide to the next move.
const MAX_OVERRUN: Duration = Duration::from_millis(400);

/// The shared state of a session. `P` states what a search is for.
#[derive(Debug)]
pub(super) struct SessionState<P> {
    pub(super) config: SessionConfig,
    /// Time of the event or line that is being handled.
    pub(super) now: Timestamp,
    /// Decides which reports of the current search are sent.
    pub(super) reports: ReportThrottle,
    /// Effects of the event that is being handled.
    pub(super) effects: Vec<Effect>,
    last: SearchId,
    search: Option<ActiveSearch<P>>,
    overrun: Duration,
    /// Number of books that the driver is opening or writing.
    pending_books: usize,
}

#[derive(Clone, Debug)]
pub(super) struct ActiveSearch<P> {
    pub(super) id: SearchId,
    pub(super) root: Position,
    pub(super) purpose: P,
    pub(super) started: Timestamp,
    pub(super) deadlines: Deadlines,
    pub(super) nodes: u64,
    pub(super) report: Option<Report>,
    /// `true` if its move is to be played, at the level of the configuration.
    plays: bool,
    /// The index of the line to play.
    chosen: usize,
    /// `true` once the session has stopped the search. Its answer is still needed.
    pub(super) stopping: bool,
}

#[derive(Clone, Debug)]
pub(super) struct SearchTask<P> {
    pub(super) root: Position,
    pub(super) goal: Goal,
    pub(super) limits: Limits,
    pub(super) deadlines: Deadlines,
    pub(super) purpose: P,
    /// `true` if the move is to be played, at the level of the configuration.
    pub(super) plays: bool,
}

/// An event of a search that is not current. It must be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StaleEvent;

impl<P> SessionState<P> {
    /// Returns a state without a search. `last` is the id of the last search that the driver has seen.
    pub(super) fn new(config: SessionConfig, last: SearchId) -> SessionState<P> {
        SessionState {
            config,
            now: Timestamp::default(),
            reports: ReportThrottle::default(),
            effects: Vec::new(),
            last,
            search: None,
            overrun: Duration::ZERO,
            pending_books: 0,
        }
    }

    pub(super) fn push(&mut self, effect: Effect) {
        self.pending_books += usize::from(matches!(effect, Effect::OpenBook(_) | Effect::Learn(..)));
        self.effects.push(effect);
    }

    pub(super) fn send(&mut self, line: impl Into<String>) {
        self.push(Effect::Send(line.into()));
    }

    pub(super) fn send_all(&mut self, lines: impl IntoIterator<Item = String>) {
        self.effects.extend(lines.into_iter().map(Effect::Send));
    }

    pub(super) fn search(&self) -> Option<&ActiveSearch<P>> {
        self.search.as_ref()
    }

    pub(super) fn search_mut(&mut self) -> Option<&mut ActiveSearch<P>> {
        self.search.as_mut()
    }

    pub(super) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Returns `true` if the session waits for nothing but its GUI.
    pub(super) fn is_idle(&self) -> bool {
        self.search.is_none() && self.pending_books == 0
    }

    /// Starts a search. It replaces the current one, whose events become stale.
    pub(super) fn start(&mut self, task: SearchTask<P>) {
        let SearchTask { root, mut goal, mut limits, deadlines, purpose, plays } = task;
        let level = self.config.level;
        if plays && level != Level::ENGINE {
            goal = level.goal();
            limits = limits_at_depth(&root, level.depth.min(limits.depth.plies())).with_nodes(limits.nodes);
        }
        self.last = SearchId(self.last.0 + 1);
        let id = self.last;
        self.reports = ReportThrottle::default();
        self.search = Some(ActiveSearch {
            id,
            root,
            purpose,
            started: self.now,
            deadlines,
            nodes: 0,
            report: None,
            plays,
            chosen: 0,
            stopping: false,
        });
        self.push(Effect::Start(SearchRequest { id, root, goal, limits }, deadlines));
    }

    /// Stops the current search and drops its answer. Returns the search, or `None` if there was none.
    pub(super) fn abandon(&mut self) -> Option<ActiveSearch<P>> {
        let search = self.search.take()?;
        self.push(Effect::Stop(search.id));
        Some(search)
    }

    /// Stops the current search, which still reports its result. Its [`Event::Done`] follows.
    pub(super) fn stop(&mut self) {
        if let Some(search) = self.search.as_mut().filter(|search| !search.stopping) {
            search.stopping = true;
            let id = search.id;
            self.push(Effect::Stop(id));
        }
    }

    pub(super) fn set_deadlines(&mut self, deadlines: Deadlines) {
        if let Some(search) = &mut self.search {
            search.deadlines = deadlines;
            let id = search.id;
            self.push(Effect::SetDeadlines(id, deadlines));
        }
    }

    /// Returns the deadlines of a search of `root` that starts now.
    pub(super) fn deadlines(&self, control: TimeControl, root: &Position) -> Deadlines {
        Deadlines::from(self.now, time_budget(control, root.empties(), self.overrun))
    }

    /// Returns how long after their hard deadlines recent searches have ended. Older searches count less.
    pub(super) fn overrun(&self) -> Duration {
        self.overrun
    }

    /// Forgets the overrun of earlier searches: a new game starts without it.
    pub(super) fn reset_overrun(&mut self) {
        self.overrun = Duration::ZERO;
    }

    /// Records `event`. If it ends the current search, returns that search, which is no longer current.
    ///
    /// # Errors
    ///
    /// [`StaleEvent`] if the event belongs to another search.
    pub(super) fn observe(&mut self, event: &Event) -> Result<Option<ActiveSearch<P>>, StaleEvent> {
        match event {
            Event::Report(report) => self.update(report.id, report.nodes)?.report = Some(report.clone()),
            Event::Progress { id, nodes } => {
                self.update(*id, *nodes)?;
            }
            Event::Done { id, nodes } => return self.end(*id, *nodes),
            Event::Failed { id, .. } => return self.end(*id, 0),
            Event::Book(_) | Event::BookSaved(_) => {
                self.pending_books = self.pending_books.saturating_sub(1);
            }
            Event::Line(_)
            | Event::LineTooLong(_)
            | Event::Eof
            | Event::HashReduced(_)
            | Event::ThreadsReduced(_) => {}
        }
        Ok(None)
    }

    fn update(&mut self, id: SearchId, nodes: u64) -> Result<&mut ActiveSearch<P>, StaleEvent> {
        let search = self.search.as_mut().filter(|search| search.id == id).ok_or(StaleEvent)?;
        search.nodes = search.nodes.max(nodes);
        Ok(search)
    }

    fn end(&mut self, id: SearchId, nodes: u64) -> Result<Option<ActiveSearch<P>>, StaleEvent> {
        self.update(id, nodes)?;
        let mut search = self.search.take();
        if let Some(search) = &mut search
            && search.plays
            && self.config.level != Level::ENGINE
            && let Some(report) = &search.report
        {
            search.chosen = self.config.choice(&search.root, report);
        }
        if let Some(hard) = search.as_ref().and_then(|search| search.deadlines.hard) {
            self.overrun = (3 * self.overrun + self.now.since(hard).min(MAX_OVERRUN)) / 4;
        }
        Ok(search)
    }
}

impl<P> ActiveSearch<P> {
    pub(super) fn elapsed(&self, now: Timestamp) -> Duration {
        now.since(self.started)
    }

    /// Returns the best line found, or the one to play.
    pub(super) fn best(&self) -> Option<&Line> {
        self.report.as_ref()?.lines.get(self.chosen)
    }

    /// Returns the first move of this line, or any legal move if the search found none. `None` if the game is over.
    pub(super) fn answer(&self) -> Option<Move> {
        self.best().and_then(Line::first).or_else(|| self.root.legal_moves().next())
    }
}
