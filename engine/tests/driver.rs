//! The driver, with a search in slices and with one on a lent thread: a session sees no difference.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use outflank::board::Position;
use outflank::driver::{
    Clock, Driver, Host, SearchHost, Searcher, SliceConfig, SlicedSearcher, TableGrowth, ThreadedSearcher,
};
use outflank::random::Random;
use outflank::score::Confidence;
use outflank::search::{Goal, HashSize, Helper, Limits, SearchConfig, SearchId, SearchRequest};
use outflank::session::{Deadlines, Effect, Event, OpenBook, Session, Timestamp};

/// Longer than anything takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What the session said.
type Sheet = Rc<RefCell<Vec<String>>>;

/// Does what the line says and says what it is told.
#[derive(Debug)]
struct Puppet;

impl Session for Puppet {
    fn handle(&mut self, now: Timestamp, event: &Event, effects: &mut Vec<Effect>) {
        let line = match event {
            Event::Line(line) => line,
            Event::Report(report) => return effects.push(Effect::Send(format!("report {}", report.id.0))),
            Event::Progress { id, .. } => return effects.push(Effect::Send(format!("alive {}", id.0))),
            Event::Done { id, .. } => return effects.push(Effect::Send(format!("done {}", id.0))),
            Event::Book(Ok(book)) => return effects.push(Effect::Send(format!("opened {}", book.path))),
            Event::Book(Err(reason)) => return effects.push(Effect::Send(format!("no book: {reason}"))),
            other => return effects.push(Effect::Send(format!("{other:?}"))),
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

/// A driver of either kind, and what it says.
trait Setup {
    fn line(&mut self, line: &str);
    /// Lets it work for a moment; false when there is nothing to do.
    fn work(&mut self) -> bool;
    /// The same for a very short moment.
    fn glance(&mut self);
    fn has_ended(&self) -> bool;
    fn sheet(&self) -> Sheet;

    fn count(&self, line: &str) -> usize {
        self.sheet().borrow().iter().filter(|said| *said == line).count()
    }
}

/// A clock that goes on by a millisecond whenever it is looked at.
#[derive(Clone, Debug, Default)]
struct Ticks(Rc<Cell<u64>>);

impl Clock for Ticks {
    fn now(&self) -> Timestamp {
        self.0.set(self.0.get() + 1);
        Timestamp(Duration::from_millis(self.0.get()))
    }
}

#[derive(Debug, Default)]
struct Desk<C> {
    clock: C,
    sheet: Sheet,
}

impl<C: Clock> Clock for Desk<C> {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl<C: Clock> Host for Desk<C> {
    fn send_line(&mut self, line: String) {
        self.sheet.borrow_mut().push(line);
    }

    fn open_book(&mut self, path: String) -> Result<OpenBook, String> {
        Err(format!("{path} is not there"))
    }
}

struct Sliced {
    driver: Driver<Desk<Ticks>, SlicedSearcher<Ticks>>,
    clock: Ticks,
    sheet: Sheet,
}

impl Sliced {
    fn new() -> Sliced {
        let (clock, sheet) = (Ticks::default(), Sheet::default());
        let config = SliceConfig {
            length: Duration::from_millis(15),
            first: Duration::from_millis(3),
            growth: TableGrowth::NONE,
        };
        let slices = SlicedSearcher::new(clock.clone(), small(), config);
        let desk = Desk { clock: clock.clone(), sheet: Rc::clone(&sheet) };
        Sliced { driver: Driver::new(desk, Puppet, slices), clock, sheet }
    }
}

impl Setup for Sliced {
    fn line(&mut self, line: &str) {
        self.driver.handle(Event::Line(line.to_owned()));
    }

    fn work(&mut self) -> bool {
        self.driver.work()
    }

    fn glance(&mut self) {
        self.driver.work();
    }

    fn has_ended(&self) -> bool {
        self.driver.has_ended()
    }

    fn sheet(&self) -> Sheet {
        Rc::clone(&self.sheet)
    }
}

fn small() -> SearchConfig {
    SearchConfig { hash: HashSize(1), ..SearchConfig::default() }
}

#[derive(Clone, Copy, Debug)]
struct RealTime(Instant);

impl Clock for RealTime {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.elapsed())
    }
}

struct Threads {
    clock: RealTime,
    events: Sender<Event>,
    /// No more helpers are to be had.
    most: usize,
}

impl Clock for Threads {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl SearchHost for Threads {
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

struct Threaded {
    driver: Driver<Desk<RealTime>, ThreadedSearcher>,
    events: Receiver<Event>,
    sheet: Sheet,
}

impl Threaded {
    fn new(threads: usize) -> Threaded {
        Threaded::with(threads, small(), TableGrowth::NONE, usize::MAX)
    }

    /// One whose table grows in every search that is not over at once.
    fn growing(threads: usize) -> Threaded {
        let growth = TableGrowth { first: HashSize(1), after: 20_000 };
        Threaded::with(threads, SearchConfig { hash: HashSize(3), ..small() }, growth, usize::MAX)
    }

    fn with(threads: usize, config: SearchConfig, growth: TableGrowth, most: usize) -> Threaded {
        let (clock, sheet) = (RealTime(Instant::now()), Sheet::default());
        let (lent, thread) = ThreadedSearcher::new();
        let (send, events) = channel();
        let lender = Threads { clock, events: send, most };
        thread::Builder::new()
            .stack_size(16 << 20)
            .spawn(move || thread.work(config, growth, threads, &lender))
            .unwrap();
        let desk = Desk { clock, sheet: Rc::clone(&sheet) };
        Threaded { driver: Driver::new(desk, Puppet, lent), events, sheet }
    }
}

impl Setup for Threaded {
    fn line(&mut self, line: &str) {
        self.driver.handle(Event::Line(line.to_owned()));
    }

    fn work(&mut self) -> bool {
        let event = self.events.recv_timeout(Duration::from_millis(300));
        event.map(|event| self.driver.handle(event)).is_ok()
    }

    fn glance(&mut self) {
        if let Ok(event) = self.events.recv_timeout(Duration::from_millis(3)) {
            self.driver.handle(event);
        }
    }

    fn has_ended(&self) -> bool {
        self.driver.has_ended()
    }

    fn sheet(&self) -> Sheet {
        Rc::clone(&self.sheet)
    }
}

fn each(test: impl Fn(&mut dyn Setup)) {
    test(&mut Sliced::new());
    test(&mut Threaded::new(1));
    test(&mut Threaded::new(3));
    test(&mut Threaded::growing(1));
    test(&mut Threaded::growing(3));
}

fn said(setup: &dyn Setup) -> Vec<String> {
    setup.sheet().borrow().clone()
}

/// Works until `line` was said.
fn until(setup: &mut dyn Setup, line: &str) {
    let start = Instant::now();
    while setup.count(line) == 0 {
        assert!(start.elapsed() < TIMEOUT, "no `{line}` in {:?}", said(setup));
        setup.work();
    }
}

/// Works until there is nothing to do.
fn rest(setup: &mut dyn Setup) {
    while setup.work() {}
}

#[test]
fn a_search_reports_and_ends() {
    each(|setup| {
        assert!(!setup.work());
        setup.line("search 1 4");
        until(setup, "done 1");
        rest(setup);
        assert!(setup.count("report 1") > 0);
        assert_eq!(said(setup).last().map(String::as_str), Some("done 1"));
        assert_eq!(setup.count("done 1"), 1);
    });
}

#[test]
fn threads_that_are_refused_are_told_of_and_the_search_goes_on_without() {
    for most in [0, 2] {
        let mut setup = Threaded::with(5, small(), TableGrowth::NONE, most);
        until(&mut setup, &format!("Threads({})", most + 1));
        setup.line("search 1 6");
        until(&mut setup, "done 1");
        assert!(setup.count("report 1") > 0);
        // As many as there are may be asked for, and again more.
        setup.line(&format!("threads {}, search 2 6", most + 1));
        until(&mut setup, "done 2");
        assert_eq!(setup.count(&format!("Threads({})", most + 1)), 1);
        setup.line("threads 9");
        rest(&mut setup);
        assert_eq!(setup.count(&format!("Threads({})", most + 1)), 2);
    }
}

#[test]
fn a_stopped_search_sums_up_and_its_end_comes_after_the_effects() {
    each(|setup| {
        setup.line("search 1 60");
        until(setup, "report 1");
        setup.sheet().borrow_mut().clear();
        setup.line("stop 2, stop 1, stopped");
        until(setup, "done 1");
        rest(setup);
        let said = said(setup);
        assert_eq!(said.first().map(String::as_str), Some("stopped"), "{said:?}");
        assert_eq!(said.last().map(String::as_str), Some("done 1"));
    });
}

#[test]
fn another_search_takes_the_place_of_the_first() {
    each(|setup| {
        setup.line("search 1 60");
        until(setup, "report 1");
        setup.line("search 2 3");
        until(setup, "done 2");
        rest(setup);
        assert_eq!((setup.count("done 1"), setup.count("done 2")), (1, 1));
        assert!(setup.count("report 2") > 0);
    });
}

#[test]
fn a_long_search_gives_signs_of_life_until_its_deadline() {
    each(|setup| {
        setup.line("search 1 60 900");
        until(setup, "done 1");
        assert!(setup.count("alive 1") >= 2, "{:?}", said(setup));
        setup.line("search 2 60");
        until(setup, "report 2");
        setup.line("hurry 1");
        until(setup, "alive 2");
        assert_eq!(setup.count("done 2"), 0, "the deadline of another search is not its own");
        setup.line("hurry 2");
        until(setup, "done 2");
    });
}

#[test]
fn a_change_of_table_or_threads_ends_the_search() {
    for line in ["clear", "resize 2", "threads 2"] {
        each(|setup| {
            setup.line("search 1 60");
            until(setup, "report 1");
            setup.line(line);
            until(setup, "done 1");
            setup.line("search 2 3");
            until(setup, "done 2");
            assert_eq!(setup.count("done 1"), 1);
        });
    }
}

#[test]
fn the_answer_of_a_host_comes_after_the_effects() {
    each(|setup| {
        setup.line("open, meanwhile");
        assert_eq!(said(setup), ["meanwhile", "no book: book.txt is not there"]);
    });
}

#[test]
fn after_quit_nothing_is_done() {
    each(|setup| {
        setup.line("search 1 60");
        until(setup, "report 1");
        setup.sheet().borrow_mut().clear();
        setup.line("quit, too late");
        assert!(setup.has_ended());
        rest(setup);
        setup.line("hello");
        assert!(said(setup).is_empty());
    });
}

/// Random orders, at random moments: every search ends once, or is overtaken by another, and whoever goes on is alive.
#[test]
fn orders_in_any_order() {
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
                    setup.glance();
                }
            }
            last += 1;
            setup.line(&format!("search {last} 3"));
            until(setup, &format!("done {last}"));
            rest(setup);
            for id in 1..=last {
                assert!(setup.count(&format!("done {id}")) <= 1, "{id}: {:?}", said(setup));
            }
        });
    }
}

#[test]
fn a_slice_gives_the_thread_back() {
    let mut sliced = Sliced::new();
    sliced.line("search 1 60");
    assert!(sliced.work());
    assert!(sliced.count("report 1") > 0, "the first, short slice has values");
    let before = sliced.clock.0.get();
    assert!(sliced.work());
    let slice = sliced.clock.0.get() - before;
    assert!((10..=40).contains(&slice), "{slice} ms");
    assert_eq!(sliced.count("done 1"), 0);
}

#[test]
fn a_thread_that_is_gone_is_noticed() {
    let (mut lent, thread) = ThreadedSearcher::new();
    lent.clear();
    assert!(!lent.is_disconnected());
    drop(thread);
    lent.clear();
    assert!(lent.is_disconnected());
}
