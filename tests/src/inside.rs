//! Session and search in this process, under a virtual clock.
//!
//! The search runs in slices, and every look at the clock takes a virtual millisecond. So a transcript always plays the
//! same way, and one that waits for ten seconds does not.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use outflank::driver::{Clock, Driver, Host, SliceConfig, SlicedSearcher, TableGrowth};
use outflank::search::SearchConfig;
use outflank::session::{Conversation, Event, Timestamp};

use crate::engine::Engine;

const TICK: Duration = Duration::from_millis(1);
/// A slice in which the search gets no further than its table remembers would be repeated for ever.
const SLICE: Duration = Duration::from_millis(20);

/// An engine without threads, pipes or clock.
#[derive(Debug)]
pub struct Inside {
    driver: Driver<Desk, SlicedSearcher<VirtualClock>>,
    clock: VirtualClock,
    said: Rc<RefCell<VecDeque<String>>>,
}

/// Goes on by [`TICK`] whenever it is looked at.
#[derive(Clone, Debug, Default)]
struct VirtualClock(Rc<Cell<Timestamp>>);

#[derive(Debug)]
struct Desk {
    clock: VirtualClock,
    said: Rc<RefCell<VecDeque<String>>>,
}

impl Inside {
    /// An engine that carries out the effects of `session`.
    pub fn new(session: Conversation, config: SearchConfig) -> Inside {
        let (clock, said) = (VirtualClock::default(), Rc::default());
        let desk = Desk { clock: clock.clone(), said: Rc::clone(&said) };
        let slices = SliceConfig { length: SLICE, first: SLICE, growth: TableGrowth::NONE };
        let slices = SlicedSearcher::new(clock.clone(), config, slices);
        Inside { driver: Driver::new(desk, session, slices), clock, said }
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        self.0.set(self.0.get() + TICK);
        self.0.get()
    }
}

impl Clock for Desk {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl Host for Desk {
    fn send_line(&mut self, line: String) {
        self.said.borrow_mut().push_back(line);
    }
}

impl Engine for Inside {
    fn send(&mut self, line: &str) {
        if !self.driver.has_ended() {
            self.driver.handle(Event::Line(line.to_owned()));
        }
    }

    fn next_line(&mut self) -> Option<String> {
        loop {
            if let Some(line) = self.said.borrow_mut().pop_front() {
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
        self.driver.has_ended().then(|| self.said.borrow_mut().drain(..).collect())
    }
}
