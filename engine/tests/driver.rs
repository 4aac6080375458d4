//! The driver with both searchers. A session cannot tell which one runs. The clock is virtual.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use outflank::board::Position;
use outflank::driver::{
    Clock, Driver, Host, SearchHost, Searcher, SliceConfig, SlicedSearcher, TableGrowth, ThreadedSearcher,
};
use outflank::random::Random;
use outflank::score::Confidence;
use outflank::search::{Goal, HashSize, Helper, Limits, SearchConfig, SearchId, SearchRequest};
use outflank::session::{BookError, Deadlines, Effect, Event, OpenBook, Session, Timestamp};

/// Ends a test that hangs.
const HANG_TIMEOUT: Duration = Duration::from_secs(600);

/// The lines sent by the session.
type SentLines = Rc<RefCell<Vec<String>>>;

/// A session that carries out the orders in a line, and sends other words and a line for each event.
#[derive(Debug)]
struct ScriptedSession;

impl Session for ScriptedSession {
    fn handle(&mut self, now: Timestamp, event: &Event, effects: &mut Vec<Effect>) {
        let line = match event {
            Event::Line(line) => line.clone(),
            Event::Report(report) => format!("report {}", report.id.0),
            Event::Progress { id, .. } => format!("alive {}", id.0),
            Event::Done { id, .. } => format!("done {}", id.0),
            Event::Book(Ok(book)) => format!("opened {}", book.path),
            Event::Book(Err(error)) => format!("no book: {error}"),
            other => format!("{other:?}"),
        };
        for order in line.split(", ") {
            let mut words = order.split(' ');
            let verb = words.next().unwrap_or_default();
            let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
            effects.push(match verb {
                "search" => {
                    let (id, depth, milliseconds) = (SearchId(number()), number() as u32, number());
                    let hard = (milliseconds > 0).then(|| now + Duration::from_millis(milliseconds));
                    let limits = Limits::to_depth(depth, Confidence::EXACT);
                    let request = SearchRequest { id, root: Position::START, goal: Goal::BestMove, limits };
                    Effect::Start(request, Deadlines { soft: None, hard })
                }
                "stop" => Effect::Stop(SearchId(number())),
                "hurry" => {
                    Effect::SetDeadlines(SearchId(number()), Deadlines { soft: None, hard: Some(now) })
                }
                "clear" => Effect::Clear,
                "resize" => Effect::Resize(HashSize(number() as u32)),
                "threads" => Effect::Threads(number() as usize),
                "open" => Effect::OpenBook("book.txt".to_owned()),
                "quit" => Effect::Quit,
                _ => Effect::Send(order.to_owned()),
            });
        }
    }
}

/// A clock that advances by `step` milliseconds at every reading.
#[derive(Clone, Debug)]
struct Ticks {
    millis: Arc<AtomicU64>,
    step: u64,
}

impl Ticks {
    fn of(step: u64) -> Ticks {
        Ticks { millis: Arc::default(), step }
    }
}

impl Clock for Ticks {
    fn now(&self) -> Timestamp {
        Timestamp(Duration::from_millis(self.millis.fetch_add(self.step, Relaxed)))
    }
}

struct LineCollector {
    clock: Ticks,
    sent: SentLines,
}

impl Host for LineCollector {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn send_line(&mut self, line: String) {
        self.sent.borrow_mut().push(line);
    }

    fn open_book(&mut self, path: String) -> Result<OpenBook, BookError> {
        Err(BookError(format!("{path} is not there")))
    }
}

fn small() -> SearchConfig {
    SearchConfig::default().with_hash(HashSize(1))
}

struct Threads {
    clock: Ticks,
    events: Sender<Event>,
    /// No more helpers can be started.
    most: usize,
}

impl SearchHost for Threads {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn send_event(&self, event: Event) {
        let _ = self.events.send(event);
    }

    fn spawn_helper(&self, number: usize, helper: Helper) -> bool {
        if number > self.most {
            return false;
        }
        thread::spawn(move || helper.help());
        true
    }
}

enum AnyDriver {
    Sliced(Box<Driver<LineCollector, SlicedSearcher<Ticks>>>),
    Threaded(Driver<LineCollector, ThreadedSearcher>, Receiver<Event>),
}

/// A driver, and the lines that it sends.
struct Setup {
    driver: AnyDriver,
    sent: SentLines,
}

impl Setup {
    fn sliced(clock: Ticks) -> Setup {
        let sent = SentLines::default();
        let config = SliceConfig {
            length: Duration::from_millis(15),
            first: Duration::from_millis(3),
            growth: TableGrowth::NONE,
        };
        let searcher = SlicedSearcher::new(clock.clone(), small(), config);
        let host = LineCollector { clock, sent: Rc::clone(&sent) };
        let driver = Box::new(Driver::new(host, ScriptedSession, searcher));
        Setup { driver: AnyDriver::Sliced(driver), sent }
    }

    fn threaded(threads: usize, config: SearchConfig, growth: TableGrowth, most: usize) -> Setup {
        let (clock, sent) = (Ticks::of(10), SentLines::default());
        let (searcher, thread) = ThreadedSearcher::new();
        let (send, events) = channel();
        let host = Threads { clock: clock.clone(), events: send, most };
        thread::Builder::new()
            .stack_size(16 << 20)
            .spawn(move || thread.work(config, growth, threads, &host))
            .unwrap();
        let host = LineCollector { clock, sent: Rc::clone(&sent) };
        Setup { driver: AnyDriver::Threaded(Driver::new(host, ScriptedSession, searcher), events), sent }
    }

    fn line(&mut self, line: &str) {
        let line = Event::Line(line.to_owned());
        match &mut self.driver {
            AnyDriver::Sliced(driver) => driver.handle(line),
            AnyDriver::Threaded(driver, _) => driver.handle(line),
        }
    }

    /// Works for a slice, or takes an event, for which it waits if `waits` is set. Returns `false` if there is nothing to do now.
    fn work(&mut self, waits: bool) -> bool {
        match &mut self.driver {
            AnyDriver::Sliced(driver) => driver.work(),
            AnyDriver::Threaded(driver, events) => {
                thread::yield_now();
                let event =
                    if waits { events.recv_timeout(HANG_TIMEOUT).ok() } else { events.try_recv().ok() };
                event.map(|event| driver.handle(event)).is_some()
            }
        }
    }

    fn has_ended(&self) -> bool {
        match &self.driver {
            AnyDriver::Sliced(driver) => driver.has_ended(),
            AnyDriver::Threaded(driver, _) => driver.has_ended(),
        }
    }

    fn lines(&self) -> Vec<String> {
        self.sent.borrow().clone()
    }

    fn count(&self, line: &str) -> usize {
        self.lines().iter().filter(|sent| *sent == line).count()
    }

    /// Works until `line` was sent.
    fn until(&mut self, line: &str) {
        while self.count(line) == 0 {
            let has_worked = self.work(true);
            assert!(has_worked || self.count(line) > 0, "no `{line}` in {:?}", self.lines());
        }
    }

    /// Starts a search without end, and drops its first lines.
    fn search_on(&mut self) {
        assert!(!self.work(false));
        self.line("search 1 60");
        self.until("report 1");
        self.sent.borrow_mut().clear();
    }

    /// Works until all earlier jobs are done: until another search has ended.
    fn rest(&mut self) {
        self.line("search 99 1");
        self.until("done 99");
        self.sent.borrow_mut().retain(|line| !line.ends_with(" 99"));
    }
}

fn each(test: impl Fn(&mut Setup)) {
    test(&mut Setup::sliced(Ticks::of(3)));
    // The table grows in every search that takes some time.
    let growth = TableGrowth { first: HashSize(1), after: 20_000 };
    for threads in [1, 3] {
        test(&mut Setup::threaded(threads, small(), TableGrowth::NONE, usize::MAX));
        test(&mut Setup::threaded(threads, small().with_hash(HashSize(3)), growth, usize::MAX));
    }
}

#[test]
fn refused_threads_are_reported_and_search_continues() {
    for most in [0, 2] {
        let mut setup = Setup::threaded(5, small(), TableGrowth::NONE, most);
        let reduced = format!("ThreadsReduced({})", most + 1);
        setup.until(&reduced);
        setup.line("search 1 6");
        setup.until("done 1");
        assert!(setup.count("report 1") > 0);
        // All available threads can be requested, and more again.
        setup.line(&format!("threads {}, search 2 6", most + 1));
        setup.until("done 2");
        assert_eq!(setup.count(&reduced), 1);
        setup.line("threads 9");
        setup.rest();
        assert_eq!(setup.count(&reduced), 2);
    }
}

#[test]
fn stopped_search_reports_before_its_end() {
    each(|setup| {
        setup.search_on();
        setup.line("stop 2, stop 1, stopped");
        setup.until("done 1");
        setup.rest();
        let lines = setup.lines();
        let ends = (lines.first(), lines.last());
        assert_eq!(ends, (Some(&"stopped".to_owned()), Some(&"done 1".to_owned())), "{lines:?}");
    });
}

#[test]
fn long_search_sends_progress_until_its_deadline() {
    each(|setup| {
        setup.line("search 1 60 700");
        setup.until("done 1");
        assert!(setup.count("alive 1") >= 2, "{:?}", setup.lines());
        setup.line("search 2 60");
        setup.until("report 2");
        setup.line("hurry 1");
        setup.until("alive 2");
        assert_eq!(setup.count("done 2"), 0, "another search has a separate deadline");
        setup.line("hurry 2");
        setup.until("done 2");
    });
}

#[test]
fn change_of_table_or_threads_and_another_search_end_the_search() {
    for line in ["clear", "resize 2", "threads 2", "search 2 3"] {
        each(|setup| {
            setup.search_on();
            setup.line(line);
            setup.until("done 1");
            setup.line("search 3 3");
            setup.until("done 3");
            assert_eq!((setup.count("done 1"), setup.count("done 3")), (1, 1));
            assert!(setup.count("report 3") > 0);
        });
    }
}

#[test]
fn answer_of_a_host_follows_the_effects() {
    each(|setup| {
        setup.line("open, meanwhile");
        assert_eq!(setup.lines(), ["meanwhile", "no book: book.txt is not there"]);
    });
}

#[test]
fn quit_ends_all_output() {
    each(|setup| {
        setup.search_on();
        setup.line("quit, too late");
        assert!(setup.has_ended());
        match &mut setup.driver {
            AnyDriver::Sliced(driver) => while driver.work() {},
            // The search thread ends.
            AnyDriver::Threaded(driver, events) => events.iter().for_each(|event| driver.handle(event)),
        }
        setup.line("hello");
        assert!(setup.lines().is_empty());
    });
}

/// Random orders at random moments: every search ends once or is superseded.
#[test]
fn random_orders_at_random_moments() {
    const ORDERS: [&str; 8] =
        ["search", "search", "stop", "hurry", "clear", "resize 2", "threads 2", "resize 1, clear, stop"];
    for seed in 1..=6_u64 {
        each(|setup| {
            let mut random = Random::new(seed);
            let mut last = 0;
            for _ in 0..60 {
                let order = ORDERS[random.below(ORDERS.len() as u32) as usize];
                if order == "search" {
                    last += 1;
                    setup.line(&format!("search {last} {} {}", 1 + random.below(20), 5 + random.below(30)));
                } else {
                    setup.line(&format!("{order} {last}"));
                }
                for _ in 0..random.below(4) {
                    setup.work(false);
                }
            }
            last += 1;
            setup.line(&format!("search {last} 3"));
            setup.until(&format!("done {last}"));
            setup.rest();
            for id in 1..=last {
                assert!(setup.count(&format!("done {id}")) <= 1, "{id}: {:?}", setup.lines());
            }
        });
    }
}

#[test]
fn slice_returns_in_time() {
    let clock = Ticks::of(1);
    let mut sliced = Setup::sliced(clock.clone());
    sliced.line("search 1 60");
    assert!(sliced.work(false));
    assert!(sliced.count("report 1") > 0, "the first, short slice has values");
    let before = clock.millis.load(Relaxed);
    assert!(sliced.work(false));
    let slice = clock.millis.load(Relaxed) - before;
    assert!((10..=40).contains(&slice), "{slice} ms");
    assert_eq!(sliced.count("done 1"), 0);
}

#[test]
fn missing_thread_is_noticed() {
    let (mut searcher, thread) = ThreadedSearcher::new();
    searcher.carry_out(Effect::Clear);
    assert!(!searcher.is_disconnected());
    drop(thread);
    searcher.carry_out(Effect::Clear);
    assert!(searcher.is_disconnected());
}
