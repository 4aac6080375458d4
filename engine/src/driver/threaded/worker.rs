//! The search thread and its job queue.

use std::any::Any;
use std::collections::VecDeque;
use std::mem::discriminant;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{Control, GrowableSearch, PROGRESS_INTERVAL, SearchHost, TableGrowth};
use crate::search::{
    Decision, HashSize, Monitor, NextIteration, Progress, Report, Search, SearchConfig, SearchId,
};
use crate::session::{Effect, Event, Timestamp};

/// Most external bounds that wait. If more come, the oldest are dropped.
const MAX_PENDING_BOUNDS: usize = 4096;
/// Most parts of the table that are touched in advance. Only long searches fill a larger table.
const MAX_TOUCHED_PARTS: usize = 512;

/// The effects that wait for the search thread. Their number is bounded: a job replaces the jobs that it makes pointless.
#[derive(Debug, Default)]
pub(super) struct JobQueue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    jobs: VecDeque<Effect>,
    /// Number of [`Effect::AddBounds`] in `jobs`.
    bounds: usize,
    /// `true` once the search thread is gone.
    is_closed: bool,
    /// `true` once the searcher has quit.
    is_finished: bool,
}

impl JobQueue {
    /// Adds a job without waiting. Returns `false` if the search thread is gone.
    pub(super) fn push(&self, job: Effect) -> bool {
        let mut waiting = self.lock();
        match job {
            Effect::Clear => {
                waiting.jobs.retain(|old| !matches!(old, Effect::Clear | Effect::AddBounds(_)));
                waiting.bounds = 0;
            }
            Effect::AddBounds(_) => {
                let is_bounds = |old: &Effect| matches!(old, Effect::AddBounds(_));
                if waiting.bounds == MAX_PENDING_BOUNDS
                    && let Some(oldest) = waiting.jobs.iter().position(is_bounds)
                {
                    waiting.jobs.remove(oldest);
                    waiting.bounds -= 1;
                }
                waiting.bounds += 1;
            }
            // The session ignores the answer to an earlier search.
            _ => waiting.jobs.retain(|old| discriminant(old) != discriminant(&job)),
        }
        waiting.jobs.push_back(job);
        self.arrived.notify_all();
        !waiting.is_closed
    }

    /// Ends the search thread: the jobs that wait are dropped.
    pub(super) fn finish(&self) {
        self.lock().is_finished = true;
        self.arrived.notify_all();
    }

    /// Refuses further jobs: the search thread is gone.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
    }

    /// Returns the next job, and waits for one if `waits`. `Continue(None)` if there is none. `Break` if there will be none.
    fn next(&self, waits: bool) -> ControlFlow<(), Option<Effect>> {
        let mut waiting = self.lock();
        while waits && waiting.jobs.is_empty() && !waiting.is_finished {
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if waiting.is_finished { ControlFlow::Break(()) } else { ControlFlow::Continue(waiting.pop()) }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn pop(&mut self) -> Option<Effect> {
        let job = self.jobs.pop_front()?;
        self.bounds -= usize::from(matches!(job, Effect::AddBounds(_)));
        Some(job)
    }
}

/// Does jobs until the searcher quits, with the help of `threads - 1` other threads.
pub(super) fn work(
    mut config: SearchConfig,
    growth: TableGrowth,
    mut threads: usize,
    jobs: &JobQueue,
    control: &Control,
    host: &impl SearchHost,
) {
    let mut table = GrowableSearch::new(config.clone(), growth);
    spawn_helpers(&table.search, threads, host);
    let send_reduced = |hash: Option<HashSize>| {
        if let Some(hash) = hash {
            host.send_event(Event::HashReduced(hash));
        }
    };
    send_reduced(table.shortage());
    // The part of the table to touch next while no job waits.
    let mut untouched = Some(0);
    loop {
        let ControlFlow::Continue(job) = jobs.next(untouched.is_none()) else { return };
        let Some(job) = job else {
            let touched = untouched.filter(|&part| part < MAX_TOUCHED_PARTS && table.search.touch(part));
            untouched = touched.map(|part| part + 1);
            continue;
        };
        match job {
            Effect::Threads(number) => {
                threads = number;
                table.search.close_helpers();
                spawn_helpers(&table.search, threads, host);
            }
            Effect::Resize(hash) => {
                config.hash = hash;
                send_reduced(table.resize(hash));
                untouched = Some(0);
            }
            Effect::Clear => send_reduced(table.clear()),
            Effect::AddBounds(bounds) => table.search.add_bounds(&bounds),
            Effect::Start(request, _) if control.is_superseded(request.id) => {
                host.send_event(Event::Done { id: request.id, nodes: 0 });
            }
            Effect::Start(request, _) => {
                let id = request.id;
                let grow_at = table.grows_after();
                let mut watch = Watch { id, nodes: 0, grow_at, last_progress: host.now(), control, host };
                let end = catch_unwind(AssertUnwindSafe(|| {
                    table.search.start(request);
                    while table.search.run(&mut watch) == Progress::Suspended {
                        send_reduced(table.grow());
                        watch.grow_at = None;
                    }
                }));
                let nodes = watch.nodes;
                control.stop(id);
                host.send_event(match end {
                    Ok(()) => Event::Done { id, nodes },
                    Err(panic) => {
                        // The table of a search that panicked may be inconsistent.
                        table.search.close_helpers();
                        table = GrowableSearch::new(config.clone(), growth);
                        spawn_helpers(&table.search, threads, host);
                        Event::Failed { id, message: message_of(panic.as_ref()) }
                    }
                });
            }
            // The searcher queues no other effect.
            _ => {}
        }
    }
}

/// Asks the host for all threads but this one. Reports it if there are fewer.
fn spawn_helpers(search: &Search, threads: usize, host: &impl SearchHost) {
    let started = 1 + (1..threads).filter(|&number| host.spawn_helper(number, search.helper())).count();
    if started < threads {
        host.send_event(Event::ThreadsReduced(started));
    }
}

/// The monitor of one search.
struct Watch<'a, H> {
    id: SearchId,
    nodes: u64,
    /// Number of nodes after which the search is suspended for a larger table.
    grow_at: Option<u64>,
    last_progress: Timestamp,
    control: &'a Control,
    host: &'a H,
}

impl<H: SearchHost> Monitor for Watch<'_, H> {
    fn poll(&mut self, nodes: u64) -> Decision {
        self.nodes = nodes;
        if !self.control.is_allowed(self.id) {
            return Decision::Stop;
        }
        let now = self.host.now();
        if now.since(self.last_progress) >= PROGRESS_INTERVAL {
            self.last_progress = now;
            self.host.send_event(Event::Progress { id: self.id, nodes });
        }
        if self.control.deadlines().is_spent(now) {
            Decision::Stop
        } else if self.grow_at.is_some_and(|at| nodes >= at) {
            Decision::Yield
        } else {
            Decision::Continue
        }
    }

    fn may_start_iteration(&mut self, next: &NextIteration) -> bool {
        self.control.is_allowed(self.id) && self.control.deadlines().allows(self.host.now(), next)
    }

    fn report(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        // The session ignores reports of a superseded search.
        if !self.control.is_superseded(self.id) {
            self.host.send_event(Event::Report(report));
        }
    }
}

/// Returns the first line of the message of a panic.
fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("unknown reason").lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::score::{Confidence, Score};
    use crate::search::{Depth, ExternalBounds, Goal, Limits, SearchRequest};
    use crate::session::Deadlines;

    fn search(id: u64) -> Effect {
        let (root, goal, limits) = (Position::START, Goal::BestMove, Limits::NONE);
        Effect::Start(SearchRequest { id: SearchId(id), root, goal, limits }, Deadlines::default())
    }

    fn bounds(plies: u32) -> Effect {
        Effect::AddBounds(ExternalBounds {
            position: Position::START,
            lower: Score::MIN,
            upper: Score::MAX,
            depth: Depth::new(plies),
            confidence: Confidence::EXACT,
            best: None,
        })
    }

    fn taken(queue: &JobQueue) -> Vec<Effect> {
        let mut waiting = queue.lock();
        std::iter::from_fn(|| waiting.pop()).collect()
    }

    #[test]
    fn last_job_of_a_kind_remains() {
        let queue = JobQueue::default();
        for id in 0..1000 {
            for job in [bounds(1), search(id), Effect::Resize(HashSize(4)), Effect::Clear, Effect::Threads(2)]
            {
                assert!(queue.push(job));
            }
        }
        assert_eq!(
            taken(&queue),
            [search(999), Effect::Resize(HashSize(4)), Effect::Clear, Effect::Threads(2)]
        );
        let in_order = [Effect::Resize(HashSize(8)), bounds(1), search(1), bounds(2)];
        in_order.iter().for_each(|job| assert!(queue.push(job.clone())));
        assert_eq!(taken(&queue), in_order);
    }

    #[test]
    fn oldest_bounds_are_dropped() {
        let queue = JobQueue::default();
        queue.push(search(1));
        (0..10).for_each(|_| assert!(queue.push(bounds(1))));
        (0..MAX_PENDING_BOUNDS).for_each(|_| assert!(queue.push(bounds(2))));
        let left = taken(&queue);
        assert_eq!((left.len(), &left[0], &left[1]), (MAX_PENDING_BOUNDS + 1, &search(1), &bounds(2)));
        assert_eq!(queue.lock().bounds, 0);
    }

    #[test]
    fn either_end_can_leave() {
        let queue = JobQueue::default();
        assert_eq!(queue.next(false), ControlFlow::Continue(None));
        assert!(queue.push(Effect::Clear));
        assert_eq!(queue.next(true), ControlFlow::Continue(Some(Effect::Clear)));
        queue.push(Effect::Clear);
        queue.finish();
        assert!([false, true].into_iter().all(|waits| queue.next(waits).is_break()));
        queue.close();
        assert!(!queue.push(Effect::Clear));
    }
}
