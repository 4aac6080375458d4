//! A search on the caller's thread.
//!
//! It works in slices. Between two slices, the caller can pass on lines. A search that is abandoned leaves its results in the
//! transposition table.

use std::collections::VecDeque;
use std::time::Duration;

use super::growth::GrowableSearch;
use super::{Clock, PROGRESS_INTERVAL, Searcher, TableGrowth};
use crate::search::{Decision, Monitor, NextIteration, Progress, Report, SearchConfig, SearchId};
use crate::session::{Deadlines, Effect, Event, Timestamp};

/// The length of the slices and the growth of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceConfig {
    /// Length of a slice. Shorter slices cost speed, longer slices delay a stop.
    pub length: Duration,
    /// Length of the first slice of a search, which yields the first values.
    pub first: Duration,
    /// Growth of the table.
    pub growth: TableGrowth,
}

/// A search that works in slices.
#[derive(Debug)]
pub struct SlicedSearcher<C> {
    clock: C,
    config: SliceConfig,
    table: GrowableSearch,
    running: Option<Running>,
    events: VecDeque<Event>,
}

#[derive(Debug)]
struct Running {
    id: SearchId,
    deadlines: Deadlines,
    nodes: u64,
    last_progress: Timestamp,
}

impl<C: Clock> SlicedSearcher<C> {
    /// Returns an idle search. Its table may grow to the size in `search`.
    pub fn new(clock: C, search: SearchConfig, config: SliceConfig) -> SlicedSearcher<C> {
        let table = GrowableSearch::new(search, config.growth);
        SlicedSearcher { clock, config, table, running: None, events: VecDeque::new() }
    }

    /// Returns `true` if a search is running.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Searches for one slice.
    pub(super) fn work(&mut self) {
        if let Some(running) = self.running.take() {
            self.slice(running, false);
        }
    }

    /// Runs the search once and queues its events. With `must_end` it reports its result and ends. If it was suspended, it stays
    /// the running search.
    fn slice(&mut self, mut running: Running, must_end: bool) {
        let length = if running.nodes == 0 { self.config.first } else { self.config.length };
        let mut slice = Slice {
            clock: &self.clock,
            end: self.clock.now() + length,
            must_end,
            deadlines: running.deadlines,
            nodes: running.nodes,
            events: &mut self.events,
        };
        let progress = self.table.search.run(&mut slice);
        running.nodes = slice.nodes;
        match progress {
            Progress::Finished => {
                self.events.push_back(Event::Done { id: running.id, nodes: running.nodes });
            }
            Progress::Suspended => {
                let now = self.clock.now();
                if now.since(running.last_progress) >= PROGRESS_INTERVAL {
                    running.last_progress = now;
                    self.events.push_back(Event::Progress { id: running.id, nodes: running.nodes });
                }
                if self.table.grows_after().is_some_and(|nodes| running.nodes >= nodes) {
                    self.events.extend(self.table.grow().map(Event::HashReduced));
                }
                self.running = Some(running);
            }
        }
    }

    /// Ends the running search: it reports its result, and its end is queued as an event.
    fn end(&mut self) {
        if let Some(running) = self.running.take() {
            self.slice(running, true);
            if let Some(running) = self.running.take() {
                // The search was suspended although it had to stop. The next start abandons it.
                self.events.push_back(Event::Done { id: running.id, nodes: running.nodes });
            }
        }
    }
}

impl<C: Clock> Searcher for SlicedSearcher<C> {
    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Start(request, deadlines) => {
                self.end();
                let (id, last_progress) = (request.id, self.clock.now());
                self.running = Some(Running { id, deadlines, nodes: 0, last_progress });
                self.table.search.start(request);
            }
            Effect::SetDeadlines(id, deadlines) => {
                if let Some(running) = self.running.as_mut().filter(|running| running.id == id) {
                    running.deadlines = deadlines;
                }
            }
            Effect::Stop(id) if self.running.as_ref().is_some_and(|running| running.id == id) => self.end(),
            Effect::Resize(hash) => {
                self.end();
                self.events.extend(self.table.resize(hash).map(Event::HashReduced));
            }
            Effect::Clear => {
                self.end();
                self.events.extend(self.table.clear().map(Event::HashReduced));
            }
            Effect::Threads(_) | Effect::Quit => self.end(),
            Effect::AddBounds(bounds) => self.table.search.add_bounds(&bounds),
            Effect::Stop(_) | Effect::Send(_) | Effect::OpenBook(_) | Effect::Learn(..) => {}
        }
    }

    fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }
}

/// The monitor of one slice.
struct Slice<'a, C> {
    clock: &'a C,
    end: Timestamp,
    must_end: bool,
    deadlines: Deadlines,
    nodes: u64,
    events: &'a mut VecDeque<Event>,
}

impl<C: Clock> Monitor for Slice<'_, C> {
    fn poll(&mut self, nodes: u64) -> Decision {
        self.nodes = nodes;
        let now = self.clock.now();
        if self.must_end || self.deadlines.is_spent(now) {
            Decision::Stop
        } else if now >= self.end {
            Decision::Yield
        } else {
            Decision::Continue
        }
    }

    fn may_start_iteration(&mut self, next: &NextIteration) -> bool {
        !self.must_end && self.deadlines.allows(self.clock.now(), next)
    }

    fn report(&mut self, report: Report) {
        self.nodes = self.nodes.max(report.nodes);
        self.events.push_back(Event::Report(report));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::board::Position;
    use crate::score::Confidence;
    use crate::search::{Goal, HashSize, Limits, SearchRequest};

    /// A clock that advances by one millisecond at every reading.
    #[derive(Debug, Default)]
    struct Ticks(Cell<u64>);

    impl Clock for Ticks {
        fn now(&self) -> Timestamp {
            self.0.set(self.0.get() + 1);
            Timestamp(Duration::from_millis(self.0.get()))
        }
    }

    #[test]
    fn table_grows_with_a_long_search() {
        let config = SliceConfig {
            length: Duration::from_millis(15),
            first: Duration::from_millis(3),
            growth: TableGrowth { first: HashSize(4), after: 3_000_000 },
        };
        let search = SearchConfig { hash: HashSize(9), ..SearchConfig::default() };
        let mut slices = SlicedSearcher::new(Ticks::default(), search, config);
        let start = |slices: &mut SlicedSearcher<Ticks>, id, depth| {
            let (root, limits) = (Position::START, Limits::to_depth(depth, Confidence::EXACT));
            let request = SearchRequest { id: SearchId(id), root, goal: Goal::BestMove, limits };
            slices.carry_out(Effect::Start(request, Deadlines::default()));
        };
        start(&mut slices, 1, 6);
        while slices.is_searching() {
            slices.work();
        }
        assert_eq!(slices.table.search.hash_size(), HashSize(4), "after a short search");
        start(&mut slices, 2, 60);
        while slices.table.search.hash_size() == HashSize(4) {
            assert!(slices.is_searching());
            slices.work();
        }
        assert_eq!(slices.table.search.hash_size(), HashSize(9));
        assert!(slices.running.as_ref().is_some_and(|running| running.nodes >= 3_000_000));
        for _ in 0..10 {
            slices.work();
            assert!(slices.is_searching(), "the search continues");
        }
        slices.carry_out(Effect::Resize(HashSize(3)));
        assert_eq!((slices.table.search.hash_size(), slices.table.grows_after()), (HashSize(3), None));
        let mut cleared = SlicedSearcher::new(
            Ticks::default(),
            SearchConfig { hash: HashSize(9), ..SearchConfig::default() },
            config,
        );
        assert_eq!(cleared.table.search.hash_size(), HashSize(4));
        cleared.carry_out(Effect::Clear);
        assert_eq!((cleared.table.search.hash_size(), cleared.table.grows_after()), (HashSize(9), None));
    }
}
