//! A search on a thread of its own.
//!
//! The session's side, [`Lent`], queues jobs and never waits; the other, [`SearchThread`], is given to the thread that
//! does them. What the session wants of a running search (stop, other deadlines) goes through a few atomics the search
//! looks at every few thousand nodes. Whoever lends the thread also lends its helpers, if there are to be any, and takes
//! what the search tells.

mod control;
mod jobs;
mod worker;

use std::sync::Arc;

use super::growth::Growing;
use super::{BETWEEN_SIGNS_OF_LIFE, Clock, Growth, Searcher};
use crate::search::{HashSize, Helper, SearchConfig, SearchId, SearchRequest, Seed};
use crate::session::{Budget, Event};
use control::Control;
use jobs::{Job, Jobs};

/// What the search's thread needs of its surroundings.
pub trait Lender: Clock {
    /// Takes an event for the session.
    fn tell(&self, event: Event);

    /// Has another thread do [`Helper::help`], which ends when the helpers are closed. `number` counts the helpers from 1.
    /// False where there is no thread to be had: the search is slower by it.
    fn lend(&self, number: usize, helper: Helper) -> bool;
}

/// The search as the session's thread sees it.
#[derive(Debug)]
pub struct Lent {
    control: Arc<Control>,
    jobs: Arc<Jobs>,
    is_alone: bool,
}

/// The work of the search's thread. When it is dropped, done or not, further jobs are refused.
#[derive(Debug)]
pub struct SearchThread {
    control: Arc<Control>,
    jobs: Arc<Jobs>,
}

impl Lent {
    /// Both ends: one for the driver, one for the thread.
    pub fn new() -> (Lent, SearchThread) {
        let (control, jobs) = (Arc::new(Control::new()), Arc::new(Jobs::default()));
        let thread = SearchThread { control: Arc::clone(&control), jobs: Arc::clone(&jobs) };
        (Lent { control, jobs, is_alone: false }, thread)
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
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    fn push(&mut self, job: Job) {
        self.is_alone |= !self.jobs.push(job);
    }
}

impl Searcher for Lent {
    fn start(&mut self, request: SearchRequest, budget: Budget) {
        self.control.start(request.id, budget);
        self.push(Job::Search(request));
    }

    fn set_budget(&mut self, id: SearchId, budget: Budget) {
        self.control.set_budget(id, budget);
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

    fn seed(&mut self, seed: Seed) {
        self.push(Job::Seed(seed));
    }

    fn quit(&mut self) {
        self.control.stop_all();
        self.jobs.finish();
    }

    fn next_event(&mut self) -> Option<Event> {
        None
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.quit();
    }
}

impl SearchThread {
    /// Does what is wanted until the other end is gone, with the help of `threads - 1` other threads. The table may grow
    /// to the size in `config`.
    pub fn work(self, config: SearchConfig, growth: Growth, threads: usize, lender: &impl Lender) {
        worker::work(config, growth, threads, &self.jobs, &self.control, lender);
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.jobs.close();
    }
}
