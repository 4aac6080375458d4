//! A search on a separate thread.
//!
//! [`ThreadedSearcher`] belongs to the session's thread. It queues jobs and never waits. [`SearchThread`] is moved to the thread
//! that does the jobs. A running search is stopped, or gets other deadlines, through a few atomics that it polls
//! ([`Control`]). The [`SearchHost`] provides the helper threads and takes the events.

mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::growth::GrowableSearch;
use super::{PROGRESS_INTERVAL, Searcher, TableGrowth};
use crate::search::{Helper, SearchConfig, SearchId};
use crate::session::{Deadlines, Effect, Event, Timestamp};
use worker::JobQueue;

/// The host of a search thread.
pub trait SearchHost {
    /// Returns the time since the start, as the [`Host`](super::Host) of the session does.
    fn now(&self) -> Timestamp;

    /// Takes an event for the session.
    fn send_event(&self, event: Event);

    /// Starts a thread that runs [`Helper::help`], which returns when the helpers are closed. `number` counts the helpers
    /// from 1. Returns `false` if no thread can be started. The search then runs with fewer threads.
    fn spawn_helper(&self, number: usize, helper: Helper) -> bool;
}

/// The search, as the session's thread sees it.
#[derive(Debug)]
pub struct ThreadedSearcher {
    control: Arc<Control>,
    jobs: Arc<JobQueue>,
    is_disconnected: bool,
}

/// The work of the search thread. Once it is dropped, further jobs are refused.
#[derive(Debug)]
#[must_use = "the searcher does nothing until a thread runs `SearchThread::work`"]
pub struct SearchThread {
    control: Arc<Control>,
    jobs: Arc<JobQueue>,
}

impl ThreadedSearcher {
    /// Returns both ends: one for the driver, one for the search thread.
    pub fn new() -> (ThreadedSearcher, SearchThread) {
        let (control, jobs) = (Arc::new(Control::new()), Arc::new(JobQueue::default()));
        let thread = SearchThread { control: Arc::clone(&control), jobs: Arc::clone(&jobs) };
        (ThreadedSearcher { control, jobs, is_disconnected: false }, thread)
    }

    /// Stops any running search.
    pub fn stop_all(&mut self) {
        self.control.stop_all();
    }

    /// Returns `true` if a search is running that was not stopped.
    pub fn is_searching(&self) -> bool {
        self.control.is_searching()
    }

    /// Returns `true` if a job was refused because the search thread is gone.
    pub fn is_disconnected(&self) -> bool {
        self.is_disconnected
    }
}

impl Searcher for ThreadedSearcher {
    fn carry_out(&mut self, effect: Effect) {
        let control = &self.control;
        match &effect {
            Effect::SetDeadlines(id, deadlines) => return control.set_deadlines(*id, *deadlines),
            Effect::Stop(id) => return control.stop(*id),
            Effect::Quit => {
                control.stop_all();
                return self.jobs.finish();
            }
            Effect::Start(request, deadlines) => control.start(request.id, *deadlines),
            Effect::Resize(_) | Effect::Threads(_) | Effect::Clear => control.stop_all(),
            Effect::AddBounds(_) => {}
            Effect::Send(_) | Effect::OpenBook(_) | Effect::Learn(..) => return,
        }
        self.is_disconnected |= !self.jobs.push(effect);
    }

    fn next_event(&mut self) -> Option<Event> {
        None
    }
}

impl Drop for ThreadedSearcher {
    fn drop(&mut self) {
        self.carry_out(Effect::Quit);
    }
}

impl SearchThread {
    /// Does the jobs until the searcher quits, with `threads - 1` other threads. The table may grow to the size in `config`.
    pub fn work(self, config: SearchConfig, growth: TableGrowth, threads: usize, host: &impl SearchHost) {
        worker::work(config, growth, threads, &self.jobs, &self.control, host);
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.jobs.close();
    }
}

/// No search, as an id. Sessions count from 1.
const NO_SEARCH: u64 = 0;
/// No deadline, in microseconds.
const NO_DEADLINE: u64 = u64::MAX;

/// The search that may run, and its deadlines.
///
/// The session's thread writes, the search thread reads. The id is written last: no search reads the deadlines of another one.
#[derive(Debug)]
struct Control {
    /// The search that may continue.
    allowed: AtomicU64,
    /// The search that was started last.
    latest: AtomicU64,
    soft: AtomicU64,
    hard: AtomicU64,
}

impl Control {
    fn new() -> Control {
        Control {
            allowed: AtomicU64::new(NO_SEARCH),
            latest: AtomicU64::new(NO_SEARCH),
            soft: AtomicU64::new(NO_DEADLINE),
            hard: AtomicU64::new(NO_DEADLINE),
        }
    }

    /// Allows `id`, and no earlier search.
    fn start(&self, id: SearchId, deadlines: Deadlines) {
        self.allowed.store(NO_SEARCH, Ordering::SeqCst);
        self.store(deadlines);
        self.latest.store(id.0, Ordering::SeqCst);
        self.allowed.store(id.0, Ordering::SeqCst);
    }

    /// Changes the deadlines if `id` is allowed.
    fn set_deadlines(&self, id: SearchId, deadlines: Deadlines) {
        if self.is_allowed(id) {
            self.store(deadlines);
        }
    }

    /// Stops `id`, or records that it has ended.
    fn stop(&self, id: SearchId) {
        let _ = self.allowed.compare_exchange(id.0, NO_SEARCH, Ordering::SeqCst, Ordering::SeqCst);
    }

    fn stop_all(&self) {
        self.allowed.store(NO_SEARCH, Ordering::SeqCst);
    }

    fn is_allowed(&self, id: SearchId) -> bool {
        self.allowed.load(Ordering::Relaxed) == id.0
    }

    fn is_searching(&self) -> bool {
        self.allowed.load(Ordering::Relaxed) != NO_SEARCH
    }

    /// Returns `true` if another search was started after `id`. The session then ignores the answer of `id`.
    fn is_superseded(&self, id: SearchId) -> bool {
        self.latest.load(Ordering::SeqCst) != id.0
    }

    fn deadlines(&self) -> Deadlines {
        let read = |micros: &AtomicU64| match micros.load(Ordering::Relaxed) {
            NO_DEADLINE => None,
            micros => Some(Timestamp(Duration::from_micros(micros))),
        };
        Deadlines { soft: read(&self.soft), hard: read(&self.hard) }
    }

    fn store(&self, deadlines: Deadlines) {
        let micros = |deadline: Option<Timestamp>| {
            deadline.map_or(NO_DEADLINE, |time| u64::try_from(time.0.as_micros()).unwrap_or(NO_DEADLINE))
        };
        self.soft.store(micros(deadlines.soft), Ordering::SeqCst);
        self.hard.store(micros(deadlines.hard), Ordering::SeqCst);
    }
}
