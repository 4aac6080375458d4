//! The queue of events for the session: lines from the reader thread, and search events.
//!
//! Both parts are bounded. When the line queue is full, the reader thread blocks. Once the pipe is full too, the writes of the
//! GUI block. Search events are delivered at once while the output queue has capacity. If the output is not read, only the
//! latest ones are kept until the search ends.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use outflank::session::Event;

use super::output_queue::{OutputQueue, QueueCapacity};

/// Most bytes of waiting lines.
const MAX_BYTES: usize = 1 << 20;

/// Bytes counted for a line in addition to its text.
const LINE_OVERHEAD: usize = 64;

/// The next thing for the session thread.
#[derive(Debug)]
pub(super) enum QueueItem {
    Event(Event),
    /// The input has ended, but the last lines stay in the queue because the output is not read.
    Abandoned,
    /// The output is closed.
    Closed,
}

/// Waiting events, in the order of their arrival.
#[derive(Debug)]
pub(super) struct EventQueue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    taken: Condvar,
    output: Arc<OutputQueue>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// The number of the last event. Numbers give the order of lines and search events.
    last: u64,
    /// Number, counted bytes, event.
    lines: VecDeque<(u64, usize, Event)>,
    /// Counted bytes of all lines.
    bytes: usize,
    search: VecDeque<(u64, Event)>,
    eof: Eof,
    is_closed: bool,
}

/// State of the end of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Eof {
    /// Not reached.
    #[default]
    Ahead,
    /// Reached, not delivered.
    Read,
    /// Delivered as [`QueueItem::Abandoned`].
    Abandoned,
    /// Delivered as [`Event::Eof`].
    Delivered,
}

impl EventQueue {
    /// Makes an empty queue that depends on the capacity of `output`.
    pub(super) fn new(output: Arc<OutputQueue>) -> EventQueue {
        EventQueue { waiting: Mutex::default(), arrived: Condvar::new(), taken: Condvar::new(), output }
    }

    /// Adds a line. Blocks while the queue is full.
    pub(super) fn line(&self, line: String) {
        self.add(line.len(), Event::Line(line));
    }

    /// Adds the start of a line that was too long.
    pub(super) fn too_long(&self, beginning: String) {
        self.add(beginning.len(), Event::LineTooLong(beginning));
    }

    fn add(&self, length: usize, line: Event) {
        let cost = length + LINE_OVERHEAD;
        let mut waiting = self.lock();
        while !waiting.lines.is_empty() && waiting.bytes + cost > MAX_BYTES {
            waiting = self.taken.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        waiting.bytes += cost;
        let number = waiting.number();
        waiting.lines.push_back((number, cost, line));
        self.arrived.notify_all();
    }

    /// Marks the end of the input.
    pub(super) fn eof(&self) {
        self.lock().eof = Eof::Read;
        self.arrived.notify_all();
    }

    /// Adds a search event. Never blocks.
    pub(super) fn search_event(&self, event: Event) {
        let mut waiting = self.lock();
        if self.output.capacity() < QueueCapacity::Free {
            waiting.search.retain(|(_, old)| !event.replaces(old));
        }
        let number = waiting.number();
        waiting.search.push_back((number, event));
        self.arrived.notify_all();
    }

    /// Marks the output as closed.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.arrived.notify_all();
    }

    /// Wakes the session thread to check the capacity of the output again.
    pub(super) fn recheck(&self) {
        // Under the lock: a thread that has just checked is waiting by now.
        drop(self.lock());
        self.arrived.notify_all();
    }

    /// Waits for the next item that can be processed.
    pub(super) fn next(&self) -> QueueItem {
        let mut waiting = self.lock();
        loop {
            if let Some(event) = waiting.take(self.output.capacity()) {
                self.taken.notify_all();
                return event;
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Takes the first item that can be processed with this capacity of the output.
    fn take(&mut self, capacity: QueueCapacity) -> Option<QueueItem> {
        if self.is_closed {
            return Some(QueueItem::Closed);
        }
        // Intermediate events of a search wait for its end or for capacity.
        let event = match capacity {
            QueueCapacity::Free => self.search.front(),
            _ => self.search.front().filter(|_| self.search.iter().any(|(_, event)| !is_intermediate(event))),
        };
        let line = match capacity {
            QueueCapacity::Full => None,
            _ => self.lines.front(),
        };
        let event = event.map(|(number, _)| *number);
        let line = line.map(|(number, ..)| *number);
        match (line, event) {
            (Some(line), event) if event.is_none_or(|event| line < event) => {
                let (_, cost, line) = self.lines.pop_front()?;
                self.bytes -= cost;
                Some(QueueItem::Event(line))
            }
            (_, Some(_)) => self.search.pop_front().map(|(_, event)| QueueItem::Event(event)),
            (_, None) => self.end(),
        }
    }

    fn end(&mut self) -> Option<QueueItem> {
        match self.eof {
            Eof::Read | Eof::Abandoned if self.lines.is_empty() => {
                self.eof = Eof::Delivered;
                Some(QueueItem::Event(Event::Eof))
            }
            Eof::Read => {
                self.eof = Eof::Abandoned;
                Some(QueueItem::Abandoned)
            }
            Eof::Ahead | Eof::Abandoned | Eof::Delivered => None,
        }
    }
}

/// Returns `true` if no session waits for the event.
fn is_intermediate(event: &Event) -> bool {
    matches!(event, Event::Report(_) | Event::Progress { .. })
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::super::output_queue::{HOLD_INPUT_AT, HOLD_REPORTS_AT};
    use super::*;
    use outflank::score::Confidence;
    use outflank::search::{Depth, Report, SearchId};

    fn report(id: u64, depth: u32, complete: bool) -> Event {
        let effort = (Depth::new(depth), Confidence::EXACT);
        Event::Report(Report::new(SearchId(id), effort, Vec::new(), 0, complete))
    }

    fn done(id: u64) -> Event {
        Event::Done { id: SearchId(id), nodes: 0 }
    }

    /// A queue whose output has this number of unread bytes.
    fn filled(bytes: usize) -> EventQueue {
        let output = OutputQueue::default();
        if bytes > 0 {
            output.push("x".repeat(bytes - 1));
        }
        EventQueue::new(Arc::new(output))
    }

    /// Takes all items that can be processed now.
    fn ready(events: &EventQueue) -> Vec<String> {
        let capacity = events.output.capacity();
        let mut waiting = events.lock();
        std::iter::from_fn(|| waiting.take(capacity))
            .map(|event| match event {
                QueueItem::Event(Event::Line(line)) => line,
                QueueItem::Event(Event::Report(report)) => {
                    format!("report {}{}", report.depth.plies(), if report.complete { "" } else { "?" })
                }
                QueueItem::Event(Event::Progress { nodes, .. }) => format!("alive {nodes}"),
                QueueItem::Event(Event::Done { id, .. }) => format!("done {}", id.0),
                QueueItem::Event(other) => format!("{other:?}"),
                other => format!("{other:?}"),
            })
            .collect()
    }

    fn fill(events: &EventQueue) {
        for depth in 1..50 {
            events.line(format!("line {depth}"));
            events.search_event(report(1, depth, false));
            events.search_event(report(1, depth, true));
            events.search_event(Event::Progress { id: SearchId(1), nodes: u64::from(depth) });
        }
        events.search_event(report(1, 50, false));
        events.search_event(report(1, 50, false));
    }

    #[test]
    fn latest_reports_wait_for_the_end_of_the_search() {
        let events = filled(HOLD_REPORTS_AT);
        fill(&events);
        let lines: Vec<String> = (1..50).map(|number| format!("line {number}")).collect();
        assert_eq!(ready(&events), lines);
        assert_eq!(events.lock().search.len(), 2);
        events.search_event(done(1));
        assert_eq!(ready(&events), ["report 49", "report 50?", "done 1"]);
        // The report of another search replaces reports of the previous one, but not its end.
        for id in 2..9 {
            events.search_event(report(id, 7, true));
            events.search_event(done(id));
        }
        assert_eq!(ready(&events).iter().filter(|event| event.starts_with("done")).count(), 7);
    }

    #[test]
    fn full_output_holds_lines_but_not_the_end_of_a_search() {
        let events = filled(HOLD_INPUT_AT);
        fill(&events);
        assert!(ready(&events).is_empty());
        events.search_event(done(1));
        assert_eq!(ready(&events), ["report 49", "report 50?", "done 1"]);
        events.eof();
        assert_eq!(ready(&events), ["Abandoned"]);
        assert!(ready(&events).is_empty(), "delivered once");
        events.close();
        assert!(matches!(events.next(), QueueItem::Closed));
    }

    #[test]
    fn full_queue_blocks_the_reader() {
        const LINES: usize = 40_000;
        let events = Arc::new(filled(0));
        let shared = Arc::clone(&events);
        let reader = thread::spawn(move || {
            // A line that is longer than the queue is accepted alone.
            shared.line("x".repeat(MAX_BYTES + 5));
            (0..LINES).for_each(|_| shared.line("x".repeat(100)));
            shared.eof();
        });
        assert!(matches!(events.next(), QueueItem::Event(Event::Line(line)) if line.len() > MAX_BYTES));
        // The reader fills the queue.
        while events.lock().lines.len() < MAX_BYTES / (100 + LINE_OVERHEAD) {
            thread::yield_now();
        }
        for _ in 0..LINES {
            assert!(events.lock().bytes <= MAX_BYTES);
            assert!(matches!(events.next(), QueueItem::Event(Event::Line(_))));
        }
        assert!(matches!(events.next(), QueueItem::Event(Event::Eof)));
        reader.join().unwrap();
        assert_eq!(events.lock().bytes, 0);
    }

    /// In most rounds, the session thread waits before the output is written.
    #[test]
    fn capacity_wakes_the_session_thread() {
        for _ in 0..20 {
            let events = Arc::new(filled(HOLD_INPUT_AT));
            events.line("at last".to_owned());
            assert!(ready(&events).is_empty());
            let (output, shared) = (Arc::clone(&events.output), Arc::clone(&events));
            thread::spawn(move || {
                super::super::output_queue::write(&output, std::io::sink(), || shared.recheck()).unwrap()
            });
            assert!(matches!(events.next(), QueueItem::Event(Event::Line(line)) if line == "at last"));
        }
    }
}
