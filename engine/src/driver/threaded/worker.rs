//! What the search's thread does.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::control::Control;
use super::jobs::{Job, JobQueue, NextJob};
use super::{GrowableSearch, PROGRESS_INTERVAL, SearchHost, TableGrowth};
use crate::search::{Decision, Monitor, NextIteration, Progress, Report, Search, SearchConfig, SearchId};
use crate::session::{Event, Timestamp};

/// How many parts of the table are touched beforehand: a larger one is used for searches that take their time.
const MAX_TOUCHED_PARTS: usize = 512;

/// Does jobs until there will be no more, with the help of `threads - 1` other threads.
pub(super) fn work(
    config: SearchConfig,
    growth: TableGrowth,
    threads: usize,
    jobs: &JobQueue,
    control: &Control,
    host: &impl SearchHost,
) {
    let mut config = config;
    let mut threads = threads;
    let mut table = GrowableSearch::new(config.clone(), growth);
    spawn_helpers(&table.search, threads, host);
    if let Some(hash) = table.shortage() {
        host.send_event(Event::HashReduced(hash));
    }
    // The part of the table to be touched next, as long as there is nothing else to do.
    let mut untouched = Some(0);
    loop {
        let job = match untouched {
            Some(part) => match jobs.poll() {
                NextJob::Do(job) => job,
                NextJob::Idle => {
                    untouched = (part < MAX_TOUCHED_PARTS && table.search.touch(part)).then_some(part + 1);
                    continue;
                }
                NextJob::Leave => return,
            },
            None => match jobs.wait() {
                Some(job) => job,
                None => return,
            },
        };
        match job {
            Job::Threads(number) => {
                threads = number;
                table.search.close_helpers();
                spawn_helpers(&table.search, threads, host);
            }
            Job::Resize(hash) => {
                config.hash = hash;
                if let Some(hash) = table.resize(hash) {
                    host.send_event(Event::HashReduced(hash));
                }
                untouched = Some(0);
            }
            Job::Clear => table.search.clear(),
            Job::AddBounds(bounds) => table.search.add_bounds(&bounds),
            Job::Search(request) => {
                let id = request.id;
                if control.is_superseded(id) {
                    host.send_event(Event::Done { id, nodes: 0 });
                    continue;
                }
                let grow_at = table.grows_after();
                let mut watch = Watch { id, nodes: 0, grow_at, last_sign: host.now(), control, host };
                let ran = catch_unwind(AssertUnwindSafe(|| {
                    table.search.start(request);
                    while table.search.run(&mut watch) == Progress::Suspended {
                        if let Some(hash) = table.grow() {
                            host.send_event(Event::HashReduced(hash));
                        }
                        watch.grow_at = None;
                    }
                }));
                let nodes = watch.nodes;
                control.stop(id);
                let last = match ran {
                    Ok(()) => Event::Done { id, nodes },
                    Err(panic) => {
                        // What a broken search left behind is not to be trusted.
                        table.search.close_helpers();
                        table = GrowableSearch::new(config.clone(), growth);
                        spawn_helpers(&table.search, threads, host);
                        Event::Failed { id, message: message_of(panic.as_ref()) }
                    }
                };
                host.send_event(last);
            }
        }
    }
}

/// Asks for all threads but this one, and tells if there are fewer.
fn spawn_helpers(search: &Search, threads: usize, host: &impl SearchHost) {
    let lent = 1 + (1..threads).filter(|&number| host.spawn_helper(number, search.helper())).count();
    if lent < threads {
        host.send_event(Event::ThreadsReduced(lent));
    }
}

/// The monitor of one search.
struct Watch<'a, L> {
    id: SearchId,
    nodes: u64,
    /// Nodes after which it makes way for a larger table.
    grow_at: Option<u64>,
    last_sign: Timestamp,
    control: &'a Control,
    host: &'a L,
}

impl<L: SearchHost> Monitor for Watch<'_, L> {
    fn poll(&mut self, nodes: u64) -> Decision {
        self.nodes = nodes;
        if !self.control.is_wanted(self.id) {
            return Decision::Stop;
        }
        let now = self.host.now();
        if now.since(self.last_sign) >= PROGRESS_INTERVAL {
            self.last_sign = now;
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
        self.control.is_wanted(self.id) && self.control.deadlines().allows(self.host.now(), next)
    }

    fn report(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        // Reports of a search nobody wants are not worth the queue.
        if !self.control.is_superseded(self.id) {
            self.host.send_event(Event::Report(report));
        }
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown reason".to_owned());
    text.lines().next().unwrap_or_default().to_owned()
}
