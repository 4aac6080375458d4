//! Session and search in this process, with a virtual clock.
//!
//! The search runs in slices, and each reading of the clock takes a virtual millisecond. A transcript is therefore
//! reproducible, and a wait of ten seconds takes no time.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use outflank::driver::{Clock, Driver, Host, SliceConfig, SlicedSearcher, TableGrowth};
use outflank::search::SearchConfig;
use outflank::session::{Conversation, Event, Timestamp};

use crate::engine::Engine;

const TICK: Duration = Duration::from_millis(1);
/// Length of a slice. A search that cannot advance beyond its table within a slice would repeat it indefinitely.
const SLICE: Duration = Duration::from_millis(20);

/// An engine without threads, pipes or clock.
#[derive(Debug)]
pub struct InProcess {
    driver: Driver<LineCollector, SlicedSearcher<VirtualClock>>,
    clock: VirtualClock,
    output: Rc<RefCell<VecDeque<String>>>,
}

/// Advances by [`TICK`] at each reading.
#[derive(Clone, Debug, Default)]
struct VirtualClock(Rc<Cell<Timestamp>>);

#[derive(Debug)]
struct LineCollector {
    clock: VirtualClock,
    output: Rc<RefCell<VecDeque<String>>>,
}

impl InProcess {
    pub fn new(session: Conversation, config: SearchConfig) -> InProcess {
        let (clock, output) = (VirtualClock::default(), Rc::default());
        let host = LineCollector { clock: clock.clone(), output: Rc::clone(&output) };
        let slices = SliceConfig { length: SLICE, first: SLICE, growth: TableGrowth::NONE };
        let slices = SlicedSearcher::new(clock.clone(), config, slices);
        InProcess { driver: Driver::new(host, session, slices), clock, output }
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        self.0.set(self.0.get() + TICK);
        self.0.get()
    }
}

impl Host for LineCollector {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn send_line(&mut self, line: String) {
        self.output.borrow_mut().push_back(line);
    }
}

impl Engine for InProcess {
    fn send(&mut self, line: &str) {
        if !self.driver.has_ended() {
            self.driver.handle(Event::Line(line.to_owned()));
        }
    }

    fn next_line(&mut self) -> Option<String> {
        loop {
            if let Some(line) = self.output.borrow_mut().pop_front() {
                return Some(line);
            }
            if !self.driver.is_searching() {
                return None;
            }
            self.driver.work();
        }
    }

    fn wait(&mut self, time: Duration) {
        let until = self.clock.0.get() + time;
        while self.clock.0.get() < until && self.driver.is_searching() {
            self.driver.work();
        }
        self.clock.0.set(self.clock.0.get().max(until));
    }

    fn close(&mut self) -> Option<Vec<String>> {
        self.driver.handle(Event::Eof);
        while self.driver.is_searching() {
            self.driver.work();
        }
        self.driver.has_ended().then(|| self.output.borrow_mut().drain(..).collect())
    }
}
