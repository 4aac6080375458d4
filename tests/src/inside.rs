//! Session and search in this process, under a virtual clock.
//!
//! The search runs in slices of a few polls, and every poll takes a virtual millisecond. So a transcript always plays
//! the same way, and one that waits for ten seconds does not.

use std::collections::VecDeque;
use std::time::Duration;

use outflank::search::{Decision, Iteration, Monitor, Progress, Report, Search, SearchConfig, SearchId};
use outflank::session::{Budget, Conversation, Effect, Input, Now, Session};

use crate::engine::Engine;

const TICK: Duration = Duration::from_millis(1);
/// A slice in which the search gets no further than its table remembers would be repeated for ever.
const POLLS_IN_A_SLICE: u32 = 20;
const BETWEEN_SIGNS_OF_LIFE: Duration = Duration::from_millis(200);

/// An engine without threads, pipes or clock.
#[derive(Debug)]
pub struct Inside {
    session: Conversation,
    search: Search,
    running: Option<Running>,
    now: Now,
    said: VecDeque<String>,
    over: bool,
}

#[derive(Debug)]
struct Running {
    id: SearchId,
    budget: Budget,
    stopped: bool,
    nodes: u64,
    last_sign: Now,
}

impl Inside {
    /// An engine that carries out the effects of `session`.
    pub fn new(session: Conversation, config: SearchConfig) -> Inside {
        Inside {
            session,
            search: Search::new(config),
            running: None,
            now: Now::default(),
            said: VecDeque::new(),
            over: false,
        }
    }

    fn handle(&mut self, input: Input<'_>) {
        if self.over {
            return;
        }
        let mut effects = Vec::new();
        self.session.handle(self.now, input, &mut effects);
        for effect in effects {
            match effect {
                Effect::Say(line) => self.said.push_back(line),
                Effect::Start(request, budget) => {
                    let id = request.id;
                    self.search.start(request);
                    self.running =
                        Some(Running { id, budget, stopped: false, nodes: 0, last_sign: self.now });
                }
                Effect::SetBudget(id, budget) => {
                    if let Some(running) = self.running.as_mut().filter(|running| running.id == id) {
                        running.budget = budget;
                    }
                }
                Effect::Stop(id) => {
                    if let Some(running) = self.running.as_mut().filter(|running| running.id == id) {
                        running.stopped = true;
                    }
                }
                Effect::Resize(hash) => {
                    self.finish();
                    self.search.resize(hash);
                }
                Effect::Threads(_) => {}
                Effect::Clear => {
                    self.finish();
                    self.search.clear();
                }
                Effect::Seed(seed) => self.search.seed(&seed),
                Effect::OpenBook(_) => self.handle(Input::Book(Err("there are no files here"))),
                Effect::SaveBook(_) => {}
                Effect::Quit => self.over = true,
            }
        }
    }

    /// Stops the search under way and waits for its end.
    fn finish(&mut self) {
        if let Some(running) = &mut self.running {
            running.stopped = true;
        }
        while self.running.is_some() {
            self.slice();
        }
    }

    /// Lets the search work for a moment, if there is one.
    fn slice(&mut self) {
        let Some(mut running) = self.running.take() else { return };
        let mut watch = Watch { now: self.now, running: &mut running, reports: Vec::new(), polls: 0 };
        let progress = self.search.run(&mut watch);
        let (now, reports) = (watch.now, watch.reports);
        self.now = now;
        let id = running.id;
        let nodes = running.nodes;
        let sign = now.since(running.last_sign) >= BETWEEN_SIGNS_OF_LIFE;
        if sign {
            running.last_sign = now;
        }
        if progress == Progress::Suspended {
            self.running = Some(running);
        }
        for report in &reports {
            self.handle(Input::Report(report));
        }
        match progress {
            Progress::Finished => self.handle(Input::Done { id, nodes }),
            Progress::Suspended if sign => self.handle(Input::Progress { id, nodes }),
            Progress::Suspended => {}
        }
    }
}

impl Engine for Inside {
    fn send(&mut self, line: &str) {
        self.handle(Input::Line(line));
    }

    fn next_line(&mut self) -> Option<String> {
        loop {
            if let Some(line) = self.said.pop_front() {
                return Some(line);
            }
            if self.running.is_none() || self.over {
                return None;
            }
            self.slice();
        }
    }

    fn wait(&mut self, time: Duration) {
        let until = self.now + time;
        while self.now < until && self.running.is_some() {
            self.slice();
        }
        self.now = self.now.max(until);
    }

    fn close(&mut self) -> Option<Vec<String>> {
        self.handle(Input::Eof);
        while self.running.is_some() && !self.over {
            self.slice();
        }
        self.over.then(|| self.said.drain(..).collect())
    }
}

/// Yields at the end of a slice.
struct Watch<'a> {
    now: Now,
    running: &'a mut Running,
    reports: Vec<Report>,
    polls: u32,
}

impl Monitor for Watch<'_> {
    fn poll(&mut self, nodes: u64) -> Decision {
        self.now = self.now + TICK;
        self.polls += 1;
        self.running.nodes = nodes;
        if self.running.stopped || self.running.budget.is_spent(self.now) {
            Decision::Stop
        } else if self.polls >= POLLS_IN_A_SLICE {
            Decision::Yield
        } else {
            Decision::Continue
        }
    }

    fn may_start_iteration(&mut self, next: &Iteration) -> bool {
        !self.running.stopped && self.running.budget.allows(self.now, next)
    }

    fn report(&mut self, report: Report) {
        self.running.nodes = self.running.nodes.max(report.nodes);
        self.reports.push(report);
    }
}
