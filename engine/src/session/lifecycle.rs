//! The life of searches as every session sees it: started, heard of, ended, forgotten.
//!
//! At most one search is current. Every event passes through [`Lifecycle::observe`], which is the one place that tells
//! those of a search that is no longer current.

use std::time::Duration;

use super::{Budget, Effect, Event, Now};
use crate::board::{Move, Position, Status};
use crate::search::{Goal, Limits, Line, Report, SearchId, SearchRequest};

/// Most time past its deadline that one search adds to the lag: a machine that sleeps for seconds says nothing about the
/// next move.
const MAX_OVERRUN: Duration = Duration::from_millis(400);

/// The current search, and the way to start, stop and give it up.
#[derive(Debug)]
pub struct Lifecycle<P> {
    last: SearchId,
    current: Option<Current<P>>,
    lag: Duration,
}

/// The search under way, with what is known of it.
#[derive(Clone, Debug)]
pub struct Current<P> {
    /// Its id.
    pub id: SearchId,
    /// The position it searches.
    pub root: Position,
    /// What the session wants it for.
    pub purpose: P,
    /// When it was started.
    pub started: Now,
    /// Until when it may go on.
    pub budget: Budget,
    /// Its nodes so far.
    pub nodes: u64,
    /// Its last report.
    pub report: Option<Report>,
    /// Whether it has been told to stop; its answer is still wanted.
    pub stopping: bool,
}

/// An event of a search that is no longer current: it is to be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stale;

impl<P> Lifecycle<P> {
    /// With no search. Ids are given out above `last`, which is the last one the driver has seen.
    pub fn new(last: SearchId) -> Lifecycle<P> {
        Lifecycle { last, current: None, lag: Duration::ZERO }
    }

    /// The search under way.
    pub fn current(&self) -> Option<&Current<P>> {
        self.current.as_ref()
    }

    /// The search under way, to change what it is wanted for.
    pub fn current_mut(&mut self) -> Option<&mut Current<P>> {
        self.current.as_mut()
    }

    /// Whether a search is under way.
    pub fn is_searching(&self) -> bool {
        self.current.is_some()
    }

    /// Starts a search; one under way is given up.
    pub fn start(&mut self, now: Now, task: Task<P>, effects: &mut Vec<Effect>) {
        let id = SearchId(self.last.0 + 1);
        self.last = id;
        let Task { root, goal, limits, budget, purpose } = task;
        self.current = Some(Current {
            id,
            root,
            purpose,
            started: now,
            budget,
            nodes: 0,
            report: None,
            stopping: false,
        });
        effects.push(Effect::Start(SearchRequest { id, root, goal, limits }, budget));
    }

    /// Gives the current search up: it is stopped and nothing more is heard of it.
    pub fn abandon(&mut self, effects: &mut Vec<Effect>) -> Option<Current<P>> {
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
    pub fn set_budget(&mut self, budget: Budget, effects: &mut Vec<Effect>) {
        if let Some(current) = &mut self.current {
            current.budget = budget;
            effects.push(Effect::SetBudget(current.id, budget));
        }
    }

    /// How long after their hard deadlines searches have ended lately: what a busy machine costs, with older times
    /// counting less.
    pub fn lag(&self) -> Duration {
        self.lag
    }

    /// Forgets the lag of earlier searches: the next game starts without it.
    pub fn forget_lag(&mut self) {
        self.lag = Duration::ZERO;
    }

    /// Takes note of `event`. When it ends the current search, that search is returned and no longer current.
    ///
    /// # Errors
    /// When it is about a search that is no longer current.
    pub fn observe(&mut self, now: Now, event: &Event) -> Result<Option<Current<P>>, Stale> {
        match event {
            Event::Line(_) | Event::TooLong(_) | Event::Eof => {}
            Event::Hash(_) | Event::Threads(_) | Event::Book(_) | Event::Learnt(_) => {}
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

    fn alive(&mut self, id: SearchId, nodes: u64) -> Result<&mut Current<P>, Stale> {
        let current = self.current.as_mut().filter(|current| current.id == id).ok_or(Stale)?;
        current.nodes = current.nodes.max(nodes);
        Ok(current)
    }

    fn ended(&mut self, now: Now, id: SearchId, nodes: u64) -> Result<Current<P>, Stale> {
        self.alive(id, nodes)?;
        let current = self.current.take().ok_or(Stale)?;
        if let Some(hard) = current.budget.hard {
            self.lag = (3 * self.lag + now.since(hard).min(MAX_OVERRUN)) / 4;
        }
        Ok(current)
    }
}

impl<P> Current<P> {
    /// How long it has been searching.
    pub fn elapsed(&self, now: Now) -> Duration {
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
pub struct Task<P> {
    /// The position.
    pub root: Position,
    /// What to find out.
    pub goal: Goal,
    /// How far to go.
    pub limits: Limits,
    /// Until when.
    pub budget: Budget,
    /// What the session wants it for.
    pub purpose: P,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    fn task(purpose: char) -> Task<char> {
        Task {
            root: Position::START,
            goal: Goal::BestMove,
            limits: Limits::NONE,
            budget: Budget::default(),
            purpose,
        }
    }

    fn done(id: u64, nodes: u64) -> Event {
        Event::Done { id: SearchId(id), nodes }
    }

    #[test]
    fn what_is_stale_is_told() {
        let mut life = Lifecycle::new(SearchId(4));
        let mut effects = Vec::new();
        life.start(Now::default(), task('a'), &mut effects);
        life.start(Now::default(), task('b'), &mut effects);
        let mut observe = |event| life.observe(Now::default(), &event);
        let alive = |id, nodes| Event::Progress { id: SearchId(id), nodes };
        assert_eq!(observe(alive(5, 1)).err(), Some(Stale));
        assert_eq!(observe(done(5, 1)).err(), Some(Stale));
        assert!(observe(alive(6, 7)).unwrap().is_none());
        assert!(observe(Event::Line("a line".to_owned())).unwrap().is_none());
        let current = observe(done(6, 9)).unwrap().expect("its end");
        assert_eq!((current.purpose, current.nodes), ('b', 9));
        assert_eq!(observe(done(6, 9)).err(), Some(Stale));
        assert!(observe(Event::Eof).unwrap().is_none() && !life.is_searching());
    }

    #[test]
    fn an_abandoned_search_is_stopped_once_and_never_heard_of_again() {
        let mut life = Lifecycle::new(SearchId(0));
        let mut effects = Vec::new();
        life.start(Now::default(), task('a'), &mut effects);
        effects.clear();
        assert!(life.abandon(&mut effects).is_some());
        assert!(life.abandon(&mut effects).is_none());
        assert_eq!(effects, [Effect::Stop(SearchId(1))]);
        let failed = Event::Failed { id: SearchId(1), message: String::new() };
        assert_eq!(life.observe(Now::default(), &failed).err(), Some(Stale));
    }

    #[test]
    fn lateness_is_remembered_for_a_while() {
        let mut life = Lifecycle::new(SearchId(0));
        let at = |millis| Now(Duration::from_millis(millis));
        let mut lags = Vec::new();
        for (id, ended) in (1..).zip([150, 140, 100, 90]) {
            let budget = Budget { soft: None, hard: Some(at(100)) };
            life.start(at(0), Task { budget, ..task('a') }, &mut Vec::new());
            assert!(life.observe(at(ended), &done(id, 0)).is_ok());
            lags.push(life.lag().as_micros());
        }
        assert_eq!(lags, [12_500, 19_375, 14_531, 10_898]);
        // A stall of the machine is no measure of the next move, and no lag survives its game.
        let budget = Budget { soft: None, hard: Some(at(100)) };
        life.start(at(0), Task { budget, ..task('a') }, &mut Vec::new());
        assert!(life.observe(at(12_100), &done(5, 0)).is_ok());
        assert!(life.lag() < Duration::from_millis(120), "{:?}", life.lag());
        life.forget_lag();
        assert_eq!(life.lag(), Duration::ZERO);
    }

    #[test]
    fn a_stopped_search_still_ends() {
        let mut life = Lifecycle::new(SearchId(0));
        let mut effects = Vec::new();
        life.start(Now::default(), task('a'), &mut effects);
        effects.clear();
        life.stop(&mut effects);
        life.stop(&mut effects);
        assert_eq!(effects, [Effect::Stop(SearchId(1))]);
        assert!(matches!(life.observe(Now::default(), &done(1, 0)), Ok(Some(_))));
    }
}
