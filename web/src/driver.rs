//! Carries out a session's effects with one thread.
//!
//! The native driver searches on threads of its own and can be interrupted at any time. Here the search and
//! the lines share one thread, so the search works in slices: [`Driver::work`] runs it for [`SLICE`], and
//! between two slices the caller lets lines in by [`Driver::line`]. A search that was given up between slices
//! keeps what it learnt in the transposition table.
//!
//! News of the search reaches the session after the effects that caused it are all carried out, as it does
//! natively, where it comes from another thread.

use std::collections::VecDeque;
use std::time::Duration;

use outflank::search::{
    Decision, Iteration, Monitor, Progress, Report, Search, SearchConfig, SearchId, SearchRequest,
};
use outflank::session::{Budget, Effect, Input, Now, Session};

/// How long the search keeps the thread. Shorter slices cost speed, longer ones let a stop wait.
const SLICE: Duration = Duration::from_millis(15);

/// How often a session hears that its search is alive.
const PROGRESS: Duration = Duration::from_millis(250);

/// What the driver needs of its surroundings.
pub(crate) trait Host {
    /// Time since the driver was made.
    fn now(&self) -> Duration;

    /// Sends a line to the other end.
    fn say(&mut self, line: &str);
}

/// A session, a search, and the thread they share.
pub(crate) struct Driver<H> {
    host: H,
    session: Box<dyn Session>,
    search: Search,
    running: Option<Running>,
    news: VecDeque<News>,
    ended: bool,
}

/// The search under way.
struct Running {
    id: SearchId,
    budget: Budget,
    nodes: u64,
    /// When the session last heard of it.
    told: Duration,
}

/// Something the session has yet to hear.
enum News {
    Report(Report),
    Progress(SearchId, u64),
    Done(SearchId, u64),
}

impl<H: Host> Driver<H> {
    /// A driver with an idle search.
    pub(crate) fn new(host: H, session: Box<dyn Session>, config: SearchConfig) -> Driver<H> {
        let search = Search::new(config);
        Driver { host, session, search, running: None, news: VecDeque::new(), ended: false }
    }

    /// Takes one line.
    pub(crate) fn line(&mut self, text: &str) {
        if !self.ended {
            let now = Now(self.host.now());
            let mut effects = Vec::new();
            self.session.handle(now, Input::Line(text), &mut effects);
            self.carry_out(effects);
            self.deliver();
        }
    }

    /// Searches for one slice; whether there is more to do.
    pub(crate) fn work(&mut self) -> bool {
        if let Some(running) = self.running.take() {
            self.slice(running, Urgency::Slice);
            self.deliver();
        }
        self.running.is_some()
    }

    /// Whether the session asked to leave.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Runs the search once and keeps its news. It stays under way if it was only suspended.
    fn slice(&mut self, mut running: Running, urgency: Urgency) {
        let mut slice = Slice {
            host: &self.host,
            end: Now(self.host.now()) + SLICE,
            urgency,
            budget: running.budget,
            nodes: running.nodes,
            news: &mut self.news,
        };
        let progress = self.search.run(&mut slice);
        running.nodes = slice.nodes;
        match progress {
            Progress::Finished => self.news.push_back(News::Done(running.id, running.nodes)),
            Progress::Suspended => {
                let now = self.host.now();
                if now.saturating_sub(running.told) >= PROGRESS {
                    running.told = now;
                    self.news.push_back(News::Progress(running.id, running.nodes));
                }
                self.running = Some(running);
            }
        }
    }

    /// Tells the session everything it has yet to hear, and what follows from that.
    fn deliver(&mut self) {
        while !self.ended
            && let Some(news) = self.news.pop_front()
        {
            let input = match &news {
                News::Report(report) => Input::Report(report),
                News::Progress(id, nodes) => Input::Progress { id: *id, nodes: *nodes },
                News::Done(id, nodes) => Input::Done { id: *id, nodes: *nodes },
            };
            let mut effects = Vec::new();
            self.session.handle(Now(self.host.now()), input, &mut effects);
            self.carry_out(effects);
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Say(line) => self.host.say(&line),
                Effect::Start(request, budget) => self.start(request, budget),
                Effect::SetBudget(id, budget) => {
                    if let Some(running) = self.running.as_mut().filter(|running| running.id == id) {
                        running.budget = budget;
                    }
                }
                Effect::Stop(id) => {
                    if self.running.as_ref().is_some_and(|running| running.id == id) {
                        self.stop();
                    }
                }
                Effect::Resize(hash) => {
                    self.stop();
                    self.search.resize(hash);
                }
                Effect::Clear => {
                    self.stop();
                    self.search.clear();
                }
                Effect::Seed(seed) => self.search.seed(&seed),
                // One worker is one thread.
                Effect::Threads(_) => self.stop(),
                Effect::Quit => {
                    self.stop();
                    self.ended = true;
                    return;
                }
            }
        }
    }

    fn start(&mut self, request: SearchRequest, budget: Budget) {
        self.stop();
        self.running = Some(Running { id: request.id, budget, nodes: 0, told: self.host.now() });
        self.search.start(request);
    }

    /// Ends the search under way, if any: it sums up what it knows, and its end is news.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            self.slice(running, Urgency::Stop);
            if let Some(running) = self.running.take() {
                // It kept its place although it was told to stop; the next start gives it up.
                self.news.push_back(News::Done(running.id, running.nodes));
            }
        }
    }
}

/// Why the search is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Urgency {
    /// For one slice.
    Slice,
    /// To sum up and end.
    Stop,
}

/// One stretch of searching, as the search sees it.
struct Slice<'a, H> {
    host: &'a H,
    end: Now,
    urgency: Urgency,
    budget: Budget,
    nodes: u64,
    news: &'a mut VecDeque<News>,
}

impl<H: Host> Slice<'_, H> {
    fn now(&self) -> Now {
        Now(self.host.now())
    }
}

impl<H: Host> Monitor for Slice<'_, H> {
    fn poll(&mut self, nodes: u64) -> Decision {
        self.nodes = nodes;
        let now = self.now();
        if self.urgency == Urgency::Stop || self.budget.is_spent(now) {
            Decision::Stop
        } else if now >= self.end {
            Decision::Yield
        } else {
            Decision::Continue
        }
    }

    fn may_start_iteration(&mut self, next: &Iteration) -> bool {
        self.urgency == Urgency::Slice && self.budget.allows(self.now(), next)
    }

    fn report(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        self.news.push_back(News::Report(report));
    }
}
