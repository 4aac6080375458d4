//! The search's thread.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use super::clock::Clock;
use super::control::Control;
use super::inbox::Inbox;
use super::jobs::{Job, Jobs, Next, Worker};
use outflank::search::{
    Decision, HashSize, Iteration, Monitor, Progress, Report, Search, SearchConfig, SearchId,
};
use outflank::session::Now;

/// The stack of a thread that searches, in bytes.
pub(super) const STACK: usize = 16 << 20;

/// How often a search says that it is alive.
const BETWEEN_SIGNS_OF_LIFE: Duration = Duration::from_millis(200);

/// How many parts of the table are touched beforehand: a larger one is used for searches that take their time.
const MOST_TOUCHED: usize = 512;

/// What the search's thread tells.
#[derive(Debug)]
pub(super) enum News {
    /// A report.
    Report(Report),
    /// A sign of life.
    Progress { id: SearchId, nodes: u64 },
    /// There was memory only for a table of this size.
    Hash(HashSize),
    /// The end of a search.
    Done { id: SearchId, nodes: u64 },
    /// The end of a search that broke down.
    Failed { id: SearchId, message: String },
}

impl News {
    /// Whether a session may be waiting for it, not only to be told how things go.
    pub(super) fn is_final(&self) -> bool {
        match self {
            News::Report(_) | News::Progress { .. } => false,
            News::Hash(_) | News::Done { .. } | News::Failed { .. } => true,
        }
    }
}

/// Does jobs until there will be no more, with the help of `threads - 1` other threads.
pub(super) fn work(
    config: impl FnOnce() -> SearchConfig,
    threads: usize,
    jobs: &Jobs,
    inbox: &Inbox,
    control: &Control,
    clock: Clock,
) {
    let jobs = Worker(jobs);
    let mut config = config();
    let mut threads = threads;
    let mut search = Search::new(config.clone());
    lend_threads(&search, threads);
    tell_hash(&search, config.hash, inbox);
    // The part of the table to be touched next, as long as there is nothing else to do.
    let mut untouched = Some(0);
    loop {
        let job = match untouched {
            Some(part) => match jobs.poll() {
                Next::Do(job) => job,
                Next::Idle => {
                    untouched = (part < MOST_TOUCHED && search.touch(part)).then_some(part + 1);
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
                search.close_helpers();
                lend_threads(&search, threads);
            }
            Job::Resize(hash) => {
                config.hash = hash;
                search.resize(hash);
                tell_hash(&search, hash, inbox);
                untouched = Some(0);
            }
            Job::Clear => search.clear(),
            Job::Seed(seed) => search.seed(&seed),
            Job::Search(request) => {
                let id = request.id;
                if control.is_superseded(id) {
                    inbox.news(News::Done { id, nodes: 0 });
                    continue;
                }
                let mut watch = Watch { id, nodes: 0, last_sign: clock.now(), clock, control, inbox };
                let ran = catch_unwind(AssertUnwindSafe(|| {
                    search.start(request);
                    while search.run(&mut watch) == Progress::Suspended {}
                }));
                let nodes = watch.nodes;
                let last = match ran {
                    Ok(()) => News::Done { id, nodes },
                    Err(panic) => {
                        // What a broken search left behind is not to be trusted.
                        search.close_helpers();
                        search = Search::new(config.clone());
                        lend_threads(&search, threads);
                        News::Failed { id, message: message_of(panic.as_ref()) }
                    }
                };
                inbox.news(last);
            }
        }
    }
}

/// Tells if the table has become smaller than `wanted`.
fn tell_hash(search: &Search, wanted: HashSize, inbox: &Inbox) {
    if search.hash_size() < wanted {
        inbox.news(News::Hash(search.hash_size()));
    }
}

/// Starts all threads but this one. They sleep until there is work to share, and end when the helpers are closed;
/// where one cannot be started, the search is slower by it.
pub fn lend_threads(search: &Search, threads: usize) {
    for number in 1..threads {
        let helper = search.helper();
        let thread = thread::Builder::new().name(format!("helper {number}")).stack_size(STACK);
        let _ = thread.spawn(move || helper.help());
    }
}

/// The monitor of one search.
struct Watch<'a> {
    id: SearchId,
    nodes: u64,
    last_sign: Now,
    clock: Clock,
    control: &'a Control,
    inbox: &'a Inbox,
}

impl Monitor for Watch<'_> {
    fn poll(&mut self, nodes: u64) -> Decision {
        self.nodes = nodes;
        if !self.control.is_wanted(self.id) {
            return Decision::Stop;
        }
        let now = self.clock.now();
        if now.since(self.last_sign) >= BETWEEN_SIGNS_OF_LIFE {
            self.last_sign = now;
            self.inbox.news(News::Progress { id: self.id, nodes });
        }
        if self.control.budget().is_spent(now) { Decision::Stop } else { Decision::Continue }
    }

    fn may_start_iteration(&mut self, next: &Iteration) -> bool {
        self.control.is_wanted(self.id) && self.control.budget().allows(self.clock.now(), next)
    }

    fn report(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        // Reports of a search nobody wants are not worth the queue.
        if !self.control.is_superseded(self.id) {
            self.inbox.news(News::Report(report));
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
