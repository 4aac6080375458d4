//! The life of searches as every session sees it: started, heard of, ended, forgotten.
//!
//! At most one search is current. Every event passes through [`SearchTracker::observe`], which is the one place that tells
//! those of a search that is no longer current.

use std::time::Duration;

use super::{Deadlines, Effect, Event, Timestamp};
use crate::board::{Move, Position, Status};
use crate::search::{Goal, Limits, Line, Report, SearchId, SearchRequest};

/// Most time past its deadline that one search adds to the lag: a machine that sleeps for seconds says nothing about the
/// next move.
const MAX_OVERRUN: Duration = Duration::from_millis(400);

/// The current search, and the way to start, stop and give it up.
#[derive(Debug)]
pub struct SearchTracker<P> {
    last: SearchId,
    current: Option<ActiveSearch<P>>,
    overrun: Duration,
}

/// The search under way, with what is known of it.
#[derive(Clone, Debug)]
pub struct ActiveSearch<P> {
    /// Its id.
    pub id: SearchId,
    /// The position it searches.
    pub root: Position,
    /// What the session wants it for.
    pub purpose: P,
    /// When it was started.
    pub started: Timestamp,
    /// Until when it may go on.
    pub deadlines: Deadlines,
    /// Its nodes so far.
    pub nodes: u64,
    /// Its last report.
    pub report: Option<Report>,
    /// Whether it has been told to stop; its answer is still wanted.
    pub stopping: bool,
}

/// An event of a search that is no longer current: it is to be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleEvent;

impl<P> SearchTracker<P> {
    /// With no search. Ids are given out above `last`, which is the last one the driver has seen.
    pub fn new(last: SearchId) -> SearchTracker<P> {
        SearchTracker { last, current: None, overrun: Duration::ZERO }
    }

    /// The search under way.
    pub fn current(&self) -> Option<&ActiveSearch<P>> {
        self.current.as_ref()
    }

    /// The search under way, to change what it is wanted for.
    pub fn current_mut(&mut self) -> Option<&mut ActiveSearch<P>> {
        self.current.as_mut()
    }

    /// Whether a search is under way.
    pub fn is_searching(&self) -> bool {
        self.current.is_some()
    }

    /// Starts a search; one under way is given up.
    pub fn start(&mut self, now: Timestamp, task: SearchTask<P>, effects: &mut Vec<Effect>) {
        let id = SearchId(self.last.0 + 1);
        self.last = id;
        let SearchTask { root, goal, limits, deadlines, purpose } = task;
        self.current = Some(ActiveSearch {
            id,
            root,
            purpose,
            started: now,
            deadlines,
            nodes: 0,
            report: None,
            stopping: false,
        });
        effects.push(Effect::Start(SearchRequest { id, root, goal, limits }, deadlines));
    }

    /// Gives the current search up: it is stopped and nothing more is heard of it.
    pub fn abandon(&mut self, effects: &mut Vec<Effect>) -> Option<ActiveSearch<P>> {
        let current = self.current.take()?;
        effects.push(Effect::Stop(current.id));
        Some(current)
    }

    /// Tells the current search to end with what it has; its [`Event::Done`] follows.
    pub fn stop(&mut self, effects: &mut Vec<Effect>) {
        if let Some(current) = &mut self.current
            && !current.stopping
        {
            current.stopping = true;
            effects.push(Effect::Stop(current.id));
        }
    }

    /// Gives the current search other time limits.
    pub fn set_deadlines(&mut self, deadlines: Deadlines, effects: &mut Vec<Effect>) {
        if let Some(current) = &mut self.current {
            current.deadlines = deadlines;
            effects.push(Effect::SetDeadlines(current.id, deadlines));
        }
    }

    /// How long after their hard deadlines searches have ended lately: what a busy machine costs, with older times
    /// counting less.
    pub fn overrun(&self) -> Duration {
        self.overrun
    }

    /// Forgets the lag of earlier searches: the next game starts without it.
    pub fn reset_overrun(&mut self) {
        self.overrun = Duration::ZERO;
    }

    /// Takes note of `event`. When it ends the current search, that search is returned and no longer current.
    ///
    /// # Errors
    /// When it is about a search that is no longer current.
    pub fn observe(&mut self, now: Timestamp, event: &Event) -> Result<Option<ActiveSearch<P>>, StaleEvent> {
        match event {
            Event::Line(_) | Event::LineTooLong(_) | Event::Eof => {}
            Event::HashReduced(_) | Event::ThreadsReduced(_) | Event::Book(_) | Event::BookSaved(_) => {}
            Event::Report(report) => {
                self.alive(report.id, report.nodes)?.report = Some(report.clone());
            }
            Event::Progress { id, nodes } => {
                self.alive(*id, *nodes)?;
            }
            Event::Done { id, nodes } => return self.ended(now, *id, *nodes).map(Some),
            Event::Failed { id, .. } => return self.ended(now, *id, 0).map(Some),
        }
        Ok(None)
    }

    fn alive(&mut self, id: SearchId, nodes: u64) -> Result<&mut ActiveSearch<P>, StaleEvent> {
        let current = self.current.as_mut().filter(|current| current.id == id).ok_or(StaleEvent)?;
        current.nodes = current.nodes.max(nodes);
        Ok(current)
    }

    fn ended(&mut self, now: Timestamp, id: SearchId, nodes: u64) -> Result<ActiveSearch<P>, StaleEvent> {
        self.alive(id, nodes)?;
        let current = self.current.take().ok_or(StaleEvent)?;
        if let Some(hard) = current.deadlines.hard {
            self.overrun = (3 * self.overrun + now.since(hard).min(MAX_OVERRUN)) / 4;
        }
        Ok(current)
    }
}

impl<P> ActiveSearch<P> {
    /// How long it has been searching.
    pub fn elapsed(&self, now: Timestamp) -> Duration {
        now.since(self.started)
    }

    /// The best line so far.
    pub fn best(&self) -> Option<&Line> {
        self.report.as_ref().and_then(Report::best)
    }

    /// The move to play: the best one, or any legal one where the search has none; nothing when the game is over.
    pub fn answer(&self) -> Option<Move> {
        self.best().and_then(Line::first).or_else(|| match self.root.status() {
            Status::ToMove => self.root.moves().into_iter().next().map(Move::Place),
            Status::MustPass => Some(Move::Pass),
            Status::Over => None,
        })
    }
}

/// A search to be started.
#[derive(Clone, Debug)]
pub struct SearchTask<P> {
    /// The position.
    pub root: Position,
    /// What to find out.
    pub goal: Goal,
    /// How far to go.
    pub limits: Limits,
    /// Until when.
    pub deadlines: Deadlines,
    /// What the session wants it for.
    pub purpose: P,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    fn task(purpose: char) -> SearchTask<char> {
        SearchTask {
            root: Position::START,
            goal: Goal::BestMove,
            limits: Limits::NONE,
            deadlines: Deadlines::default(),
            purpose,
        }
    }

    fn done(id: u64, nodes: u64) -> Event {
        Event::Done { id: SearchId(id), nodes }
    }

    #[test]
    fn stale_events_are_rejected() {
        let mut life = SearchTracker::new(SearchId(4));
        let mut effects = Vec::new();
        life.start(Timestamp::default(), task('a'), &mut effects);
        life.start(Timestamp::default(), task('b'), &mut effects);
        let mut observe = |event| life.observe(Timestamp::default(), &event);
        let alive = |id, nodes| Event::Progress { id: SearchId(id), nodes };
        assert_eq!(observe(alive(5, 1)).err(), Some(StaleEvent));
        assert_eq!(observe(done(5, 1)).err(), Some(StaleEvent));
        assert!(observe(alive(6, 7)).unwrap().is_none());
        assert!(observe(Event::Line("a line".to_owned())).unwrap().is_none());
        let current = observe(done(6, 9)).unwrap().expect("its end");
        assert_eq!((current.purpose, current.nodes), ('b', 9));
        assert_eq!(observe(done(6, 9)).err(), Some(StaleEvent));
        assert!(observe(Event::Eof).unwrap().is_none() && !life.is_searching());
    }

    #[test]
    fn an_abandoned_search_is_stopped_once_and_never_heard_of_again() {
        let mut life = SearchTracker::new(SearchId(0));
        let mut effects = Vec::new();
        life.start(Timestamp::default(), task('a'), &mut effects);
        effects.clear();
        assert!(life.abandon(&mut effects).is_some());
        assert!(life.abandon(&mut effects).is_none());
        assert_eq!(effects, [Effect::Stop(SearchId(1))]);
        let failed = Event::Failed { id: SearchId(1), message: String::new() };
        assert_eq!(life.observe(Timestamp::default(), &failed).err(), Some(StaleEvent));
    }

    #[test]
    fn lateness_is_remembered_for_a_while() {
        let mut life = SearchTracker::new(SearchId(0));
        let at = |millis| Timestamp(Duration::from_millis(millis));
        let mut lags = Vec::new();
        for (id, ended) in (1..).zip([150, 140, 100, 90]) {
            let deadlines = Deadlines { soft: None, hard: Some(at(100)) };
            life.start(at(0), SearchTask { deadlines, ..task('a') }, &mut Vec::new());
            assert!(life.observe(at(ended), &done(id, 0)).is_ok());
            lags.push(life.overrun().as_micros());
        }
        assert_eq!(lags, [12_500, 19_375, 14_531, 10_898]);
        // A stall of the machine is no measure of the next move, and no lag survives its game.
        let deadlines = Deadlines { soft: None, hard: Some(at(100)) };
        life.start(at(0), SearchTask { deadlines, ..task('a') }, &mut Vec::new());
        assert!(life.observe(at(12_100), &done(5, 0)).is_ok());
        assert!(life.overrun() < Duration::from_millis(120), "{:?}", life.overrun());
        life.reset_overrun();
        assert_eq!(life.overrun(), Duration::ZERO);
    }

    #[test]
    fn a_stopped_search_still_ends() {
        let mut life = SearchTracker::new(SearchId(0));
        let mut effects = Vec::new();
        life.start(Timestamp::default(), task('a'), &mut effects);
        effects.clear();
        life.stop(&mut effects);
        life.stop(&mut effects);
        assert_eq!(effects, [Effect::Stop(SearchId(1))]);
        assert!(matches!(life.observe(Timestamp::default(), &done(1, 0)), Ok(Some(_))));
    }
}
