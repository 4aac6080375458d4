//! What has happened and was not yet told to the session: lines from the reader, news from the search.
//!
//! Both are bounded. The reader waits when the lines it has read are not used, and so does then whoever sends them. News
//! of a search are handed over as they come while the output has [`QueueCapacity`]; where nobody reads it, only the latest are
//! kept until the search ends.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use outflank::session::Event;

use super::output_queue::{OutputQueue, QueueCapacity};

/// The most bytes of lines that wait, however few the lines.
const MOST_BYTES: usize = 1 << 20;

/// What a line costs beside its bytes.
const LINE_OVERHEAD: usize = 64;

/// Something the session's thread has to deal with.
#[derive(Debug)]
pub(super) enum QueueItem {
    /// Something for the session.
    Event(Event),
    /// The input has ended, but its last lines have to wait until somebody reads the output.
    Abandoned,
    /// Nothing can be written any more.
    Closed,
}

/// The events that wait, in the order they came.
#[derive(Debug)]
pub(super) struct EventQueue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    taken: Condvar,
    output: Arc<OutputQueue>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Number of the next thing that arrives.
    next: u64,
    /// What it costs with each.
    lines: VecDeque<(u64, usize, Event)>,
    /// Bytes of all lines.
    bytes: usize,
    news: VecDeque<(u64, Event)>,
    eof: Eof,
    is_closed: bool,
}

/// What is known of the end of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Eof {
    /// It has not come.
    #[default]
    Ahead,
    /// It has come.
    Read,
    /// [`QueueItem::Abandoned`] was told.
    Abandoned,
    /// [`Event::Eof`] was told.
    Told,
}

impl EventQueue {
    /// An empty one, which looks at the room in `output`.
    pub(super) fn new(output: Arc<OutputQueue>) -> EventQueue {
        EventQueue { waiting: Mutex::default(), arrived: Condvar::new(), taken: Condvar::new(), output }
    }

    /// Adds a line; waits while there are too many.
    pub(super) fn line(&self, line: String) {
        self.add(line.len(), Event::Line(line));
    }

    /// Adds the beginning of a line that was too long.
    pub(super) fn too_long(&self, beginning: String) {
        self.add(beginning.len(), Event::LineTooLong(beginning));
    }

    fn add(&self, length: usize, line: Event) {
        let cost = length + LINE_OVERHEAD;
        let mut waiting = self.lock();
        while !waiting.lines.is_empty() && waiting.bytes + cost > MOST_BYTES {
            waiting = self.taken.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        waiting.bytes += cost;
        let number = waiting.number();
        waiting.lines.push_back((number, cost, line));
        self.arrived.notify_all();
    }

    /// Says that there will be no more lines.
    pub(super) fn eof(&self) {
        self.lock().eof = Eof::Read;
        self.arrived.notify_all();
    }

    /// Adds news of the search. Never waits.
    pub(super) fn news(&self, news: Event) {
        let mut waiting = self.lock();
        if self.output.room() < QueueCapacity::Free {
            waiting.make_way(&news);
        }
        let number = waiting.number();
        waiting.news.push_back((number, news));
        self.arrived.notify_all();
    }

    /// Says that nothing can be written any more.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.arrived.notify_all();
    }

    /// Has the thread that waits for an event look again how much room there is.
    pub(super) fn look_again(&self) {
        // Under the lock: whoever has just looked is waiting by now.
        drop(self.lock());
        self.arrived.notify_all();
    }

    /// Waits for the next event that may be dealt with.
    pub(super) fn next(&self) -> QueueItem {
        let mut waiting = self.lock();
        loop {
            if let Some(event) = waiting.take(self.output.room()) {
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
        self.next += 1;
        self.next
    }

    /// The first event that may be dealt with when there is so much `room`.
    fn take(&mut self, room: QueueCapacity) -> Option<QueueItem> {
        if self.is_closed {
            return Some(QueueItem::Closed);
        }
        // What a search tells on its way waits for its end or for room; the end does not.
        let news = match room {
            QueueCapacity::Free => self.news.front(),
            _ => self.news.front().filter(|_| self.news.iter().any(|(_, news)| is_final(news))),
        };
        let line = match room {
            QueueCapacity::Full => None,
            _ => self.lines.front(),
        };
        let news = news.map(|(number, _)| *number);
        let line = line.map(|(number, ..)| *number);
        match (line, news) {
            (Some(line), news) if news.is_none_or(|news| line < news) => {
                let (_, cost, line) = self.lines.pop_front()?;
                self.bytes -= cost;
                Some(QueueItem::Event(line))
            }
            (_, Some(_)) => self.news.pop_front().map(|(_, news)| QueueItem::Event(news)),
            (_, None) => self.end(),
        }
    }

    fn end(&mut self) -> Option<QueueItem> {
        match self.eof {
            Eof::Read | Eof::Abandoned if self.lines.is_empty() => {
                self.eof = Eof::Told;
                Some(QueueItem::Event(Event::Eof))
            }
            Eof::Read => {
                self.eof = Eof::Abandoned;
                Some(QueueItem::Abandoned)
            }
            Eof::Ahead | Eof::Abandoned | Eof::Told => None,
        }
    }

    /// Drops what `news` makes worthless.
    fn make_way(&mut self, news: &Event) {
        self.news.retain(|(_, old)| !news.replaces(old));
    }
}

/// Whether a session may be waiting for it, not only to be told how things go.
fn is_final(news: &Event) -> bool {
    !matches!(news, Event::Report(_) | Event::Progress { .. })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

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

    /// An events whose output holds so many bytes that nobody reads.
    fn filled(bytes: usize) -> EventQueue {
        let output = OutputQueue::default();
        if bytes > 0 {
            output.say("x".repeat(bytes - 1));
        }
        EventQueue::new(Arc::new(output))
    }

    /// Everything that may be dealt with at the moment.
    fn ready(events: &EventQueue) -> Vec<String> {
        let room = events.output.room();
        let mut waiting = events.lock();
        std::iter::from_fn(|| waiting.take(room))
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
            events.news(report(1, depth, false));
            events.news(report(1, depth, true));
            events.news(Event::Progress { id: SearchId(1), nodes: u64::from(depth) });
        }
        events.news(report(1, 50, false));
        events.news(report(1, 50, false));
    }

    #[test]
    fn with_room_everything_comes_in_order() {
        let events = filled(HOLD_REPORTS_AT - 1);
        fill(&events);
        let taken = ready(&events);
        assert_eq!(taken[..5], ["line 1", "report 1?", "report 1", "alive 1", "line 2"]);
        assert_eq!(taken.len(), 4 * 49 + 2);
    }

    #[test]
    fn without_room_the_latest_reports_wait_for_the_end_of_the_search() {
        let events = filled(HOLD_REPORTS_AT);
        fill(&events);
        let lines: Vec<String> = (1..50).map(|number| format!("line {number}")).collect();
        assert_eq!(ready(&events), lines);
        assert_eq!(events.lock().news.len(), 2);
        events.news(done(1));
        assert_eq!(ready(&events), ["report 49", "report 50?", "done 1"]);
        // Another search's report makes those of the one before worthless, but not its end.
        for id in 2..9 {
            events.news(report(id, 7, true));
            events.news(done(id));
        }
        assert_eq!(ready(&events).iter().filter(|event| event.starts_with("done")).count(), 7);
    }

    #[test]
    fn a_full_output_lets_no_line_in_but_the_end_of_a_search() {
        let events = filled(HOLD_INPUT_AT);
        fill(&events);
        assert!(ready(&events).is_empty());
        events.news(done(1));
        assert_eq!(ready(&events), ["report 49", "report 50?", "done 1"]);
        events.eof();
        assert_eq!(ready(&events), ["Abandoned"]);
        assert!(ready(&events).is_empty(), "told once");
        events.close();
        assert!(matches!(events.next(), QueueItem::Closed));
    }

    #[test]
    fn the_end_of_the_input_comes_after_its_lines() {
        let events = filled(HOLD_REPORTS_AT);
        events.line("last".to_owned());
        events.eof();
        assert_eq!(ready(&events), ["last", "Eof"]);
        assert!(ready(&events).is_empty());
    }

    #[test]
    fn the_reader_waits_until_its_lines_are_used() {
        let events = Arc::new(filled(0));
        let read = Arc::new(AtomicUsize::new(0));
        let long = "x".repeat(MOST_BYTES + 5);
        let (shared, counter) = (Arc::clone(&events), Arc::clone(&read));
        let reader = thread::spawn(move || {
            // One that is longer than all together may be goes in alone.
            shared.line(long);
            for _ in 0..100_000 {
                shared.line("x".repeat(100));
                counter.fetch_add(1, Ordering::SeqCst);
            }
            shared.eof();
        });
        thread::sleep(Duration::from_millis(100));
        assert_eq!(read.load(Ordering::SeqCst), 0);
        assert!(matches!(events.next(), QueueItem::Event(Event::Line(line)) if line.len() > MOST_BYTES));
        let most = MOST_BYTES / (100 + LINE_OVERHEAD);
        while read.load(Ordering::SeqCst) < most {
            thread::yield_now();
        }
        for _ in 0..100_000 {
            assert!(matches!(events.next(), QueueItem::Event(Event::Line(_))));
            assert!(events.lock().bytes <= MOST_BYTES);
        }
        assert!(matches!(events.next(), QueueItem::Event(Event::Eof)));
        reader.join().unwrap();
        assert_eq!(events.lock().bytes, 0);
    }

    #[test]
    fn room_wakes_whoever_waits_for_an_event() {
        let events = Arc::new(filled(HOLD_INPUT_AT));
        events.line("at last".to_owned());
        let shared = Arc::clone(&events);
        let session = thread::spawn(move || shared.next());
        thread::sleep(Duration::from_millis(50));
        assert!(!session.is_finished());
        let (output, shared) = (Arc::clone(&events.output), Arc::clone(&events));
        thread::spawn(move || {
            super::super::output_queue::write(&output, std::io::sink(), || shared.look_again()).unwrap()
        });
        assert!(matches!(session.join().unwrap(), QueueItem::Event(Event::Line(line)) if line == "at last"));
    }
}
