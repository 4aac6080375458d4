//! A search on a thread of its own.
//!
//! The session's side, [`ThreadedSearcher`], queues jobs and never waits; the other, [`SearchThread`], is given to the thread that
//! does them. What the session wants of a running search (stop, other deadlines) goes through a few atomics the search
//! looks at every few thousand nodes. Whoever lends the thread also lends its helpers, if there are to be any, and takes
//! what the search tells.

mod control;
mod jobs;
mod worker;

use std::sync::Arc;

use super::growth::GrowableSearch;
use super::{Clock, PROGRESS_INTERVAL, Searcher, TableGrowth};
use crate::search::{ExternalBounds, HashSize, Helper, SearchConfig, SearchId, SearchRequest};
use crate::session::{Deadlines, Event};
use control::Control;
use jobs::{Job, JobQueue};

/// What the search's thread needs of its surroundings.
pub trait SearchHost: Clock {
    /// Takes an event for the session.
    fn send_event(&self, event: Event);

    /// Has another thread do [`Helper::help`], which ends when the helpers are closed. `number` counts the helpers from 1.
    /// False where there is no thread to be had: the search is slower by it.
    fn spawn_helper(&self, number: usize, helper: Helper) -> bool;
}

/// The search as the session's thread sees it.
#[derive(Debug)]
pub struct ThreadedSearcher {
    control: Arc<Control>,
    jobs: Arc<JobQueue>,
    is_disconnected: bool,
}

/// The work of the search's thread. When it is dropped, done or not, further jobs are refused.
#[derive(Debug)]
pub struct SearchThread {
    control: Arc<Control>,
    jobs: Arc<JobQueue>,
}

impl ThreadedSearcher {
    /// Both ends: one for the driver, one for the thread.
    pub fn new() -> (ThreadedSearcher, SearchThread) {
        let (control, jobs) = (Arc::new(Control::new()), Arc::new(JobQueue::default()));
        let thread = SearchThread { control: Arc::clone(&control), jobs: Arc::clone(&jobs) };
        (ThreadedSearcher { control, jobs, is_disconnected: false }, thread)
    }

    /// Whatever is searching shall end with what it has.
    pub fn stop_all(&mut self) {
        self.control.stop_all();
    }

    /// Whether a search is under way that was not told to stop.
    pub fn is_searching(&self) -> bool {
        self.control.is_searching()
    }

    /// Whether something was to be done and the search's thread is gone.
    pub fn is_disconnected(&self) -> bool {
        self.is_disconnected
    }

    fn push(&mut self, job: Job) {
        self.is_disconnected |= !self.jobs.push(job);
    }
}

impl Searcher for ThreadedSearcher {
    fn start(&mut self, request: SearchRequest, deadlines: Deadlines) {
        self.control.start(request.id, deadlines);
        self.push(Job::Search(request));
    }

    fn set_deadlines(&mut self, id: SearchId, deadlines: Deadlines) {
        self.control.set_deadlines(id, deadlines);
    }

    fn stop(&mut self, id: SearchId) {
        self.control.stop(id);
    }

    fn resize(&mut self, hash: HashSize) {
        self.control.stop_all();
        self.push(Job::Resize(hash));
    }

    fn set_threads(&mut self, threads: usize) {
        self.control.stop_all();
        self.push(Job::Threads(threads));
    }

    fn clear(&mut self) {
        self.control.stop_all();
        self.push(Job::Clear);
    }

    fn add_bounds(&mut self, bounds: ExternalBounds) {
        self.push(Job::AddBounds(bounds));
    }

    fn quit(&mut self) {
        self.control.stop_all();
        self.jobs.finish();
    }

    fn next_event(&mut self) -> Option<Event> {
        None
    }
}

impl Drop for ThreadedSearcher {
    fn drop(&mut self) {
        self.quit();
    }
}

impl SearchThread {
    /// Does what is wanted until the other end is gone, with the help of `threads - 1` other threads. The table may grow
    /// to the size in `config`.
    pub fn work(self, config: SearchConfig, growth: TableGrowth, threads: usize, host: &impl SearchHost) {
        worker::work(config, growth, threads, &self.jobs, &self.control, host);
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.jobs.close();
    }
}
