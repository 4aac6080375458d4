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
    Decision, HashSize, Iteration, Monitor, Progress, Report, Search, SearchConfig, SearchId, SearchRequest,
};
use outflank::session::{Budget, Effect, Input, Now, Session};

/// How long the search keeps the thread. Shorter slices cost speed, longer ones let a stop wait.
const SLICE: Duration = Duration::from_millis(15);

/// The first slice of a search is short: its first values, cheap as they are, are shown at once.
const FIRST_SLICE: Duration = Duration::from_millis(3);

/// The table of a new driver: a page starts in little memory.
const FIRST_TABLE: HashSize = HashSize(4);

/// Nodes of one search after which the table is made as large as it may be.
const GROW_AFTER: u64 = 3_000_000;

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
    /// The table's size once a search turns out to be long.
    most: HashSize,
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
    /// There was memory only for a table of this size.
    Hash(HashSize),
    /// A book was to be opened or saved.
    NoFiles,
}

impl<H: Host> Driver<H> {
    /// A driver with an idle search, whose table may grow to the size in `config`.
    pub(crate) fn new(host: H, session: Box<dyn Session>, config: SearchConfig) -> Driver<H> {
        let most = config.hash;
        let search = Search::new(SearchConfig { hash: HashSize(most.0.min(FIRST_TABLE.0)), ..config });
        Driver { host, session, search, most, running: None, news: VecDeque::new(), ended: false }
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
        let length = if running.nodes == 0 { FIRST_SLICE } else { SLICE };
        let mut slice = Slice {
            host: &self.host,
            end: Now(self.host.now()) + length,
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
                if running.nodes >= GROW_AFTER && self.search.hash_size() < self.most {
                    self.search.grow(self.most);
                    // Memory may be short: what there was to be had has to do.
                    self.most = self.search.hash_size();
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
                News::Hash(size) => Input::Hash(*size),
                News::NoFiles => Input::Book(Err("there are no files here")),
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
                    self.most = hash;
                    self.search.resize(hash);
                    if self.search.hash_size() < hash {
                        self.news.push_back(News::Hash(self.search.hash_size()));
                    }
                }
                Effect::Clear => {
                    self.stop();
                    self.search.clear();
                }
                Effect::Seed(seed) => self.search.seed(&seed),
                Effect::OpenBook(_) | Effect::SaveBook(_) => self.news.push_back(News::NoFiles),
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use outflank::board::Position;
    use outflank::score::Confidence;
    use outflank::search::{Goal, HashSize, Limits};

    use super::*;

    /// A clock that goes on by a millisecond whenever it is looked at, and a sheet to write on.
    #[derive(Clone, Default)]
    struct Desk {
        time: Rc<Cell<u64>>,
        said: Rc<std::cell::RefCell<Vec<String>>>,
    }

    impl Host for Desk {
        fn now(&self) -> Duration {
            self.time.set(self.time.get() + 1);
            Duration::from_millis(self.time.get())
        }

        fn say(&mut self, line: &str) {
            self.said.borrow_mut().push(line.to_owned());
        }
    }

    /// Does what the line says and says what it is told.
    struct Puppet;

    impl Session for Puppet {
        fn handle(&mut self, now: Now, input: Input<'_>, effects: &mut Vec<Effect>) {
            let line = match input {
                Input::Line(line) => line,
                Input::Report(report) => {
                    return effects.push(Effect::Say(format!("report {}", report.id.0)));
                }
                Input::Progress { id, .. } => return effects.push(Effect::Say(format!("alive {}", id.0))),
                Input::Done { id, .. } => return effects.push(Effect::Say(format!("done {}", id.0))),
                other => return effects.push(Effect::Say(format!("{other:?}"))),
            };
            for order in line.split(", ") {
                let mut words = order.split(' ');
                let verb = words.next().unwrap_or_default();
                let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
                effects.push(match verb {
                    "search" => {
                        let (id, depth, milliseconds) = (number(), number() as u32, number());
                        let hard = (milliseconds > 0).then(|| now + Duration::from_millis(milliseconds));
                        let request = SearchRequest {
                            id: SearchId(id),
                            root: Position::START,
                            goal: Goal::BestMove,
                            limits: Limits::to_depth(depth, Confidence::EXACT),
                        };
                        Effect::Start(request, Budget { soft: None, hard })
                    }
                    "stop" => Effect::Stop(SearchId(number())),
                    "hurry" => Effect::SetBudget(SearchId(number()), Budget { soft: None, hard: Some(now) }),
                    "clear" => Effect::Clear,
                    "resize" => Effect::Resize(HashSize(number() as u32)),
                    "quit" => Effect::Quit,
                    _ => Effect::Say(order.to_owned()),
                });
            }
        }
    }

    fn driver() -> (Driver<Desk>, Desk) {
        let desk = Desk::default();
        let config = SearchConfig { hash: HashSize(1), ..SearchConfig::default() };
        (Driver::new(desk.clone(), Box::new(Puppet), config), desk)
    }

    fn count(desk: &Desk, line: &str) -> usize {
        desk.said.borrow().iter().filter(|said| *said == line).count()
    }

    #[test]
    fn a_search_reports_and_ends() {
        let (mut driver, desk) = driver();
        assert!(!driver.work());
        driver.line("search 1 4");
        while driver.work() {}
        assert!(count(&desk, "report 1") > 0);
        assert_eq!(desk.said.borrow().last().map(String::as_str), Some("done 1"));
        assert!(!driver.work());
        assert_eq!(count(&desk, "done 1"), 1);
    }

    #[test]
    fn a_slice_gives_the_thread_back() {
        let (mut driver, desk) = driver();
        driver.line("search 1 60");
        assert!(driver.work());
        assert!(count(&desk, "report 1") > 0, "the first, short slice has values");
        let before = desk.time.get();
        assert!(driver.work());
        let slice = desk.time.get() - before;
        assert!((10..=40).contains(&slice), "{slice} ms");
        for _ in 0..40 {
            assert!(driver.work());
        }
        assert!(count(&desk, "alive 1") >= 2);
        assert_eq!(count(&desk, "done 1"), 0);
    }

    #[test]
    fn a_stopped_search_sums_up_and_its_end_is_news() {
        let (mut driver, desk) = driver();
        driver.line("search 1 60");
        assert!(driver.work());
        desk.said.borrow_mut().clear();
        driver.line("stop 2, stop 1, stopped");
        let said = desk.said.borrow().clone();
        assert_eq!(said.first().map(String::as_str), Some("stopped"), "news comes after the effects");
        assert_eq!(said.last().map(String::as_str), Some("done 1"));
        assert!(!driver.work());
    }

    #[test]
    fn another_search_takes_the_place_of_the_first() {
        let (mut driver, desk) = driver();
        driver.line("search 1 60");
        assert!(driver.work());
        driver.line("search 2 3");
        assert_eq!(count(&desk, "done 1"), 1);
        while driver.work() {}
        assert_eq!(count(&desk, "done 2"), 1);
        assert!(count(&desk, "report 2") > 0);
    }

    #[test]
    fn a_deadline_ends_the_search() {
        let (mut driver, desk) = driver();
        driver.line("search 1 60 100");
        while driver.work() {}
        assert!((100..200).contains(&desk.time.get()), "{} ms", desk.time.get());
        driver.line("search 2 60");
        assert!(driver.work());
        driver.line("hurry 1");
        assert!(driver.work());
        driver.line("hurry 2");
        assert!(!driver.work());
        assert_eq!(count(&desk, "done 2"), 1);
    }

    #[test]
    fn a_change_of_the_table_ends_the_search() {
        for line in ["clear", "resize 2"] {
            let (mut driver, desk) = driver();
            driver.line("search 1 60");
            assert!(driver.work());
            driver.line(line);
            assert_eq!(count(&desk, "done 1"), 1);
            driver.line("search 2 3");
            while driver.work() {}
            assert_eq!(count(&desk, "done 2"), 1);
        }
    }

    #[test]
    fn the_table_grows_with_a_long_search() {
        let desk = Desk::default();
        let config = SearchConfig { hash: HashSize(9), ..SearchConfig::default() };
        let mut driver = Driver::new(desk.clone(), Box::new(Puppet), config);
        assert_eq!(driver.search.hash_size(), FIRST_TABLE);
        driver.line("search 1 6");
        while driver.work() {}
        assert_eq!(driver.search.hash_size(), FIRST_TABLE, "a short search does with little");
        driver.line("search 2 60");
        while driver.search.hash_size() == FIRST_TABLE {
            assert!(driver.work());
        }
        assert_eq!(driver.search.hash_size(), HashSize(9));
        assert!(driver.running.as_ref().is_some_and(|running| running.nodes >= GROW_AFTER));
        for _ in 0..10 {
            assert!(driver.work(), "it goes on");
        }
    }

    #[test]
    fn after_quit_nothing_is_done() {
        let (mut driver, desk) = driver();
        driver.line("search 1 60");
        assert!(driver.work());
        driver.line("quit, too late");
        assert!(driver.has_ended());
        desk.said.borrow_mut().clear();
        assert!(!driver.work());
        driver.line("hello");
        assert!(desk.said.borrow().is_empty());
    }
}
