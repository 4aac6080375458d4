//! What the search's thread does.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::control::Control;
use super::jobs::{Job, Jobs, Next};
use super::{BETWEEN_SIGNS_OF_LIFE, Growing, Growth, Lender};
use crate::search::{Decision, Iteration, Monitor, Progress, Report, Search, SearchConfig, SearchId};
use crate::session::{Event, Now};

/// How many parts of the table are touched beforehand: a larger one is used for searches that take their time.
const MOST_TOUCHED: usize = 512;

/// Does jobs until there will be no more, with the help of `threads - 1` other threads.
pub(super) fn work(
    config: SearchConfig,
    growth: Growth,
    threads: usize,
    jobs: &Jobs,
    control: &Control,
    lender: &impl Lender,
) {
    let mut config = config;
    let mut threads = threads;
    let mut table = Growing::new(config.clone(), growth);
    lend(&table.search, threads, lender);
    if let Some(hash) = table.shortage() {
        lender.tell(Event::Hash(hash));
    }
    // The part of the table to be touched next, as long as there is nothing else to do.
    let mut untouched = Some(0);
    loop {
        let job = match untouched {
            Some(part) => match jobs.poll() {
                Next::Do(job) => job,
                Next::Idle => {
                    untouched = (part < MOST_TOUCHED && table.search.touch(part)).then_some(part + 1);
                    continue;
                }
                Next::Leave => return,
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
                lend(&table.search, threads, lender);
            }
            Job::Resize(hash) => {
                config.hash = hash;
                if let Some(hash) = table.resize(hash) {
                    lender.tell(Event::Hash(hash));
                }
                untouched = Some(0);
            }
            Job::Clear => table.search.clear(),
            Job::Seed(seed) => table.search.seed(&seed),
            Job::Search(request) => {
                let id = request.id;
                if control.is_superseded(id) {
                    lender.tell(Event::Done { id, nodes: 0 });
                    continue;
                }
                let grow_at = table.grows_after();
                let mut watch = Watch { id, nodes: 0, grow_at, last_sign: lender.now(), control, lender };
                let ran = catch_unwind(AssertUnwindSafe(|| {
                    table.search.start(request);
                    while table.search.run(&mut watch) == Progress::Suspended {
                        if let Some(hash) = table.grow() {
                            lender.tell(Event::Hash(hash));
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
                        table = Growing::new(config.clone(), growth);
                        lend(&table.search, threads, lender);
                        Event::Failed { id, message: message_of(panic.as_ref()) }
                    }
                };
                lender.tell(last);
            }
        }
    }
}

/// Asks for all threads but this one, and tells if there are fewer.
fn lend(search: &Search, threads: usize, lender: &impl Lender) {
    let lent = 1 + (1..threads).filter(|&number| lender.lend(number, search.helper())).count();
    if lent < threads {
        lender.tell(Event::Threads(lent));
    }
}

/// The monitor of one search.
struct Watch<'a, L> {
    id: SearchId,
    nodes: u64,
    /// Nodes after which it makes way for a larger table.
    grow_at: Option<u64>,
    last_sign: Now,
    control: &'a Control,
    lender: &'a L,
}

impl<L: Lender> Monitor for Watch<'_, L> {
    fn poll(&mut self, nodes: u64) -> Decision {
        self.nodes = nodes;
        if !self.control.is_wanted(self.id) {
            return Decision::Stop;
        }
        let now = self.lender.now();
        if now.since(self.last_sign) >= BETWEEN_SIGNS_OF_LIFE {
            self.last_sign = now;
            self.lender.tell(Event::Progress { id: self.id, nodes });
        }
        if self.control.budget().is_spent(now) {
            Decision::Stop
        } else if self.grow_at.is_some_and(|at| nodes >= at) {
            Decision::Yield
        } else {
            Decision::Continue
        }
    }

    fn may_start_iteration(&mut self, next: &Iteration) -> bool {
        self.control.is_wanted(self.id) && self.control.budget().allows(self.lender.now(), next)
    }

    fn report(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        // Reports of a search nobody wants are not worth the queue.
        if !self.control.is_superseded(self.id) {
            self.lender.tell(Event::Report(report));
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
